// The rows of the list of envelopes, and its filters.

import type { ComponentChildren } from "preact";
import type { EnvelopeModel, FullGameModel } from "../../../api";
import { formatDateTime, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Link, navigate } from "../../shared/router";

// An envelope in the list.
type EnvelopeRowProps = {
  game: FullGameModel;
  envelope: EnvelopeModel;
  at: string;
  chosen: boolean;
  onChoose: () => void;
};

export function EnvelopeRow({ game, envelope, at, chosen, onChoose }: EnvelopeRowProps) {
  const words = texts.envelopes;
  const { number, name } = envelope;
  const when = (time: string | null) =>
    time ? <time dateTime={time}>{formatDateTime(time, game.timezone)}</time> : <span class="soft">{words.no}</span>;
  const cell = (column: keyof typeof words.columns, content: ComponentChildren, yes: string | null) => (
    <td
      class={`cell-${column} ${yes ? "" : "cell-empty"}`}
      data-label={texts.desk.named({ what: words.columns[column], name: "" })}
    >
      {content}
    </td>
  );
  // The number is a link for keyboards; the whole row can be clicked.
  const open = ({ target }: Event) => {
    const active = target instanceof Element && target.closest("a, input, label, button");
    if (!active && !getSelection()?.toString()) navigate(`${at}/${number}`);
  };
  return (
    <tr class={envelope.opened ? "" : "row-sealed"} onClick={open}>
      <td>
        <input type="checkbox" aria-label={texts.envelope({ number })} checked={chosen} onChange={onChoose} />
      </td>
      <th scope="row" class="cell-number">
        <Link class="number" href={`${at}/${number}`} aria-label={texts.envelope({ number })}>
          {number}
        </Link>
      </th>
      {cell("name", name ?? <span class="soft">{words.nameless}</span>, name)}
      <td class="cell-state">
        <EnvelopeStatus envelope={envelope} game={game} />
      </td>
      {cell("joined", when(envelope.joined), envelope.joined)}
      {cell(
        "claimed",
        <>
          {when(envelope.claimed)}
          {isLate(envelope, game) && (
            <>
              {" "}
              <mark class="badge stop">
                <Icon name="clock" />
                {words.late}
              </mark>
            </>
          )}
        </>,
        envelope.claimed,
      )}
      {cell("received", when(envelope.received), envelope.received)}
    </tr>
  );
}

// The state of an envelope in words.
export function EnvelopeStatus({ envelope, game }: { envelope: EnvelopeModel; game: FullGameModel }) {
  const words = texts.envelopes.standing;
  const before = game.state === "printed";
  const name = envelope.opened ? "open" : before && !envelope.spare ? "waiting" : envelope.spare ? "spare" : "sealed";
  return <span class={`row state state-${name}`}>{words[name]}</span>;
}

// Filters of the list.
export type Filter = keyof typeof texts.envelopes.filters;

const PREDICATES: Record<Filter, (envelope: EnvelopeModel, game: FullGameModel) => boolean> = {
  all: () => true,
  open: ({ opened }) => Boolean(opened),
  sealed: ({ opened }) => !opened,
  joined: ({ joined }) => Boolean(joined),
  absent: ({ opened, joined }) => Boolean(opened) && !joined,
  claimed: ({ claimed }) => Boolean(claimed),
  received: ({ received }) => Boolean(received),
  missing: ({ missing }) => missing,
  late: (envelope, game) => isLate(envelope, game),
};

export const FILTERS = Object.keys(PREDICATES) as Filter[];

export const matchesFilter = (filter: Filter, envelope: EnvelopeModel, game: FullGameModel) => PREDICATES[filter](envelope, game);

// Return true if the hand-in by phone came after the end.
const isLate = ({ claimed }: EnvelopeModel, { closed }: FullGameModel) =>
  claimed !== null && closed !== null && new Date(claimed) >= new Date(closed);

// Return true if an envelope's number starts with the search, or its name contains it.
export function matchesSearch(look: string, { number, name }: EnvelopeModel) {
  const text = look.trim().toLowerCase();
  if (!text) return true;
  if (/^\d+$/.test(text)) return String(number).startsWith(String(Number(text)));
  return (name ?? "").toLowerCase().includes(text);
}
