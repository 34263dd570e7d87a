import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Icon } from "../../shared/icon.js";
import { texts } from "../../shared/texts.js";
import { HandInSheet } from "../hand-in/sheet.js";
import { outbox } from "../outbox/outbox.js";
import { usePlace } from "../place.js";
import { handsIn } from "../use-outbox.js";
import { Refused } from "./refused.js";

// A yes or a hand-in that the server did not take.
const isRefused = ({ kind, state }) => kind !== "picture" && state === "refused";

// The next step for a deck: the player's yes to its list, then the hand-in. What stops it is said in words. `waits` are the
// pictures that are not on the server yet.
export function Finish({ deck, items, reading, waits, onLook }) {
  const { me } = usePlace();
  if (me.receipt || !["open", "closed"].includes(me.game.state)) return null;
  if (items.some(isRefused)) return html`<div class="deck-bar"><${Refused} items=${items.filter(isRefused)} onLook=${onLook} /></div>`;
  if (deck.state === "open") return html`<${Confirm} deck=${deck} items=${items} reading=${reading} waits=${waits} />`;
  if (deck.state === "confirmed") return html`<${HandIn} deck=${deck} items=${items} />`;
  return null;
}

function Confirm({ deck, items, reading, waits }) {
  const { seat } = usePlace();
  const words = texts.deck;
  const sent = items.find(({ kind, state }) => kind === "confirm" && state !== "refused");
  const stop = sent
    ? words.confirming
    : waits
      ? words.confirmWaiting
      : reading
        ? words.confirmReading(deck.ahead)
        : deck.other_label
          ? words.confirmLabel
          : deck.total
            ? null
            : deck.photos.length > 0 && words.confirmNothing;
  if (!deck.total && !stop) return null;
  // Each list has a button of its own: a finger that came down on one list's yes does not say yes to the next.
  const confirm = () => outbox.confirm({ token: seat.token, deck: deck.id, digest: deck.digest });
  return html`<div class="deck-bar">
    ${deck.total > 0 &&
    html`<button type="button" class="action" key=${deck.digest} disabled=${Boolean(stop)} aria-describedby="confirm-help" onClick=${confirm}><${Icon} name="check" />${words.confirm(deck.total)}</button>`}
    <p id="confirm-help" class="field-help">${stop || words.confirmHelp}</p>
  </div>`;
}

function HandIn({ deck, items }) {
  const { me } = usePlace();
  const [asking, setAsking] = useState(false);
  const words = texts.deck;
  const sent = handsIn(items);
  return html`<div class="deck-end">
    <button type="button" class=${me.game.state === "open" ? "action secondary" : "action"} disabled=${sent} onClick=${() => setAsking(true)}><${Icon} name="envelope" />${words.handIn}</button>
    <p class="field-help">${sent ? words.handInWaits : words.handInHelp}</p>
    ${asking && html`<${HandInSheet} deck=${deck.id} cards=${deck.total} onClose=${() => setAsking(false)} />`}
  </div>`;
}
