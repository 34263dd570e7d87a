import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../shared/dialog.js";
import { texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Notice } from "../shared/notices.js";
import { Chooser } from "../shared/photo-input.js";
import { go } from "../shared/router.js";
import { outbox } from "./offline/offline-queue.js";
import { handsIn, useOutbox, usePlace } from "./player-state.js";

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

// What handing in means, and the second, deliberate step. `cards` is the number on the list, null without a list.
function HandInSheet({ deck, cards, onClose }) {
  const { seat, me } = usePlace();
  const [item, setItem] = useState(null);
  const words = texts.handIn;
  // What follows is the page's (`useReceipt`). Until it is there, nothing more is asked here.
  const items = useOutbox(seat.token, ({ sent }) => sent?.kind === "hand-in" && onClose());
  const now = items.find(({ id }) => id === item);
  const handIn = async () => {
    const begun = await outbox.handIn({ token: seat.token, deck });
    setItem(begun.id);
    if (!navigator.onLine) {
      onClose();
      go("/");
    }
  };
  const close = () => {
    if (now?.state === "refused") outbox.drop(now.id);
    onClose();
  };
  const facts = [
    cards === null ? words.noList : cards === 1 ? words.card : words.cards(cards),
    cards !== null && words.frozen,
    words.back,
    me.game.state === "closed" && words.late,
    !navigator.onLine && words.offline,
  ].filter(Boolean);
  return html`<${Dialog} title=${words.title} onClose=${close}>
    <ul class="facts">
      ${facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
    ${now?.state === "refused" && html`<${Notice} problem=${now.problem} small />`}
    ${now && now.state !== "refused"
      ? html`<p class="hold-sent" role="status">${words.sending}</p>`
      : html`<${Hold} label=${words.hold} second=${words.again} help=${words.holdHelp} onDone=${handIn} />`}
    <button type="button" class="plain wide" onClick=${close}>${texts.cancel}</button>
  <//>`;
}

const LONG = 1200; // milliseconds that a finger has to stay
const APART = 600; // milliseconds between two taps that are meant, and no double tap

// A button for what cannot be undone: it wants to be held. Who cannot hold it, as with a keyboard or a screen reader,
// presses it twice.
function Hold({ label, second, help, onDone }) {
  const [share, setShare] = useState(0);
  const [armed, setArmed] = useState(0);
  const clock = useRef(null);
  const held = useRef(false);
  useEffect(() => () => cancelAnimationFrame(clock.current), []);

  const begin = (event) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = true;
    const from = performance.now();
    const grow = (at) => {
      const now = Math.min(1, (at - from) / LONG);
      setShare(now);
      if (now < 1) clock.current = requestAnimationFrame(grow);
      else end(true);
    };
    clock.current = requestAnimationFrame(grow);
  };
  const end = (done) => {
    cancelAnimationFrame(clock.current);
    setShare(0);
    if (done) {
      held.current = false;
      navigator.vibrate?.(60);
      onDone();
    }
  };
  const cancel = () => {
    held.current = false;
    end(false);
  };
  const press = () => {
    // A finger or a mouse has gone through begin() before; keys come here alone.
    const finger = held.current;
    held.current = false;
    if (!armed) setArmed(performance.now());
    else if (!finger || performance.now() - armed > APART) onDone();
  };
  return html`<button
      type="button"
      class="action hold"
      style=${{ "--share": share }}
      aria-describedby="hold-help"
      onPointerDown=${begin}
      onPointerUp=${() => end(false)}
      onPointerCancel=${cancel}
      onContextMenu=${(event) => event.preventDefault()}
      onClick=${press}
    >
      ${armed ? second : label}
    </button>
    <p id="hold-help" class="field-help">${help}</p>
    <p class="unseen" role="status">${armed ? second : ""}</p>`;
}

// For games in which phones tell nothing of cards: the hand-in without a list.
export function HandInOnly() {
  const [deck, setDeck] = useState(null);
  return html`<section class="hand-in-only">
    <p>${texts.handIn.onlyLead}</p>
    <button type="button" class="action" onClick=${() => setDeck(outbox.newDeck())}>${texts.handIn.only}</button>
    ${deck && html`<${HandInSheet} deck=${deck} cards=${null} onClose=${() => setDeck(null)} />`}
  </section>`;
}

// What the same file meets however often it is sent.
const OF_THE_FILE = ["not-a-picture", "too-many-bytes", "too-many-pixels", "several-pages", "truncated", "empty"];

// What the server did not take, and what to do about it.
export function Refused({ items, onLook }) {
  const drop = (item) => {
    outbox.drop(item.id);
    onLook();
  };
  return items
    .filter(({ state }) => state === "refused")
    .map(
      (item) => html`<${Notice} key=${item.id} problem=${item.problem}>
        <div class="pair">
          ${item.kind === "confirm"
            ? html`<button type="button" onClick=${() => drop(item)}>${texts.deck.lookAgain}</button>`
            : html`<button type="button" class=${hopeless(item) ? "" : "secondary"} onClick=${() => drop(item)}>${texts.deck.dropItem[item.kind]}</button>
                <button type="button" class=${hopeless(item) ? "secondary" : ""} onClick=${() => outbox.retry(item.id)}>${texts.again}</button>`}
        </div>
      <//>`,
    );
}

const hopeless = ({ problem }) => OF_THE_FILE.includes(problem.slug);
