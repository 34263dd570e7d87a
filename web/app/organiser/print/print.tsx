// The print tab.

import type { TargetedEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FullGameModel, PrintFileModel, PrintFilesModel, RunModel, RunsModel } from "../../../api";
import { Dialog } from "../../shared/dialog";
import { request, useFetch } from "../../shared/http";
import { LANGUAGES, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice, Skeleton } from "../../shared/notices";
import { navigate, useRoute, View } from "../../shared/router";
import { Field } from "../forms";
import { useShortcutHelp, useShortcuts } from "../keyboard";
import { useLiveData } from "../live";
import { DealDialog, DealtRun } from "./deal";
import { Download, Preview } from "./preview";
import { PrintJobs } from "./print-jobs";
import { type Choices, obstacleOf, storedOptions, storeOptions, withChanges, withOptions } from "./print-options";
import { PrintRun } from "./print-run";
import { optionsText, PrintSetup } from "./print-setup";
import { ReplacementsDialog } from "./replacements";

// The print tab: print runs, and how to add one.
type Pages = "sheets" | "labels";
type Open = { what: "replace" | "setup" } | { what: "dealt"; run: RunModel } | { what: "pages"; run: RunModel; kind: Pages };
type GameProps = { game: FullGameModel; choices: Choices };

export function Print({ game, refetch }: { game: FullGameModel; refetch: () => void }) {
  const load = (signal: AbortSignal) => request<RunsModel>(`/api/v1/games/${game.id}/runs`, { signal });
  const { data, problem, refetch: fetchRuns } = useLiveData(load, game.id, ["envelopes", "game"]);
  const [open, setOpen] = useState<Open | null>(null); // the open dialog, if it has no address
  const [, , , , part] = useRoute();
  const [choices, setChoices] = useState(storedOptions(game.id));
  const words = texts.print;
  const may = game.allowed.includes("print");
  const at = `/desk/games/${game.id}/print`;
  const asked = useRef(false); // whether the dialog to deal was opened on this page
  const deal = () => {
    if (!may || !data) return;
    asked.current = true;
    navigate(`${at}/deal`);
  };
  useShortcuts({ n: deal });
  useShortcutHelp(texts.desk.tabs.print, [["n", words.deal]]);
  const choose = (value: Choices) => {
    storeOptions(game.id, value);
    setChoices(value);
  };
  const changed = () => {
    fetchRuns();
    refetch();
  };
  const dealt = (run: RunModel) => {
    setOpen({ what: "dealt", run });
    navigate(at, { replace: true });
    changed();
  };
  if (!data) return problem ? <Notice problem={problem} onRetry={fetchRuns} /> : <Skeleton />;
  const { runs } = data;
  const latest = Math.max(...runs.map(({ number }) => number));
  return (
    <View name="print" title={texts.desk.tabs.print} lead={runs.length > 0 && words.lead}>
      <div class="row below print-actions">
        <button type="button" class={runs.length ? "action secondary" : "action"} disabled={!may} onClick={deal}>
          <Icon name="print" />
          {runs.length ? words.dealMore : words.deal}
        </button>
        {runs.length > 0 && may && (
          <button type="button" class="action secondary" onClick={() => setOpen({ what: "replace" })}>
            <Icon name="again" />
            {words.replace.open}
          </button>
        )}
      </div>
      {!may && <p class="caption">{words.notNow}</p>}
      <section class="panel row between print-setup" aria-label={words.setup.title}>
        <p class="grow">
          <b>{words.setup.title}</b> <small class="block">{optionsText(choices)}</small>
        </p>
        <button type="button" class="secondary" onClick={() => setOpen({ what: "setup" })}>
          <Icon name="gear" /> {words.setup.open}
        </button>
      </section>
      <PrintJobs game={game} />
      {runs.length > 0 && (
        <ol class="runs stack below">
          {runs.map((run) => (
            <PrintRun
              key={run.number}
              game={game}
              run={run}
              address={data.address}
              choices={choices}
              main={run.number === latest}
              onPages={(kind) => setOpen({ what: "pages", run, kind })}
            />
          ))}
        </ol>
      )}
      <div class="columns form-columns">
        {runs.length > 0 && <SingleLabel game={game} runs={runs} choices={choices} />}
        <SharedPages game={game} choices={choices} />
      </div>
      {part === "deal" && may && (
        <DealDialog
          game={game}
          runs={runs}
          address={data.address}
          choices={choices}
          byItself={!asked.current}
          onPaper={(paper) => choose(withChanges(choices, { paper }))}
          onConflict={changed}
          onDealt={dealt}
          onClose={() => navigate(at, { replace: true })}
        />
      )}
      {open?.what === "dealt" && (
        <DealtRun game={game} run={open.run} address={data.address} choices={choices} onClose={() => setOpen(null)} />
      )}
      {open?.what === "replace" && <ReplacementsDialog game={game} runs={runs} onDone={changed} onClose={() => setOpen(null)} />}
      {open?.what === "pages" && (
        <RunPages game={game} run={open.run} kind={open.kind} choices={choices} onClose={() => setOpen(null)} />
      )}
      {open?.what === "setup" && (
        <PrintSetup
          game={game}
          run={runs.find(({ envelopes }) => envelopes > 0)}
          choices={choices}
          onDone={choose}
          onClose={() => setOpen(null)}
        />
      )}
    </View>
  );
}

// A single label, for one that was lost or whose link was renewed.
function SingleLabel({ game, runs, choices }: GameProps & { runs: RunModel[] }) {
  const [number, setNumber] = useState("");
  const words = texts.print.label;
  const run = runOf(runs, Number(number));
  const address =
    run && withOptions(`/api/v1/games/${game.id}/runs/${run.number}/labels.pdf`, choices, { envelope: Number(number) });
  const fetchIt = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (address) event.currentTarget.querySelector("a")?.click();
  };
  return (
    <form class="panel" onSubmit={fetchIt}>
      <h2>{words.title}</h2>
      <p>{words.text}</p>
      <Field label={words.number} wrong={number && !run ? words.none : ""}>
        {(more) => (
          <input
            {...more}
            type="number"
            min="1"
            inputmode="numeric"
            value={number}
            onInput={(event) => setNumber(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="row">
        {address ? (
          <Download kind="secondary" address={address} title={words.get({ number: Number(number) })} />
        ) : (
          <button class="secondary" disabled>
            <Icon name="download" /> {words.get({ number: "…" })}
          </button>
        )}
      </div>
    </form>
  );
}

// Pages without cards: the rules for everybody, and the calibration page.
function SharedPages({ game, choices }: GameProps) {
  const [language, setLanguage] = useState(game.language);
  const words = texts.print.forAll;
  const file = (name: string, more?: Record<string, string>) => withOptions(`/api/v1/games/${game.id}/${name}`, choices, more);
  return (
    <section class="panel">
      <h2>{words.title}</h2>
      <Field label={texts.language}>
        {(more) => (
          <select {...more} onChange={(event) => setLanguage(event.currentTarget.value)}>
            {game.languages.map((code) => (
              <option value={code} lang={code} selected={code === language}>
                {LANGUAGES[code] ?? code}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="row">
        <Download kind="secondary" address={file("handout.pdf", { language })} title={words.handout} />
        <Download kind="secondary" address={file("calibration.pdf")} title={words.calibration} />
      </div>
    </section>
  );
}

// Return the print run of an envelope.
const runOf = (runs: RunModel[], number: number) => runs.find((run) => number >= run.first && number < run.first + run.envelopes);

const STEPS: Record<string, number> = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const PAGE_WIDTH = 1200; // pixels; codes can be read

// The pages of a print run's sheets or labels, one at a time.
type RunPagesProps = GameProps & { run: RunModel; kind: Pages; onClose: () => void };

function RunPages({ game, run, kind, choices, onClose }: RunPagesProps) {
  const base = `/api/v1/games/${game.id}/runs/${run.number}`;
  const { data, problem, refetch } = useFetch(
    (signal) => request<PrintFilesModel>(withOptions(`${base}/pages`, choices), { signal }),
    base,
  );
  const part = data?.parts.find(({ name }) => name === `${kind}.pdf`);
  const words = texts.print.run;
  return (
    <Dialog title={texts.desk.named({ what: words.number({ number: run.number }), name: words[kind] })} wide onClose={onClose}>
      {problem && <Notice problem={problem} small onRetry={refetch} />} {!data && !problem && <Skeleton rows={1} />}
      {part?.problem && (
        <p class="wrong" role="alert">
          {obstacleOf(part)}
        </p>
      )}
      {part && !part.problem && <PageTurner base={`${base}/${kind}`} part={part} choices={choices} />}
    </Dialog>
  );
}

function PageTurner({ base, part, choices }: { base: string; part: PrintFileModel; choices: Choices }) {
  const [page, setPage] = useState(1);
  const words = texts.print.pages;
  const count = part.pages ?? 1;
  const turn = (to: number) => setPage(Math.min(count, Math.max(1, to)));
  const by = useRef((_step: number) => {});
  by.current = (step) => turn(page + step);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      by.current(step);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const address = withOptions(`${base}/${page}.png`, choices, { width: PAGE_WIDTH });
  return (
    <div class="pages stack">
      <div class="row between pages-turn">
        <button type="button" class="secondary" disabled={page === 1} onClick={() => turn(page - 1)}>
          <Icon name="back" />
          <span>{words.before}</span>
        </button>
        <p role="status">{words.at({ page, count })}</p>
        <button type="button" class="secondary" disabled={page === count} onClick={() => turn(page + 1)}>
          <span>{words.after}</span>
          <Icon name="next" />
        </button>
      </div>
      <Preview key={address} address={address} name={words.at({ page, count })} ratio={part.width / part.height} zoom />
    </div>
  );
}
