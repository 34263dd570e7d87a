// The dialog to deal a print run.

import type { TargetedEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FullGameModel, RunModel } from "../../../api";
import { Dialog, DOUBLE_CLICK_TIME } from "../../shared/dialog";
import { newIdempotencyKey, type Problem, request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { announce, Notice } from "../../shared/notices";
import { Checkbox, Field, focusFirstError, RadioGroup, useSubmit } from "../forms";
import { LABEL_RATIO, Preview, SHEET_RATIO } from "./preview";
import { type Choices, type Paper, papers, withOptions } from "./print-options";
import { defaultAddress, isAddress, isLocal, joinHint, localText, PrintRun } from "./print-run";

const DEAL_TIMEOUT = 180_000; // milliseconds; balancing hands takes long on a busy server
const MAX_ENVELOPES = 600;
const SPARE_SHARE = 0.05;

// A dialog to deal a print run: the options and a preview. If another organiser deals meanwhile, the server rejects this one
// and returns the envelopes that exist. It opens `byItself` after a game was created: a second Enter or click must not deal.
type DealProps = { game: FullGameModel; address: string | null; choices: Choices; onClose: () => void };
type DealDialogProps = DealProps & {
  runs: RunModel[];
  byItself: boolean;
  onPaper: (paper: Paper) => void;
  onConflict: () => void;
  onDealt: (run: RunModel) => void;
};
type Given = { envelopes: string; spare: string; even: boolean; apart: string; join: string };
type Errors = Partial<Record<keyof Given, string>>;

export function DealDialog(props: DealDialogProps) {
  const { game, runs: newest, address, choices, byItself, onPaper, onConflict, onDealt, onClose } = props;
  const words = texts.print.dealing;
  const [runs] = useState(newest);
  const first = runs.length === 0;
  const [given, setGiven] = useState<Given>({
    envelopes: String(first ? game.players : 0),
    spare: String(first ? Math.max(1, Math.ceil(game.players * SPARE_SHARE)) : 1),
    even: false,
    apart: "25",
    join: runs[0]?.join ?? defaultAddress(address),
  });
  const [asked, setAsked] = useState(false);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), DOUBLE_CLICK_TIME);
    return () => clearTimeout(timer);
  }, []);
  const key = useRef(newIdempotencyKey());
  const { send, busy, problem } = useSubmit();
  const wrong = errorsIn(given, first);
  const set = (changes: Partial<Given>) => {
    key.current = newIdempotencyKey();
    setGiven((before) => ({ ...before, ...changes }));
  };
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(wrong).length) return focusFirstError(event.currentTarget);
    await send(async () => {
      const body = {
        number: Math.max(0, ...runs.map(({ number }) => number)) + 1,
        envelopes: Number(given.envelopes),
        spare: Number(given.spare),
        ...(given.even ? { even: Number(given.apart) } : {}),
        ...(given.join.trim() ? { join: given.join.trim() } : {}),
      };
      try {
        const path = `/api/v1/games/${game.id}/runs`;
        const run = await request<RunModel>(path, { method: "POST", body, key: key.current, timeout: DEAL_TIMEOUT });
        announce(words.done);
        onDealt(run);
      } catch (error) {
        if ((error as Problem).slug === "conflict") onConflict();
        throw error;
      }
    });
  };
  const number = (name: "envelopes" | "spare" | "apart", label: string, hint?: string, unit = "") => (
    <Field label={label} hint={hint} unit={unit} wrong={asked && wrong[name]}>
      {(more) => (
        <input
          {...more}
          name={name}
          type="number"
          autofocus={name === "envelopes" && !byItself}
          inputmode="numeric"
          min="0"
          value={given[name]}
          onInput={(event) => set({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  const join = given.join.trim();
  return (
    <Dialog title={first ? texts.print.deal : texts.print.dealMore} wide focusTitle={byItself} onClose={onClose}>
      <form class="columns deal" onSubmit={submit} noValidate>
        <div>
          <div class="field-row">
            {number("envelopes", words.envelopes)} {number("spare", words.spare, words.spareHint)}
          </div>
          <Checkbox label={words.even} checked={given.even} onChange={() => set({ even: !given.even })} />
          {given.even && number("apart", words.apart, words.apartHint, texts.score.points({ count: Number(given.apart) }))}
          <Field label={words.join} hint={joinHint(join)} wrong={asked && wrong.join}>
            {(more) => (
              <input
                {...more}
                name="join"
                type="url"
                inputmode="url"
                spellcheck={false}
                value={given.join}
                onInput={(event) => set({ join: event.currentTarget.value })}
              />
            )}
          </Field>
          {isLocal(join) && (
            <p class="note stop" role="alert">
              {localText()}
            </p>
          )}
          <RadioGroup legend={texts.print.paper} name="deal-paper" value={choices.paper} options={papers()} onChange={onPaper} />
          {first && (
            <p>
              <b>{words.final}</b>
            </p>
          )}
          {problem && <Notice problem={problem} small />}
          {busy && <progress aria-label={words.busy} />}
          <div class="row dialog-actions">
            <button type="button" class="secondary" onClick={onClose}>
              {texts.cancel}
            </button>
            <button disabled={!ready} aria-busy={busy ? "true" : undefined}>
              {busy ? words.busy : words.send({ count: Number(given.envelopes) + Number(given.spare) || 0 })}
            </button>
          </div>
        </div>
        <DealPreview game={game} choices={choices} join={wrong.join ? "" : join} />
      </form>
    </Dialog>
  );
}

// A sample label and sheet. `join` is the address on the label.
function DealPreview({ game, choices, join }: Pick<DealProps, "game" | "choices"> & { join: string }) {
  const words = texts.print.dealing;
  const sample = `/api/v1/games/${game.id}/sample`;
  return (
    <div class="stack">
      <p class="caption">{words.sample}</p>
      <Preview
        address={`${sample}/label.png?width=700${join && `&join=${encodeURIComponent(join)}`}`}
        name={texts.print.run.labels}
        ratio={LABEL_RATIO}
      />
      <Preview
        address={withOptions(`${sample}/sheet.png`, choices, { width: 700 })}
        name={texts.print.run.sheets}
        ratio={SHEET_RATIO[choices.paper]}
      />
    </div>
  );
}

// The new print run with its files and its first pages.
export function DealtRun({ game, run, address, choices, onClose }: DealProps & { run: RunModel }) {
  const words = texts.print.dealing;
  const pages = `/api/v1/games/${game.id}/runs/${run.number}`;
  return (
    <Dialog title={words.done} wide onClose={onClose}>
      <ol class="runs stack below">
        <PrintRun game={game} run={run} address={address} choices={choices} plain />
      </ol>
      <p>{texts.print.lead}</p>
      <div class="tiles">
        <Preview
          address={withOptions(`${pages}/sheets/1.png`, choices, { width: 900 })}
          name={texts.print.run.sheets}
          ratio={SHEET_RATIO[choices.paper]}
        />
        <Preview
          address={withOptions(`${pages}/labels/1.png`, choices, { width: 900 })}
          name={texts.print.run.labels}
          ratio={SHEET_RATIO[choices.paper]}
        />
      </div>
      <div class="row dialog-actions">
        <button type="button" class="secondary" onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </Dialog>
  );
}

function errorsIn(given: Given, first: boolean): Errors {
  const words = texts.print.dealing;
  const wrong: Errors = {};
  const whole = (text: string, least: number, most: number) =>
    /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
  if (!whole(given.envelopes, first ? 1 : 0, MAX_ENVELOPES))
    wrong.envelopes = texts.print.number({ least: first ? 1 : 0, most: MAX_ENVELOPES, whole: true });
  if (!whole(given.spare, 0, MAX_ENVELOPES)) wrong.spare = texts.print.number({ least: 0, most: MAX_ENVELOPES, whole: true });
  const all = Number(given.envelopes) + Number(given.spare);
  if (!wrong.envelopes && !wrong.spare && (all < 1 || all > MAX_ENVELOPES)) wrong.spare = words.inAll({ most: MAX_ENVELOPES });
  if (given.even && !whole(given.apart, 0, 100_000)) wrong.apart = texts.print.number({ least: 0, most: 100_000, whole: true });
  const join = given.join.trim();
  if (join && !isAddress(join)) wrong.join = texts.problems["wrong-address"].detail;
  return wrong;
}
