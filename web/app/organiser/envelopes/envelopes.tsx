// The envelopes tab.

import { useState } from "preact/hooks";
import type { EnvelopeModel, EnvelopesModel, FullGameModel } from "../../../api";
import { type Problem, request } from "../../shared/http";
import { formatList, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice, Skeleton } from "../../shared/notices";
import { Link, navigate, useRoute, View } from "../../shared/router";
import { ConfirmDialog } from "../forms";
import { useShortcutHelp, useShortcuts } from "../keyboard";
import { useLiveData } from "../live";
import { changeEnvelope, type OnChanged } from "./changes";
import { EnvelopeDialog } from "./envelope";
import { GiveOut } from "./give-out";
import { EnvelopeRow, FILTERS, type Filter, matchesFilter, matchesSearch } from "./row";

const COLUMNS = ["number", "name", "state", "joined", "claimed", "received"] as const;

// The list of envelopes: names, hand-ins, and what is missing.
export function Envelopes({ game, refetch }: { game: FullGameModel; refetch: () => void }) {
  const load = async (signal: AbortSignal) =>
    (await request<EnvelopesModel>(`/api/v1/games/${game.id}/envelopes`, { signal })).envelopes;
  const { data, problem, refetch: fetchAll, put } = useLiveData(load, game.id, ["envelopes", "game", "photos", "queue"]);
  const [, , , , part] = useRoute();
  const [show, setShow] = useState(requestedFilter);
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<number[]>([]);
  const words = texts.envelopes;
  const at = `/desk/games/${game.id}/envelopes`;
  const give = () => data?.length && navigate(`${at}/give-out`);
  const close = () => navigate(at, { replace: true });
  useShortcuts({ n: give, "/": () => document.getElementById("envelopes-look")?.focus() });
  useShortcutHelp(texts.desk.tabs.envelopes, [
    ["n", words.give.open],
    ["/", words.look],
  ]);
  if (!data) return problem ? <Notice problem={problem} onRetry={fetchAll} /> : <Skeleton rows={6} />;
  const shown = data.filter((one) => matchesFilter(show, one, game) && matchesSearch(search, one));
  const open = data.find((one) => String(one.number) === part);
  // Show the organiser's own change at once, as the server returned it.
  const changed = (envelope: EnvelopeModel) => {
    put((all) => all?.map((one) => (one.number === envelope.number ? envelope : one)) ?? null);
    refetch();
  };
  return (
    <View name="envelopes" title={texts.desk.tabs.envelopes}>
      {data.length === 0 && (
        <>
          <p>{words.none}</p>
          <p>
            <Link href={`/desk/games/${game.id}/print`}>{texts.desk.tabs.print}</Link>
          </p>
        </>
      )}
      {data.length > 0 && (
        <>
          <div class="row below envelopes-head">
            <button type="button" class="action" onClick={give}>
              <Icon name="envelope" />
              {words.give.open}
            </button>
            <label class="grow narrow">
              <span class="visually-hidden">{words.look}</span>
              <input
                id="envelopes-look"
                type="search"
                placeholder={words.look}
                value={search}
                onInput={(event) => setSearch(event.currentTarget.value)}
              />
            </label>
          </div>
          <EnvelopeFilters game={game} envelopes={data} shown={show} onShow={setShow} />
          <p class="visually-hidden" role="status">
            {words.shown({ count: shown.length })}
          </p>
          <BulkActions
            game={game}
            chosen={data.filter((one) => chosen.includes(one.number))}
            onChanged={changed}
            onDone={() => setChosen([])}
          />
          <EnvelopeTable game={game} envelopes={shown} chosen={chosen} onChoose={setChosen} />
          {!shown.length && <p>{texts.queue.emptyFilter}</p>}
        </>
      )}
      {open && <EnvelopeDialog key={open.number} game={game} envelope={open} onChanged={changed} onClose={close} />}
      {part === "give-out" && data.length > 0 && <GiveOut game={game} envelopes={data} onChanged={changed} onClose={close} />}
    </View>
  );
}

type FiltersProps = { game: FullGameModel; envelopes: EnvelopeModel[]; shown: Filter; onShow: (filter: Filter) => void };

function EnvelopeFilters({ game, envelopes, shown, onShow }: FiltersProps) {
  const words = texts.envelopes;
  const isCounting = game.state !== "open" || game.counts.received > 0;
  return (
    <section class="row below chips" aria-label={texts.desk.tabs.envelopes}>
      {FILTERS.map((name) => {
        const count = envelopes.filter((one) => matchesFilter(name, one, game)).length;
        const isUseful = count > 0 && (name !== "missing" || isCounting);
        if (!isUseful && name !== "all" && name !== shown) return null;
        return (
          <button
            type="button"
            key={name}
            class="chip"
            aria-pressed={name === shown ? "true" : "false"}
            onClick={() => onShow(name)}
          >
            {words.filters[name]} <b>{count}</b>
          </button>
        );
      })}
    </section>
  );
}

type TableProps = { game: FullGameModel; envelopes: EnvelopeModel[]; chosen: number[]; onChoose: (numbers: number[]) => void };

function EnvelopeTable({ game, envelopes, chosen, onChoose }: TableProps) {
  const words = texts.envelopes;
  const toggle = (n: number) => onChoose(chosen.includes(n) ? chosen.filter((other) => other !== n) : [...chosen, n]);
  const all = envelopes.length > 0 && envelopes.every((one) => chosen.includes(one.number));
  return (
    <table class="envelopes">
      <thead>
        <tr>
          <td>
            <label class="choose-all">
              <input type="checkbox" checked={all} onChange={() => onChoose(all ? [] : envelopes.map((one) => one.number))} />
              <span>{texts.queue.chooseAll}</span>
            </label>
          </td>
          {COLUMNS.map((name) => (
            <th scope="col">{words.columns[name]}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {envelopes.map((one) => (
          <EnvelopeRow
            key={one.number}
            game={game}
            envelope={one}
            at={`/desk/games/${game.id}/envelopes`}
            chosen={chosen.includes(one.number)}
            onChoose={() => toggle(one.number)}
          />
        ))}
      </tbody>
    </table>
  );
}

// Return the filter in the address.
function requestedFilter(): Filter {
  const wanted = new URLSearchParams(location.search).get("show");
  return FILTERS.find((name) => name === wanted) ?? "all";
}

// Buttons to open or seal all chosen envelopes, one after the other, with those that failed.
const ACTS = ["open", "seal"] as const;
type Act = (typeof ACTS)[number];
type Failed = { number: number; problem: Problem };
type BulkActionsProps = { game: FullGameModel; chosen: EnvelopeModel[]; onChanged: OnChanged; onDone: () => void };

function BulkActions({ game, chosen, onChanged, onDone }: BulkActionsProps) {
  const [asking, setAsking] = useState<Act | "">("");
  const [state, setState] = useState<{ done: number; of: number; failed: Failed[] }>({ done: 0, of: 0, failed: [] });
  const words = texts.envelopes.bulk;
  const can = { open: game.allowed.includes("open_envelope"), seal: game.allowed.includes("seal_envelope") };
  async function all(what: Act, reason: string) {
    const failed: Failed[] = [];
    for (const [done, envelope] of chosen.entries()) {
      setState({ done, of: chosen.length, failed });
      try {
        onChanged(await changeEnvelope(game, envelope.number, { open: what === "open", reason }));
      } catch (problem) {
        failed.push({ number: envelope.number, problem: problem as Problem });
      }
    }
    setState({ done: chosen.length, of: 0, failed });
    onDone();
  }
  if (!chosen.length && !state.failed.length && !asking) return null;
  return (
    <div class="row note warm bar-top below" role="region" aria-label={texts.queue.chosen({ count: chosen.length })}>
      {chosen.length > 0 && (
        <>
          <b>{texts.queue.chosen({ count: chosen.length })}</b>
          <div class="row">
            {ACTS.map((what) => (
              <button type="button" class="secondary" disabled={!can[what]} onClick={() => setAsking(what)}>
                {words[what]}
              </button>
            ))}
            <button type="button" class="plain" onClick={onDone}>
              {texts.queue.chooseNone}
            </button>
          </div>
        </>
      )}
      {state.failed.length > 0 && (
        <div role="alert">
          <b>{words.failed}</b>
          <ul>
            {state.failed.map(({ number, problem }) => (
              <li>
                {texts.envelope({ number })}: {problem.title}. {problem.detail}
              </li>
            ))}
          </ul>
          <button type="button" class="plain" onClick={() => setState({ done: 0, of: 0, failed: [] })}>
            {texts.close}
          </button>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title={words[asking]}
          confirm={words[asking]}
          reason="optional"
          onConfirm={(reason) => all(asking, reason)}
          onClose={() => setAsking("")}
        >
          <p>{texts.desk.named({ what: texts.desk.tabs.envelopes, name: formatList(chosen.map(({ number }) => number)) })}</p>
          <p>{asking === "open" ? words.opens : `${texts.envelopes.one.sealText} ${words.stays}`}</p>
          {state.of > 0 && <progress value={state.done} max={state.of} aria-label={words[asking]} />}
        </ConfirmDialog>
      )}
    </div>
  );
}
