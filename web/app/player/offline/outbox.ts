// The outbox: photos, confirmations and the hand-in, stored in the browser until the server has them. It survives restarts,
// retries by itself, and nothing counts twice, since each item's id is its Idempotency-Key.
//
// Tabs share the outbox: one of them sends at a time, and all get its events.

import type { DeckModel, DeckPhotoModel, ReceiptModel } from "../../../api";
import { newIdempotencyKey, Problem, request, upload } from "../../shared/http";
import { language } from "../../shared/i18n";
import { Backoff, problemOf, storedProblem } from "../../shared/item-store";
import { cacheDeck, cachePhoto } from "./cached-decks";
import { allDecks, forgetPlayer, type Item, LOCAL_PREFIX, mapDeck, movePlayer, items as store, type Task } from "./storage";

const CHANNEL = "haggle-outbox";
const SLOW_UPLOAD = 20_000; // milliseconds after which an upload counts as slow
const FIRST_RETRY_DELAY = 2000;
const MAX_RETRY_DELAY = 60_000;

const channel = new BroadcastChannel(CHANNEL);

// An item as pages see it.
export type OutboxItem = {
  id: string;
  kind: Task["kind"];
  deck: string;
  state: "waiting" | "sending" | "refused";
  progress: number;
  slow: boolean;
  problem: Problem | null;
  file: File | undefined;
  at: string;
  unkept: boolean;
};

// An item that the server has, with its response.
export type Sent = { id: string; deck: string } & (
  | { kind: "picture"; answer: DeckPhotoModel }
  | { kind: "confirm"; answer: DeckModel }
  | { kind: "hand-in"; answer: ReceiptModel }
);
type Sending = { sending: string; progress: number };

// A change of the outbox, for listeners and for other tabs.
export type Change = Partial<Sending> & {
  sent?: Sent;
  refused?: string;
  mapped?: string;
  deck?: string;
  idle?: boolean;
  due?: number;
  problem?: string | undefined;
  stopped?: string;
};
type Listener = (change: Change) => void;

const listeners = new Set<Listener>();
const progress = new Map<string, { share: number; since: number }>(); // of items that are being sent: { share, since }, by id
const controllers = new Map<string, AbortController>(); // AbortControllers of items that this tab is sending, by id
const deckRetryAt = new Map<string, number>(); // by deck: when it may be tried again
let items: Item[] = [];
let decks = new Map<string, string>();
let started: Promise<void> | null = null;
const backoff = new Backoff(FIRST_RETRY_DELAY, MAX_RETRY_DELAY);
let retryAt = 0; // no try before: the network has just failed
let heldUntil = 0; // no try before: the server said so
let timer: ReturnType<typeof setTimeout> | undefined;
let sending = false;
let sendAgain = false;

// The player and the deck of an item.
type Owner = { token: string; deck: string };

export const outbox = {
  // Load the items and send them. Calling it again has no effect.
  start,

  // Queue a photo of a deck; without `deck`, of a new one. Resolves to the item.
  addPhoto: ({ token, deck, file }: Owner & { file: File }) =>
    add({ kind: "picture", token, deck: deck || outbox.newDeck(), file }),
  confirm: ({ token, deck, digest, counted }: Owner & { digest: string; counted: number }) =>
    add({ kind: "confirm", token, deck, digest, counted }),
  handIn: ({ token, deck }: Owner) => add({ kind: "hand-in", token, deck }),

  // Return a local id for a deck, which the server creates with the first item sent for it.
  newDeck: (): string => LOCAL_PREFIX + newIdempotencyKey(),
  // Return the server's id of a deck, undefined while it has none.
  deckOf: (deck: string): string | undefined => (deck.startsWith(LOCAL_PREFIX) ? decks.get(deck) : deck),

  // Return the items of a player, or of all players without a token, oldest first.
  items: (token?: string): OutboxItem[] => items.filter((item) => !token || item.token === token).map(toPublicItem),

  // Call `listener` with every change until the returned function is called: { sent: { id, kind, deck, answer } } for an item
  // that the server has, { mapped: local, deck } for a deck that got its id, or others.
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },

  // Send a rejected item again; without an id, everything that waits.
  async retry(id?: string) {
    const item = items.find((one) => one.id === id);
    if (item) await store.change(item.place, { refused: null });
    deckRetryAt.clear();
    await changed();
    sendSoon();
  },

  // Remove an item. It may still arrive if it is being sent.
  drop: (id: string) => dropAll((item) => item.id === id),
  // Remove all items of a deleted deck.
  dropDeck: ({ token, deck }: Owner) =>
    dropAll((item) => item.token === token && (outbox.deckOf(item.deck) ?? item.deck) === deck),

  // Remove everything of a player whose envelope is removed from this phone.
  async forget(token: string) {
    await dropAll((item) => item.token === token);
    await forgetPlayer(token);
    await changed();
  },

  // Send a player's items with a new token that replaces the previous one.
  async move(from: string, to: string) {
    await start();
    const theirs = items.filter((item) => item.token === from);
    await movePlayer(from, to);
    await forgetPlayer(from);
    for (const { id } of theirs) stopItem(id);
    await changed();
    sendSoon();
  },
};

function start(): Promise<void> {
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

async function add(what: Task): Promise<OutboxItem> {
  await start();
  // A confirmation or a hand-in replaces the one before of the same deck.
  const same = ({ kind, token, deck }: Task) =>
    kind !== "picture" && kind === what.kind && token === what.token && deck === what.deck;
  const item = await store.add({ ...what, id: newIdempotencyKey(), at: new Date().toISOString(), refused: null }, same);
  await changed();
  sendSoon();
  return toPublicItem(item);
}

async function dropAll(matches: (item: Item) => boolean) {
  await start();
  for (const { id, place } of items.filter(matches)) {
    await store.remove(place);
    stopItem(id);
  }
  await changed();
  sendSoon();
}

// Stop sending an item, in whichever tab.
function stopItem(id: string) {
  controllers.get(id)?.abort();
  channel.postMessage({ stopped: id });
}

async function load() {
  const [nowItems, nowDecks] = await Promise.all([store.all(), allDecks()]);
  items = nowItems;
  decks = new Map(nowDecks.map(({ local, id }) => [local, id]));
}

// Reload the items and notify this tab and the others.
async function changed(change: Change = {}) {
  await load();
  notify(change);
  channel.postMessage(change);
}

function notify(change: Change) {
  for (const listener of [...listeners]) listener(change);
}

// Handle a message of another tab.
async function handleMessage(change: Change) {
  if (change.stopped) controllers.get(change.stopped)?.abort();
  if (isSending(change)) {
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

const isSending = (change: Change): change is Sending => change.sending !== undefined;

function noteProgress({ sending, progress: share }: Sending) {
  const before = progress.get(sending);
  progress.set(sending, { share, since: before?.since ?? Date.now() });
  if (!before) setTimeout(notify, SLOW_UPLOAD, {});
}

function toPublicItem(item: Item): OutboxItem {
  const { id, kind, deck, at, refused, unkept = false } = item;
  const sent = progress.get(id);
  return {
    id,
    kind,
    deck: outbox.deckOf(deck) ?? deck,
    state: refused ? "refused" : sent ? "sending" : "waiting",
    progress: sent?.share ?? 0,
    slow: sent !== undefined && Date.now() - sent.since >= SLOW_UPLOAD,
    problem: problemOf(refused),
    file: item.kind === "picture" ? item.file : undefined,
    at,
    unkept, // not stored, for lack of space: lost with the page
  };
}

// Send soon, since something has changed, but not before a time that the server has set.
function sendSoon() {
  retryAt = 0;
  backoff.reset();
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
    await withSendLock(sendNow).catch(() => (retryAt = Date.now() + backoff.next));
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
  const step = async (change: Change) => {
    if (isSending(change)) {
      noteProgress(change);
      notify(change);
      channel.postMessage(change);
      return;
    }
    await changed(change);
    // Keep the progress until the item is gone, so that it does not seem to start again.
    progress.delete(change.sent?.id ?? change.refused ?? "");
  };
  const problem = await sendAll({
    onStep: step,
    signalFor: (id) => {
      const controller = new AbortController();
      controllers.set(id, controller);
      return controller.signal;
    },
    isDelayed: (deck) => (deckRetryAt.get(deck) ?? 0) > Date.now(),
    delayDeck: (deck, seconds) => deckRetryAt.set(deck, Date.now() + seconds * 1000),
  });
  controllers.clear();
  progress.clear();
  if (problem) {
    retryAt = Date.now() + backoff.fail() * (0.75 + Math.random() / 2);
    heldUntil = problem.wait ? Date.now() + problem.wait * 1000 : 0;
  } else {
    backoff.reset();
    retryAt = heldUntil = 0;
  }
  await changed({ idle: true, due: retryAt, problem: problem?.slug });
}

function sleepUntil(time: number) {
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
type Steps = {
  onStep: (change: Change) => void;
  signalFor: (id: string) => AbortSignal;
  isDelayed: (deck: string) => boolean;
  delayDeck: (deck: string, seconds: number) => void;
};

async function sendAll({ onStep, signalFor, isDelayed, delayDeck }: Steps): Promise<Problem | null> {
  for (;;) {
    const items = await store.all();
    const next = items.find((item) => !item.refused && !isDelayed(deckKey(item)));
    if (!next) return null;
    const held =
      next.kind === "hand-in" && items.find((item) => item.refused && item.kind === "confirm" && deckKey(item) === deckKey(next));
    const problem = held ? new Problem("confirm-first", { status: 409 }) : await sendOne(next, { onStep, signalFor });
    if (!problem) continue;
    if (!problem.passing && !problem.wait) {
      await store.change(next.place, { refused: storedProblem(problem) });
      onStep({ refused: next.id });
    } else if (concernsOneDeck(problem)) {
      delayDeck(deckKey(next), problem.wait || DECK_RETRY_DELAY);
    } else {
      return problem;
    }
  }
}

// Return true if other decks may have more success: a list that is not complete yet, or an error of the server.
const concernsOneDeck = ({ status }: Problem) => status === 409 || status === 500;

async function sendOne(item: Item, { onStep, signalFor }: Pick<Steps, "onStep" | "signalFor">): Promise<Problem | null> {
  onStep({ sending: item.id, progress: 0 });
  try {
    const signal = signalFor(item.id);
    const deck = await ensureDeck(item, { onStep, signal });
    const sent = await postItem(item, deck, { onStep, signal });
    if (sent.kind === "picture") await cachePhoto(item.token, deck, sent.answer);
    await store.remove(item.place);
    onStep({ sent });
    return null;
  } catch (problem) {
    if (problem instanceof Problem) return problem;
    if (problem instanceof DOMException && problem.name === "AbortError") return null;
    throw problem;
  }
}

// Return the server's id of an item's deck, which is created first if it is local. The local id is the Idempotency-Key.
type Step = { onStep: Steps["onStep"]; signal: AbortSignal };

async function ensureDeck({ deck, token }: Item, { onStep, signal }: Step): Promise<string> {
  if (!deck.startsWith(LOCAL_PREFIX)) return deck;
  const known = (await allDecks()).find((one) => one.local === deck);
  if (known) return known.id;
  const made = await request<DeckModel>(DECKS, { method: "POST", token, key: deck, signal });
  signal.throwIfAborted();
  await mapDeck(deck, token, made.id);
  await cacheDeck(token, made);
  onStep({ mapped: deck, deck: made.id });
  return made.id;
}

async function postItem(item: Item, deck: string, { onStep, signal }: Step): Promise<Sent> {
  const { id, token } = item;
  const at = `${DECKS}/${deck}`;
  const more = { method: "POST", token, key: id, signal } as const;
  if (item.kind === "picture") {
    const onProgress = (progress: number) => onStep({ sending: id, progress });
    const answer = await upload<DeckPhotoModel>(`${at}/photos`, item.file, { token, key: id, signal, onProgress });
    return { id, deck, kind: item.kind, answer };
  }
  if (item.kind === "confirm") {
    const body = { digest: item.digest, counted: item.counted };
    const answer = await request<DeckModel>(`${at}/confirm?language=${language()}`, { ...more, body });
    return { id, deck, kind: item.kind, answer };
  }
  return { id, deck, kind: item.kind, answer: await request<ReceiptModel>(`${at}/hand-in`, more) };
}

const deckKey = ({ token, deck }: Item) => `${token} ${deck}`;

const LOCK_NAME = "haggle-outbox";
const LEASE_TIME = 20_000; // milliseconds; the sending tab renews it
const LOCK_TIMEOUT = 180_000; // milliseconds without a message after which the sending tab counts as dead

let extendWait = () => {};

// Extend the time to wait for the sending tab, which has just sent a message.
const keepWaiting = () => extendWait();

// Run `work` while no other tab does. Browsers have the Web Locks API only over HTTPS.
async function withSendLock(work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return withLease(work);
  const aborter = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
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

function stopWaiting(timer: ReturnType<typeof setTimeout> | undefined) {
  clearTimeout(timer);
  extendWait = () => {};
}

const tabId = newIdempotencyKey();

// The same with a lease in localStorage. If two tabs should hold it at once, the Idempotency-Keys still prevent doubles.
async function withLease(work: () => Promise<void>): Promise<void> {
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
const delay = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
