import { html } from "htm/preact";
import { moment, texts } from "../../shared/i18n.js";
import { Icon } from "../../shared/icon.js";
import { Link, go } from "../../shared/router.js";

// An envelope in the list.
export function Row({ game, envelope, at, chosen, onChoose }) {
  const words = texts.envelopes;
  const { number, name } = envelope;
  const when = (time) => (time ? html`<time datetime=${time}>${moment(time, game.timezone)}</time>` : html`<span class="no">${words.no}</span>`);
  const cell = (column, content, yes) => html`<td class=${`cell-${column} ${yes ? "" : "cell-empty"}`} data-label=${words.columns[column]}>${content}</td>`;
  // The number is its link; the whole row is one for whoever points.
  const open = (event) => event.target.closest("a, input, label, button") || getSelection().toString() || go(`${at}/${number}`);
  return html`<tr class=${envelope.opened ? "" : "row-sealed"} onClick=${open}>
    <td class="cell-choose"><input type="checkbox" aria-label=${words.choose(number)} checked=${chosen} onChange=${onChoose} /></td>
    <th scope="row" class="cell-number"><${Link} href=${`${at}/${number}`} aria-label=${texts.envelope(number)}>${number}<//></th>
    ${cell("name", name ?? html`<span class="no">${words.nameless}</span>`, name)}
    <td class="cell-state" data-label=${words.columns.state}><${Standing} envelope=${envelope} game=${game} /></td>
    ${cell("joined", when(envelope.joined), envelope.joined)}
    ${cell(
      "claimed",
      html`${when(envelope.claimed)}${isLate(envelope, game) && html` <mark class="tag-void"><${Icon} name="clock" />${words.late}</mark>`}`,
      envelope.claimed,
    )}
    ${cell("received", when(envelope.received), envelope.received)}
  </tr>`;
}

// Whether an envelope's cards live, in words.
export function Standing({ envelope, game }) {
  const words = texts.envelopes.standing;
  const before = game.state === "printed";
  const name = envelope.opened ? "open" : before && !envelope.spare ? "waiting" : envelope.spare ? "spare" : "sealed";
  return html`<span class=${`standing standing-${name}`}>${words[name]}</span>`;
}

// Which envelopes are wanted, and how one stands.

const IS = {
  all: () => true,
  open: ({ opened }) => Boolean(opened),
  sealed: ({ opened }) => !opened,
  joined: ({ joined }) => Boolean(joined),
  absent: ({ opened, joined }) => Boolean(opened) && !joined,
  claimed: ({ claimed }) => Boolean(claimed),
  received: ({ received }) => Boolean(received),
  missing: ({ opened, received }) => Boolean(opened) && !received,
  late: (envelope, game) => isLate(envelope, game),
};

export const FILTERS = Object.keys(IS);

export const fits = (filter, envelope, game) => IS[filter](envelope, game);

// Handed in by phone after the end.
const isLate = ({ claimed }, { closed }) => Boolean(claimed && closed) && new Date(claimed) >= new Date(closed);

// Whether an envelope's number, or its name, begins as somebody types.
export function matches(look, { number, name }) {
  const text = look.trim().toLowerCase();
  if (!text) return true;
  if (/^\d+$/.test(text)) return String(number).startsWith(String(Number(text)));
  return (name ?? "").toLowerCase().includes(text);
}
