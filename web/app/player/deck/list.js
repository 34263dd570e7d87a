import { html } from "htm/preact";
import { CardList } from "../../shared/card-list.js";
import { moment } from "../../shared/times.js";
import { texts } from "../../shared/texts.js";
import { usePlace } from "../place.js";

// The deck by kind: what the player looks at before saying yes.
export function List({ deck, kinds, sending, reading, waits }) {
  const { me } = usePlace();
  const cards = Object.fromEntries(deck.kinds.map(({ kind, count }) => [kind, count]));
  const words = texts.deck;
  const growing = reading > 0 || Boolean(sending);
  return html`<div class=${`list ${growing ? "list-growing" : ""}`} aria-busy=${growing}>
    ${deck.total > 0 && html`<${CardList} cards=${cards} kinds=${kinds} />`}
    ${deck.confirmed && html`<p class="list-note">${words.confirmed(moment(deck.confirmed, me.game.timezone))}</p>`}
    ${deck.confirmed && deck.counted !== null && deck.counted !== deck.total + deck.dead && html`<p class="list-note">${words.counted(deck.counted)}</p>`}
    ${deck.dead > 0 && html`<p class="list-note">${texts.picture.dead(deck.dead)}</p>`}
    ${sending && html`<p class="list-note">${words.sending(sending.count, sending.percent)}</p>`}
    ${reading > 0 && html`<p class="list-note">${words.reading(reading)}</p>`}
    ${waits > 0 && html`<p class="list-note">${words.waits(waits)}</p>`}
  </div>`;
}
