import { html } from "htm/preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { kindsOf } from "../shared/cards.js";
import { Dialog } from "../shared/dialog.js";
import { Problem } from "../shared/http.js";
import { moment, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Notice, Skeleton } from "../shared/notices.js";
import { Link, View, go } from "../shared/router.js";
import { CardList } from "./breakdown.js";
import { Picture, Upload } from "./deck-photo.js";
import { Finish, Refused } from "./hand-in.js";
import { outbox, withPicture } from "./offline/offline-queue.js";
import { TakePictures } from "./photo-upload.js";
import { dropDeck, readDeck, useFresh, useOffline, useOutbox, usePlace, useReceipt, useStuck } from "./player-state.js";
import { Provisional } from "./provisional-score.js";

const NOTHING = { state: "open", photos: [], kinds: [], total: 0, pending: 0, ahead: 0, dead: 0, digest: null };
const QUEUE = 10_000; // milliseconds between two looks at how many pictures of others come first

// One deck, from its first picture to the hand-in. `id` may be one that only this phone knows yet.
export function Deck({ id }) {
  const { seat, me } = usePlace();
  const real = outbox.deckOf(id);
  const { data, problem, again, put } = useFresh((token, signal) => (real ? readDeck(token, real, signal) : Promise.resolve(NOTHING)), real ?? id);
  const [sent, setSent] = useState({});
  const [settled, setSettled] = useState(false);
  const all = useOutbox(seat.token, (change) => {
    const arrived = change.sent;
    if (!arrived || arrived.deck !== outbox.deckOf(id)) return;
    // The picture that was sent goes on standing where it stood, now as the server's.
    if (arrived.kind === "picture") {
      setSent((before) => ({ ...before, [arrived.answer.id]: arrived.id }));
      put((before) => withPicture(before, arrived.answer, arrived.deck));
    }
    if (arrived.kind === "confirm") put(arrived.answer);
    else again();
  });
  useReceipt();
  const offline = useOffline();
  const ready = useStarted();
  const queued = Boolean(data?.ahead);
  useEffect(() => {
    // What others' pictures do is told to nobody else.
    const clock = queued && setInterval(again, QUEUE);
    return () => clearInterval(clock);
  }, [queued, again]);
  useEffect(() => {
    // The deck's own address, to come back to; the screen stays as it is.
    if (real && real !== id) history.replaceState(null, "", `/p/deck/${real}`);
  }, [real]);
  const items = all.filter(({ deck }) => deck === (real ?? id));
  const uploads = items.filter(({ kind, state }) => kind === "picture" && state !== "refused");
  const underway = useSending(uploads, Object.values(sent));
  const kinds = useMemo(() => kindsOf({ kinds: (data?.kinds ?? []).map((kind) => ({ ...kind, slug: kind.kind })) }), [data]);

  if (!me) return html`<${Skeleton} rows=${4} />`;
  if (me.provisional.mode === "off" && data?.state === "open") return html`<${Off} />`;
  if (problem?.slug === "not-found" || (ready && !real && !items.length)) return html`<${Missing} items=${items} onLook=${again} />`;
  if (!data) return problem ? html`<${Notice} problem=${problem} onAgain=${again} />` : html`<${Skeleton} />`;
  const sending = offline ? null : underway;
  const waits = sending ? 0 : uploads.length;
  const reading = data.pending;
  // What is sent or waits is said above, as on every screen.
  const told = reading ? texts.deck.reading(reading) : sending || waits ? "" : texts.deck.found(data.total);
  const open = data.state === "open";
  const asks = data.state === "confirmed" && me.game.state === "open" && !me.receipt && me.provisional.mode !== "off";
  // What stands below the score comes after it, so that nothing moves under a finger.
  const quiet = !asks || settled;
  return html`<${View} title=${titleOf(data, { sending, reading, waits })} name=${`deck deck-${data.state}`}>
    <p class="back"><${Link} href="/"><${Icon} name="back" />${texts.deck.back}<//></p>
    <p class="unseen" role="status">${told}</p>
    <${Refused} items=${items.filter(({ kind }) => kind === "picture")} onLook=${again} />
    ${data.state === "handed-in" && html`<p class="lead">${texts.deck.handedIn}</p>`}
    <div class="deck-columns">
      <div class="deck-pictures">
        <${Pictures} deck=${data} id=${real ?? id} kinds=${kinds} items=${items} sent=${sent} onChange=${again} />
      </div>
      <div class="deck-list">
        <${List} deck=${data} kinds=${kinds} sending=${sending} reading=${reading} waits=${waits} />
        <${Finish} deck=${data} items=${items} reading=${reading} waits=${uploads.length} onLook=${again} />
        ${asks && html`<${Provisional} deck=${data} onSettled=${() => setSettled(true)} />`}
        ${quiet && !open && data.state !== "handed-in" && !me.receipt && html`<p class="aside">${texts.deck.otherList}</p>`}
        ${quiet && data.state !== "handed-in" && html`<${Drop} deck=${real ?? id} local=${!real} />`}
      </div>
    </div>
  <//>`;
}

// Whether it is known what waits on this phone.
function useStarted() {
  const [started, setStarted] = useState(false);
  useEffect(() => {
    outbox.start().then(() => setStarted(true));
  }, []);
  return started;
}

function titleOf(deck, { sending, reading, waits }) {
  if (deck.total) return texts.deck.found(deck.total);
  if (sending) return texts.deck.sendingTitle;
  if (reading) return texts.deck.readingTitle;
  if (waits) return texts.deck.waitingTitle;
  return deck.photos.length ? texts.deck.nothing : texts.deck.empty;
}

// What phones tell of cards was switched off while this deck lay open.
function Off() {
  return html`<${View} title=${texts.deck.empty} name="deck-off">
    <${Notice} problem=${new Problem("off")} />
    <p><${Link} href="/">${texts.deck.back}<//></p>
  <//>`;
}

function Missing({ items, onLook }) {
  return html`<${View} title=${texts.deck.gone} name="deck-gone">
    <p>${texts.deck.goneDetail}</p>
    <${Refused} items=${items} onLook=${onLook} />
    <p><${Link} href="/">${texts.deck.back}<//></p>
  <//>`;
}

// The deck by kind: what the player looks at before saying yes.
function List({ deck, kinds, sending, reading, waits }) {
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

// The pictures of a deck: those that are on the server, then those on their way there; and more may be added.
function Pictures({ deck, id, kinds, items, sent, onChange }) {
  const { me } = usePlace();
  const open = deck.state === "open" && ["open", "closed"].includes(me.game.state) && !me.receipt;
  const uploads = items.filter(({ kind, state }) => kind === "picture" && state !== "refused");
  return html`
    ${deck.photos.map(
      (photo, at) => html`<${Picture} key=${photo.id} number=${at + 1} photo=${photo} deck=${id} kinds=${kinds} item=${sent[photo.id]} open=${open} onChange=${onChange} />`,
    )}
    ${uploads.map((item, at) => html`<${Upload} key=${item.id} number=${deck.photos.length + at + 1} item=${item} />`)}
    ${open && !(deck.photos.length || uploads.length) && html`<p class="lead">${texts.deck.first}</p>`}
    ${open && html`<${TakePictures} deck=${id} more=${deck.photos.length + uploads.length > 0} first />`}
  `;
}

// How many pictures of a deck are on their way to the server, and how much of them is there; null while none is being sent.
// `arrived` are the ids of those that are there: they go on counting until none is left, so that the share only grows.
function useSending(uploads, arrived) {
  const seen = useRef(new Set());
  if (!uploads.length) seen.current.clear();
  for (const { id } of uploads) seen.current.add(id);
  const stuck = useStuck(uploads);
  if (!uploads.length || stuck) return null;
  const there = arrived.filter((id) => seen.current.has(id)).length;
  const count = there + uploads.length;
  const share = uploads.reduce((sum, { progress }) => sum + progress, there) / count;
  return { count, percent: Math.round(share * 100) };
}

// Throw a deck away, with its pictures and what waits for it; `local` is one that the server does not know yet.
function Drop({ deck, local }) {
  const { seat, again } = usePlace();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState(null);
  const words = texts.deck;
  const drop = async () => {
    try {
      if (!local) await dropDeck(seat.token, deck);
      await outbox.dropDeck({ token: seat.token, deck });
      if (!local) await again();
      go("/");
    } catch (error) {
      setProblem(error);
    }
  };
  return html`<p class="deck-drop"><button type="button" class="plain" onClick=${() => setAsking(true)}>${words.drop}</button></p>
    ${asking &&
    html`<${Dialog} title=${words.dropTitle} onClose=${() => setAsking(false)}>
      <p>${words.dropDetail}</p>
      ${problem && html`<${Notice} problem=${problem} small />`}
      <div class="pair">
        <button type="button" class="secondary" onClick=${() => setAsking(false)}>${texts.cancel}</button>
        <button type="button" onClick=${drop}>${words.dropYes}</button>
      </div>
    <//>`}`;
}
