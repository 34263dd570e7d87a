import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Chooser } from "../../shared/chooser.js";
import { Dialog } from "../../shared/dialog.js";
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
  const all = deck.total + deck.dead; // what lies on the table, whether it counts or not
  const [counted, count] = useCounted(deck.id);
  const [asking, setAsking] = useState(false);
  if (!deck.total && !stop) return null;
  const other = !stop && counted !== null && counted !== all;
  // Each list has a button of its own: a finger that came down on one list's yes does not say yes to the next.
  const confirm = () => outbox.confirm({ token: seat.token, deck: deck.id, digest: deck.digest, counted: other ? counted : all });
  const told = stop || (other ? words.differs(counted, all) : words.confirmAsk(all, deck.dead));
  return html`<div class="deck-bar">
    <p id="confirm-help" class=${other ? "deck-differs" : ""}>${told}</p>
    ${other && counted > all && html`<${Chooser} icon="camera" label=${words.rest} capture="environment" onChoose=${(file) => outbox.addPicture({ token: seat.token, deck: deck.id, file })} />`}
    ${deck.total > 0 &&
    html`<div class="deck-answers">
      <button type="button" class=${other ? "plain" : "action"} key=${deck.digest} disabled=${Boolean(stop)} aria-describedby="confirm-help" onClick=${confirm}>${other ? words.confirmAnyway(all) : html`<${Icon} name="check" />${words.confirm(all)}`}</button>
      ${!stop && html`<button type="button" class=${other ? "plain" : "action secondary"} onClick=${() => setAsking(true)}>${other ? words.recount : words.confirmNo}</button>`}
    </div>`}
    ${asking && html`<${Count} found=${all} counted=${counted} onCount=${count} onClose=${() => setAsking(false)} />`}
  </div>`;
}

// How many cards the player has in front of them.
function Count({ found, counted, onCount, onClose }) {
  const words = texts.deck;
  const send = (event) => {
    event.preventDefault();
    onCount(Number(new FormData(event.currentTarget).get("counted")));
    onClose();
  };
  return html`<${Dialog} title=${words.countTitle} onClose=${onClose}>
    <form onSubmit=${send}>
      <label>${words.countLabel(found)}<input name="counted" type="number" inputmode="numeric" min="1" max="1000" step="1" required autofocus defaultValue=${counted ?? ""} /></label>
      <button class="action">${words.countKeep}</button>
    </form>
  <//>`;
}

// The number that the player counted, null while none was typed: kept until the list is confirmed, also when the camera's own
// app has pushed this page out of the phone's memory.
function useCounted(deck) {
  const kept = `haggle-counted ${deck}`;
  const [counted, setCounted] = useState(() => Number(sessionStorage.getItem(kept)) || null);
  const count = (number) => {
    sessionStorage.setItem(kept, number);
    setCounted(number);
  };
  return [counted, count];
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
