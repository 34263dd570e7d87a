// The outbox: photos, confirmations and the hand-in, stored in the browser until the server has them. It survives restarts,
// retries by itself, and nothing counts twice, since each item's id is its Idempotency-Key.
//
// Tabs share the outbox: one of them sends at a time, and all get its events.

import { newIdempotencyKey, Problem, request, upload } from "../../shared/http";
import { language } from "../../shared/i18n";
import {
  addItem,
  allDecks,
  allItems,
  changeItem,
  forgetPlayer,
  LOCAL_PREFIX,
  mapDeck,
  movePlayer,
  removeItem,
  updateCache,
} from "./storage";

const CHANNEL = "haggle-outbox";
const SLOW_UPLOAD = 20_000; // milliseconds after which an upload counts as slow
const FIRST_RETRY_DELAY = 2000;
const MAX_RETRY_DELAY = 60_000;

const channel = new BroadcastChannel(CHANNEL);
const listeners = new Set();
const progress = new Map(); // of items that are being sent: { share, since }, by id
const controllers = new Map(); // AbortControllers of items that this tab is sending, by id
const deckRetryAt = new Map(); // by deck: when it may be tried again
let items = [];
let decks = new Map();
let started = null;
let retryDelay = FIRST_RETRY_DELAY;
let retryAt = 0; // no try before: the network has just failed
let heldUntil = 0; // no try before: the server said so
let timer;
let sending = false;
let sendAgain = false;

export const outbox = {
  // Load the items and send them. Calling it again has no effect.
  start,

  // Queue a photo of a deck; without `deck`, of a new one. Resolves to the item.
  addPhoto: ({ token, deck, file }) => add({ kind: "picture", token, deck: deck || outbox.newDeck(), file }),
  confirm: ({ token, deck, digest, counted }) => add({ kind: "confirm", token, deck, digest, counted }),
  handIn: ({ token, deck }) => add({ kind: "hand-in", token, deck }),

  // Return a local id for a deck, which the server creates with the first item sent for it.
  newDeck: () => LOCAL_PREFIX + newIdempotencyKey(),
  // Return the server's id of a deck, undefined while it has none.
  deckOf: (deck) => (deck.startsWith(LOCAL_PREFIX) ? decks.get(deck) : deck),

  // Return the items of a player, or of all players without a token, oldest first.
  items: (token) => items.filter((item) => !token || item.token === token).map(toPublicItem),

  // Call `listener` with every change until the returned function is called: { sent: { id, kind, deck, answer } } for an item
  // that the server has, { mapped: local, deck } for a deck that got its id, or others.
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  // Send a rejected item again; without an id, everything that waits.
  async retry(id) {
    const item = items.find((one) => one.id === id);
    if (item) await changeItem(item.place, { refused: null });
    deckRetryAt.clear();
    await changed();
    sendSoon();
  },

  // Remove an item. It may still arrive if it is being sent.
  drop: (id) => dropAll((item) => item.id === id),
  // Remove all items of a deleted deck.
  dropDeck: ({ token, deck }) => dropAll((item) => item.token === token && (outbox.deckOf(item.deck) ?? item.deck) === deck),

  // Remove everything of a player whose envelope is removed from this phone.
  async forget(token) {
    await dropAll((item) => item.token === token);
    await forgetPlayer(token);
    await changed();
  },

  // Send a player's items with a new token that replaces the previous one.
  async move(from, to) {
    await start();
    const theirs = items.filter((item) => item.token === from);
    await movePlayer(from, to);
    await forgetPlayer(from);
    for (const { id } of theirs) stopItem(id);
    await changed();
    sendSoon();
  },
};

function start() {
  started ??= initialize();
  return started;
}

async function initialize() {
  channel.onmessage = ({ data }) => handleMessage(data);
  addEventListener("online", sendSoon);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && sendSoon());
  addEventListener("pageshow", ({ persisted }) => persisted && changed().then(sendSoon));
  await load();
  notify({});
  send();
}

async function add(what) {
  await start();
  const item = await addItem({ ...what, id: newIdempotencyKey(), at: new Date().toISOString(), refused: null });
  await changed();
  sendSoon();
  return toPublicItem(item);
}

async function dropAll(matches) {
  await start();
  for (const { id, place } of items.filter(matches)) {
    await removeItem(place);
    stopItem(id);
  }
  await changed();
  sendSoon();
}

// Stop sending an item, in whichever tab.
function stopItem(id) {
  controllers.get(id)?.abort();
  channel.postMessage({ stopped: id });
}

async function load() {
  const [nowItems, nowDecks] = await Promise.all([allItems(), allDecks()]);
  items = nowItems;
  decks = new Map(nowDecks.map(({ local, id }) => [local, id]));
}

// Reload the items and notify this tab and the others.
async function changed(change = {}) {
  await load();
  notify(change);
  channel.postMessage(change);
}

function notify(change) {
  for (const listener of [...listeners]) listener(change);
}

// Handle a message of another tab.
async function handleMessage(change) {
  if (change.stopped) controllers.get(change.stopped)?.abort();
  if (change.sending) {
    keepWaiting();
    noteProgress(change);
  } else {
    await load();
  }
  if (change.idle) progress.clear();
  if (change.due) retryAt = Math.max(retryAt, change.due);
  notify(change);
  // If the sending tab is closed, this one goes on.
  if (items.some((item) => !item.refused)) send();
}

function noteProgress({ sending, progress: share }) {
  const before = progress.get(sending);
  progress.set(sending, { share, since: before?.since ?? Date.now() });
  if (!before) setTimeout(notify, SLOW_UPLOAD, {});
}

function toPublicItem({ id, kind, deck, file, at, refused, unkept = false }) {
  const sending = progress.has(id);
  return {
    id,
    kind,
    deck: outbox.deckOf(deck) ?? deck,
    state: refused ? "refused" : sending ? "sending" : "waiting",
    progress: progress.get(id)?.share ?? 0,
    slow: sending && Date.now() - progress.get(id).since >= SLOW_UPLOAD,
    problem: refused ? new Problem(refused.slug, refused) : null,
    file,
    at,
    unkept, // not stored, for lack of space: lost with the page
  };
}

// Send soon, since something has changed, but not before a time that the server has set.
function sendSoon() {
  retryAt = 0;
  retryDelay = FIRST_RETRY_DELAY;
  sendAgain = sending;
  send();
}

async function send() {
  if (sending) return;
  const first = Math.max(retryAt, heldUntil);
  if (first > Date.now()) return sleepUntil(first);
  sending = true;
  do {
    sendAgain = false;
    await withSendLock(sendNow).catch(() => (retryAt = Date.now() + retryDelay));
  } while (sendAgain && !retryAt && heldUntil <= Date.now());
  sending = false;
  const waiting = items.filter((item) => !item.refused);
  if (waiting.length) {
    requestPersistence();
    sleepUntil(Math.max(retryAt, heldUntil) || Math.min(...deckRetryAt.values(), Date.now() + MAX_RETRY_DELAY));
  }
}

async function sendNow() {
  progress.clear();
  for (const [deck, time] of deckRetryAt) if (time <= Date.now()) deckRetryAt.delete(deck);
  const step = async (change) => {
    if (change.sending) {
      noteProgress(change);
      notify(change);
      channel.postMessage(change);
      return;
    }
    await changed(change);
    // Keep the progress until the item is gone, so that it does not seem to start again.
    progress.delete(change.sent?.id ?? change.refused);
  };
  const problem = await sendAll({
    onStep: step,
    signalFor: (id) => controllers.set(id, new AbortController()).get(id).signal,
    isDelayed: (deck) => (deckRetryAt.get(deck) ?? 0) > Date.now(),
    delayDeck: (deck, seconds) => deckRetryAt.set(deck, Date.now() + seconds * 1000),
  });
  controllers.clear();
  progress.clear();
  if (problem) {
    retryAt = Date.now() + retryDelay * (0.75 + Math.random() / 2);
    heldUntil = problem.wait ? Date.now() + problem.wait * 1000 : 0;
    retryDelay = Math.min(MAX_RETRY_DELAY, retryDelay * 2);
  } else {
    retryDelay = FIRST_RETRY_DELAY;
    retryAt = heldUntil = 0;
  }
  await changed({ idle: true, due: retryAt, problem: problem?.slug });
}

function sleepUntil(time) {
  clearTimeout(timer);
  timer = setTimeout(send, Math.max(250, time - Date.now()));
}

// Ask browsers, once, not to delete what is stored here.
let persistenceRequested = false;
function requestPersistence() {
  if (persistenceRequested) return;
  persistenceRequested = true;
  navigator.storage?.persist?.().catch(() => {});
}

const DECKS = "/api/v1/me/decks";
const DECK_RETRY_DELAY = 30; // seconds before another try after an error of the server, if it does not name any

// Send all items, one at a time and in order. `onStep` gets each step:
//   { sending: id, progress }, { sent: { id, kind, deck, answer } }, { refused: id }, { mapped: local, deck }
// `signalFor(id)` returns a signal that stops an item. `delayDeck(deck, seconds)` is called for a deck that has to wait, and `isDelayed(deck)`
// returns true while it has to. Returns the problem that ended it, such as no network, or null.
async function sendAll({ onStep, signalFor, isDelayed, delayDeck }) {
  for (;;) {
    const items = await allItems();
    const next = items.find((item) => !item.refused && !isDelayed(deckKey(item)));
    if (!next) return null;
    const held =
      next.kind === "hand-in" && items.find((item) => item.refused && item.kind === "confirm" && deckKey(item) === deckKey(next));
    const problem = held ? { slug: "confirm-first", status: 409, passing: false } : await sendOne(next, { onStep, signalFor });
    if (!problem) continue;
    if (!problem.passing && !problem.wait) {
      await changeItem(next.place, { refused: storedProblem(problem) });
      onStep({ refused: next.id });
    } else if (concernsOneDeck(problem)) {
      delayDeck(deckKey(next), problem.wait || DECK_RETRY_DELAY);
    } else {
      return problem;
    }
  }
}

// Return true if other decks may have more success: a list that is not complete yet, or an error of the server.
const concernsOneDeck = ({ status }) => status === 409 || status === 500;

async function sendOne(item, { onStep, signalFor }) {
  onStep({ sending: item.id, progress: 0 });
  try {
    const signal = signalFor(item.id);
    const deck = await ensureDeck(item, { onStep, signal });
    const answer = await postItem(item, deck, { onStep, signal });
    if (item.kind === "picture") await cachePhoto(item.token, deck, answer);
    await removeItem(item.place);
    onStep({ sent: { id: item.id, kind: item.kind, deck, answer } });
    return null;
  } catch (problem) {
    if (problem.name === "AbortError") return null;
    if (problem.slug) return problem;
    throw problem;
  }
}

// Return the server's id of an item's deck, which is created first if it is local. The local id is the Idempotency-Key.
async function ensureDeck({ deck, token }, { onStep, signal }) {
  if (!deck.startsWith(LOCAL_PREFIX)) return deck;
  const known = (await allDecks()).find((one) => one.local === deck);
  if (known) return known.id;
  const made = await request(DECKS, { method: "POST", token, key: deck, signal });
  signal.throwIfAborted();
  await mapDeck(deck, token, made.id);
  await cacheDeck(token, made);
  onStep({ mapped: deck, deck: made.id });
  return made.id;
}

function postItem({ id, kind, token, file, digest, counted }, deck, { onStep, signal }) {
  const at = `${DECKS}/${deck}`;
  if (kind === "picture") {
    return upload(`${at}/photos`, file, { token, key: id, signal, onProgress: (progress) => onStep({ sending: id, progress }) });
  }
  const more = { method: "POST", token, key: id, signal };
  return kind === "confirm"
    ? request(`${at}/confirm?language=${language()}`, { ...more, body: { digest, counted } })
    : request(`${at}/hand-in`, more);
}

const deckKey = ({ token, deck }) => `${token} ${deck}`;
const storedProblem = ({ slug, status, title, detail, body }) => ({ slug, status, title, detail, body });

const LOCK_NAME = "haggle-outbox";
const LEASE_TIME = 20_000; // milliseconds; the sending tab renews it
const LOCK_TIMEOUT = 180_000; // milliseconds without a message after which the sending tab counts as dead

let extendWait = () => {};

// Extend the time to wait for the sending tab, which has just sent a message.
const keepWaiting = () => extendWait();

// Run `work` while no other tab does. Browsers have the Web Locks API only over HTTPS.
async function withSendLock(work) {
  if (!navigator.locks) return withLease(work);
  const aborter = new AbortController();
  let timer;
  extendWait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => aborter.abort(), LOCK_TIMEOUT);
  };
  extendWait();
  try {
    await navigator.locks.request(LOCK_NAME, { signal: aborter.signal }, () => {
      stopWaiting(timer);
      return work();
    });
  } catch (error) {
    stopWaiting(timer);
    if (!aborter.signal.aborted) throw error;
    await navigator.locks.request(LOCK_NAME, { steal: true }, work);
  }
}

function stopWaiting(timer) {
  clearTimeout(timer);
  extendWait = () => {};
}

const tabId = newIdempotencyKey();

// The same with a lease in localStorage. If two tabs should hold it at once, the Idempotency-Keys still prevent doubles.
async function withLease(work) {
  try {
    while (!(await takeLease())) await delay(1000);
  } catch {
    return work(); // without storage
  }
  const timer = setInterval(renewLease, LEASE_TIME / 4);
  addEventListener("pagehide", releaseLease);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    removeEventListener("pagehide", releaseLease);
    releaseLease();
  }
}

async function takeLease() {
  if (isLeasedToOther()) return false;
  renewLease();
  // Another tab may have written at the same moment: the later one wins.
  await delay(50 + Math.random() * 50);
  return !isLeasedToOther();
}

function isLeasedToOther() {
  const [owner, until] = (localStorage.getItem(LOCK_NAME) ?? "").split(" ");
  const left = Number(until) - Date.now();
  return owner !== tabId && left > 0 && left <= LEASE_TIME;
}

const renewLease = () => isLeasedToOther() || localStorage.setItem(LOCK_NAME, `${tabId} ${Date.now() + LEASE_TIME}`);
const releaseLease = () => isLeasedToOther() || localStorage.removeItem(LOCK_NAME);
const delay = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Update the cached decks with what the server has just accepted, so that nothing seems lost if the network fails now.

const UNCONFIRMED = { confirmed: null, digest: null };
const NEW_DECK = { ...UNCONFIRMED, state: "open", photos: [], kinds: [], cards: [], total: 0, pending: 0, ahead: 0, dead: 0 };

// Return a deck with a new photo that is still to be read. `deck` is the cached one, or null.
export function withPhoto(deck, photo, id) {
  const before = deck ?? { ...NEW_DECK, id };
  if (before.photos.some((other) => other.id === photo.id)) return before;
  return { ...before, photos: [...before.photos, photo], pending: before.pending + 1 };
}

// Add a new deck to the cache.
const cacheDeck = (token, { id, created }) =>
  updateCache(`me ${token}`, (me) => {
    if (!me || me.decks.some((other) => other.id === id)) return null;
    return { ...me, decks: [...me.decks, { ...UNCONFIRMED, id, created, state: "open", cards: null }] };
  });

// Add a new photo to the cache.
const cachePhoto = (token, id, photo) => updateCache(`deck ${token} ${id}`, (deck) => withPhoto(deck, photo, id));
