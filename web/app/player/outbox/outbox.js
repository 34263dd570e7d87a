// What players send, kept until it is on the server: pictures, confirmations, the hand-in. It survives a restart, goes by
// itself when there is network, and counts once however often it is sent: each thing's id is its Idempotency-Key.
//
// Several tabs share it. One of them sends at a time, and all hear what it does.

import { Problem, freshKey } from "../../shared/ask.js";
import { alone, noteAlive } from "./alone.js";
import { sendAll } from "./sender.js";
import { LOCAL, addItem, allDecks, allItems, changeItem, forgetPlayer, movePlayer, removeItem } from "./store.js";

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
