import { html } from "htm/preact";
import { Icon } from "../../shared/icon.js";
import { Link } from "../../shared/router.js";
import { moment } from "../../shared/times.js";
import { texts } from "../../shared/texts.js";
import { usePlace } from "../place.js";
import { handsIn, useOutbox } from "../use-outbox.js";

// The player's decks, the newest first; among them those that only this phone knows yet.
export function Decks() {
  const { seat, me } = usePlace();
  const items = useOutbox(seat.token);
  const known = new Set(me.decks.map(({ id }) => id));
  const local = [...new Map(items.filter(({ deck }) => !known.has(deck)).map((item) => [item.deck, item])).values()];
  const decks = [...me.decks, ...local.map(({ deck, at }) => ({ id: deck, state: "local", created: at, cards: null }))].reverse();
  const shown = me.provisional.mode === "off" ? decks.filter(({ state }) => state !== "open") : decks;
  if (!shown.length || (me.provisional.mode === "off" && !local.length)) return null;
  return html`<section class="decks" aria-labelledby="decks-title">
    <h2 id="decks-title">${texts.decks.title}</h2>
    <ol>
      ${shown.map(
        (deck) => html`<li key=${deck.id}>
          <${Row} deck=${deck} game=${me.game} receipt=${me.receipt} items=${items.filter((item) => item.deck === deck.id)} />
        </li>`,
      )}
    </ol>
  </section>`;
}

function Row({ deck, game, receipt, items }) {
  const words = texts.decks;
  // Beside "handed in" stands when that was, as on the receipt.
  const at = (deck.state === "handed-in" && receipt?.at) || deck.created;
  const refused = items.some(({ state }) => state === "refused");
  const waiting = items.filter(({ state, kind }) => state !== "refused" && kind === "picture").length;
  return html`<${Link} class=${`deck-row deck-row-${deck.state}`} href=${`/p/deck/${deck.id}`}>
    <span class="deck-cards" aria-hidden="true"><b>${deck.cards ?? (deck.state === "open" || deck.state === "local" ? "…" : "–")}</b></span>
    <span class="deck-words">
      <strong>${deck.cards === null ? words.unconfirmed : words.cards(deck.cards)}</strong>
      <small>${words.state[handsIn(items) ? "waits" : deck.state]} · ${moment(at, game.timezone)}</small>
      ${waiting > 0 && html`<small class="deck-note">${texts.waiting.pictures(waiting)}</small>`}
      ${refused && html`<small class="deck-note deck-refused">${words.refused}</small>`}
    </span>
    <${Icon} name="next" />
  <//>`;
}
