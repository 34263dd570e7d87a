// What players send, kept until it is on the server: pictures, confirmations, the hand-in. It survives a restart, goes by
// itself when there is network, and counts once however often it is sent: each thing's id is its Idempotency-Key.
//
// Several tabs share it. One of them sends at a time, and all hear what it does.

import { Problem, ask, freshKey, upload } from "../../shared/http.js";
import { language } from "../../shared/i18n.js";
import { LOCAL, addItem, allDecks, allItems, amend, changeItem, forgetPlayer, mapDeck, movePlayer, removeItem } from "./storage.js";

const CHANNEL = "haggle-outbox";
const SLOW = 20_000; // milliseconds after which it is told that the network is slow
const FIRST_PAUSE = 2000;
const LONGEST_PAUSE = 60_000;

const others = new BroadcastChannel(CHANNEL);
const listeners = new Set();
const progress = new Map(); // by item, while it is sent: { share, since }
const stops = new Map(); // by item, while this tab sends it
const waits = new Map(); // by deck: when it may be tried again
let items = [];
let decks = new Map();
let ready = null;
let pause = FIRST_PAUSE;
let due = 0; // no try before: the network failed a moment ago
let held = 0; // no try before: the server has said so
let clock;
let asking = false;
let again = false;

export const outbox = {
  // Begin: read what waits and send it. Again does no harm.
  start,

  // Send a picture of a deck. Without `deck` it begins a new one; the answer tells its local id.
  addPicture: ({ token, deck, file }) => add({ kind: "picture", token, deck: deck || outbox.newDeck(), file }),
  confirm: ({ token, deck, digest, counted }) => add({ kind: "confirm", token, deck, digest, counted }),
  handIn: ({ token, deck }) => add({ kind: "hand-in", token, deck }),

  // An id for a deck that the server makes with the first thing that is sent for it.
  newDeck: () => LOCAL + freshKey(),
  // The server's id of a deck, undefined while it has none.
  deckOf: (deck) => (deck.startsWith(LOCAL) ? decks.get(deck) : deck),

  // What waits for a player, the oldest first; all players' without a token.
  items: (token) => items.filter((item) => !token || item.token === token).map(shown),

  // Hear of every change, until the returned function is called. `change` is { sent: { id, kind, deck, answer } } where
  // something has arrived, { mapped: local, deck } where a deck got its id, else another or none.
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  // Send something again that was refused; or everything at once that waits, without an id.
  async retry(id) {
    const item = items.find((one) => one.id === id);
    if (item) await changeItem(item.place, { refused: null });
    waits.clear();
    await changed();
    hurry();
  },

  // Forget something. What is already on its way may arrive all the same.
  drop: (id) => dropAll((item) => item.id === id),
  // Forget all that waits for a deck, which was thrown away.
  dropDeck: ({ token, deck }) => dropAll((item) => item.token === token && (outbox.deckOf(item.deck) ?? item.deck) === deck),

  // Forget all of a player, as of one whose envelope is taken off this phone.
  async forget(token) {
    await dropAll((item) => item.token === token);
    await forgetPlayer(token);
    await changed();
  },

  // Send what waits for a player by a new link, which has taken the place of the one before.
  async move(from, to) {
    await start();
    const theirs = items.filter((item) => item.token === from);
    await movePlayer(from, to);
    await forgetPlayer(from);
    for (const { id } of theirs) stop(id);
    await changed();
    hurry();
  },
};

function start() {
  ready ??= begin();
  return ready;
}

async function begin() {
  others.onmessage = ({ data }) => hear(data);
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && hurry());
  addEventListener("pageshow", ({ persisted }) => persisted && changed().then(hurry));
  await load();
  tell({});
  send();
}

async function add(what) {
  await start();
  const item = await addItem({ ...what, id: freshKey(), at: new Date().toISOString(), refused: null });
  await changed();
  hurry();
  return shown(item);
}

async function dropAll(isMeant) {
  await start();
  for (const { id, place } of items.filter(isMeant)) {
    await removeItem(place);
    stop(id);
  }
  await changed();
  hurry();
}

// End the sending of something, in whichever tab.
function stop(id) {
  stops.get(id)?.abort();
  others.postMessage({ stopped: id });
}

async function load() {
  const [nowItems, nowDecks] = await Promise.all([allItems(), allDecks()]);
  items = nowItems;
  decks = new Map(nowDecks.map(({ local, id }) => [local, id]));
}

// Read anew and say so, here and in the other tabs.
async function changed(change = {}) {
  await load();
  tell(change);
  others.postMessage(change);
}

function tell(change) {
  for (const listener of [...listeners]) listener(change);
}

// What another tab has done.
async function hear(change) {
  if (change.stopped) stops.get(change.stopped)?.abort();
  if (change.sending) {
    noteAlive();
    note(change);
  } else {
    await load();
  }
  if (change.idle) progress.clear();
  if (change.due) due = Math.max(due, change.due);
  tell(change);
  // Should the tab that sends be closed, this one goes on.
  if (items.some((item) => !item.refused)) send();
}

function note({ sending, progress: share }) {
  const before = progress.get(sending);
  progress.set(sending, { share, since: before?.since ?? Date.now() });
  if (!before) setTimeout(tell, SLOW, {});
}

function shown({ id, kind, deck, file, at, refused, unkept = false }) {
  const sending = progress.has(id);
  return {
    id,
    kind,
    deck: outbox.deckOf(deck) ?? deck,
    state: refused ? "refused" : sending ? "sending" : "waiting",
    progress: progress.get(id)?.share ?? 0,
    slow: sending && Date.now() - progress.get(id).since >= SLOW,
    problem: refused ? new Problem(refused.slug, refused) : null,
    file,
    at,
    unkept, // the browser had no room: it is lost with the page
  };
}

// Try now, since something has changed; but not before the time that the server has named.
function hurry() {
  due = 0;
  pause = FIRST_PAUSE;
  again = asking;
  send();
}

async function send() {
  if (asking) return;
  const first = Math.max(due, held);
  if (first > Date.now()) return sleepUntil(first);
  asking = true;
  do {
    again = false;
    await alone(sendNow).catch(() => (due = Date.now() + pause));
  } while (again && !due && held <= Date.now());
  asking = false;
  const waiting = items.filter((item) => !item.refused);
  if (waiting.length) {
    askToStay();
    sleepUntil(Math.max(due, held) || Math.min(...waits.values(), Date.now() + LONGEST_PAUSE));
  }
}

async function sendNow() {
  progress.clear();
  for (const [deck, time] of waits) if (time <= Date.now()) waits.delete(deck);
  const step = async (change) => {
    if (change.sending) {
      note(change);
      tell(change);
      others.postMessage(change);
      return;
    }
    await changed(change);
    // Until then what has arrived still stands among the rest, and is not back at the start.
    progress.delete(change.sent?.id ?? change.refused);
  };
  const problem = await sendAll({
    tell: step,
    stop: (id) => stops.set(id, new AbortController()).get(id).signal,
    early: (deck) => (waits.get(deck) ?? 0) > Date.now(),
    later: (deck, seconds) => waits.set(deck, Date.now() + seconds * 1000),
  });
  stops.clear();
  progress.clear();
  if (problem) {
    due = Date.now() + pause * (0.75 + Math.random() / 2);
    held = problem.wait ? Date.now() + problem.wait * 1000 : 0;
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  } else {
    pause = FIRST_PAUSE;
    due = held = 0;
  }
  await changed({ idle: true, due, problem: problem?.slug });
}

function sleepUntil(time) {
  clearTimeout(clock);
  clock = setTimeout(send, Math.max(250, time - Date.now()));
}

// Browsers may throw away what pages keep, unless they are asked not to. Asked once, when there is something to lose.
let asked = false;
function askToStay() {
  if (asked) return;
  asked = true;
  navigator.storage?.persist?.().catch(() => {});
}

// Sends what waits, one thing at a time and in order, until nothing waits or the network fails.

const DECKS = "/api/v1/me/decks";
const PAUSE = 30; // seconds before something on which the server has failed is sent again

// Go once over all that waits. `tell` hears of each step:
//   { sending: id, progress }, { sent: { id, kind, deck, answer } }, { refused: id }, { mapped: local, deck }
// `stop(id)` returns a signal that ends the sending of an item. `later(deck, seconds)` hears that a deck has to wait, and
// `early(deck)` tells whether it has to wait still. Returns the problem that ended it, such as no network, else null.
async function sendAll({ tell, stop, early, later }) {
  for (;;) {
    const items = await allItems();
    const next = items.find((item) => !item.refused && !early(deckKey(item)));
    if (!next) return null;
    const held = next.kind === "hand-in" && items.find((item) => item.refused && item.kind === "confirm" && deckKey(item) === deckKey(next));
    const problem = held ? { slug: "confirm-first", status: 409, passing: false } : await sendOne(next, { tell, stop });
    if (!problem) continue;
    if (!problem.passing && !problem.wait) {
      await changeItem(next.place, { refused: plain(problem) });
      tell({ refused: next.id });
    } else if (isOfOne(problem)) {
      later(deckKey(next), problem.wait || PAUSE);
    } else {
      return problem;
    }
  }
}

// Whether other decks may fare better: a list that is still being read, or a mistake of the server's.
const isOfOne = ({ status }) => status === 409 || status === 500;

async function sendOne(item, { tell, stop }) {
  tell({ sending: item.id, progress: 0 });
  try {
    const signal = stop(item.id);
    const deck = await serversDeck(item, { tell, signal });
    const answer = await put(item, deck, { tell, signal });
    if (item.kind === "picture") await notePicture(item.token, deck, answer);
    await removeItem(item.place);
    tell({ sent: { id: item.id, kind: item.kind, deck, answer } });
    return null;
  } catch (problem) {
    if (problem.name === "AbortError") return null;
    if (problem.slug) return problem;
    throw problem;
  }
}

// The server's id of an item's deck, which is made there if it only exists here. Its id here is the key: it is made once.
async function serversDeck({ deck, token }, { tell, signal }) {
  if (!deck.startsWith(LOCAL)) return deck;
  const known = (await allDecks()).find((one) => one.local === deck);
  if (known) return known.id;
  const made = await ask(DECKS, { method: "POST", token, key: deck, signal });
  signal.throwIfAborted();
  await mapDeck(deck, token, made.id);
  await noteDeck(token, made);
  tell({ mapped: deck, deck: made.id });
  return made.id;
}

function put({ id, kind, token, file, digest, counted }, deck, { tell, signal }) {
  const at = `${DECKS}/${deck}`;
  if (kind === "picture") {
    return upload(`${at}/photos`, file, { token, key: id, signal, onProgress: (progress) => tell({ sending: id, progress }) });
  }
  const more = { method: "POST", token, key: id, signal };
  return kind === "confirm" ? ask(`${at}/confirm?language=${language()}`, { ...more, body: { digest, counted } }) : ask(`${at}/hand-in`, more);
}

const deckKey = ({ token, deck }) => `${token} ${deck}`;
const plain = ({ slug, status, title, detail, body }) => ({ slug, status, title, detail, body });

// Lets one tab at a time send.

const LOCK = "haggle-outbox";
const LEASE = 20_000; // milliseconds; the tab that sends renews it, and the next one need not wait longer
const PATIENCE = 180_000; // milliseconds without a sign of life after which the tab that sends is no longer waited for

let waiting = () => {};

// The tab that sends has shown that it still does.
const noteAlive = () => waiting();

// Do something while no other tab does. Browsers have locks only where the page came over https.
async function alone(work) {
  if (!navigator.locks) return leased(work);
  const patience = new AbortController();
  let clock;
  waiting = () => {
    clearTimeout(clock);
    clock = setTimeout(() => patience.abort(), PATIENCE);
  };
  waiting();
  try {
    await navigator.locks.request(LOCK, { signal: patience.signal }, () => {
      noLonger(clock);
      return work();
    });
  } catch (error) {
    noLonger(clock);
    if (!patience.signal.aborted) throw error;
    await navigator.locks.request(LOCK, { steal: true }, work);
  }
}

function noLonger(clock) {
  clearTimeout(clock);
  waiting = () => {};
}

const me = freshKey();

// The same by a word in what all tabs keep in common. Should two believe to be alone after all, the keys keep order.
async function leased(work) {
  try {
    while (!(await taken())) await delay(1000);
  } catch {
    return work(); // a browser that keeps nothing
  }
  const clock = setInterval(renew, LEASE / 4);
  addEventListener("pagehide", release);
  try {
    return await work();
  } finally {
    clearInterval(clock);
    removeEventListener("pagehide", release);
    release();
  }
}

async function taken() {
  if (isOthers()) return false;
  renew();
  // Another tab may have done the same in this moment: the later one has it.
  await delay(50 + Math.random() * 50);
  return !isOthers();
}

function isOthers() {
  const [owner, until] = (localStorage.getItem(LOCK) ?? "").split(" ");
  const left = Number(until) - Date.now();
  return owner !== me && left > 0 && left <= LEASE;
}

const renew = () => isOthers() || localStorage.setItem(LOCK, `${me} ${Date.now() + LEASE}`);
const release = () => isOthers() || localStorage.removeItem(LOCK);
const delay = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// What the server has taken but not told yet stands where it will stand: else a network that breaks just then would make
// a picture that has arrived look lost.

const FRESH = { confirmed: null, digest: null };
const NOTHING = { ...FRESH, state: "open", photos: [], kinds: [], cards: [], total: 0, pending: 0, ahead: 0, dead: 0 };

// A deck with a picture that has just arrived, to be read. `deck` is what is known of it, if anything is.
export function withPicture(deck, photo, id) {
  const before = deck ?? { ...NOTHING, id };
  if (before.photos.some((other) => other.id === photo.id)) return before;
  return { ...before, photos: [...before.photos, photo], pending: before.pending + 1 };
}

// Keep that a deck was made.
const noteDeck = (token, { id, created }) =>
  amend(`me ${token}`, (me) => {
    if (!me || me.decks.some((other) => other.id === id)) return null;
    return { ...me, decks: [...me.decks, { ...FRESH, id, created, state: "open", cards: null }] };
  });

// Keep that a picture has arrived.
const notePicture = (token, id, photo) => amend(`deck ${token} ${id}`, (deck) => withPicture(deck, photo, id));
