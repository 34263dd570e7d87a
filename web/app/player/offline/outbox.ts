// The outbox: photos, confirmations and the hand-in, one at a time and in order, until the server has them.

import type { DeckModel, DeckPhotoModel, ReceiptModel } from "../../../api";
import { newIdempotencyKey, Problem, request, upload } from "../../shared/http";
import { language } from "../../shared/i18n";
import { newItem, problemOf } from "../../shared/item-store";
import { type Decision, type Change as QueueChange, type Sending, UploadQueue } from "../../shared/upload-queue";
import {
  allDecks,
  cacheDeck,
  cachePhoto,
  forgetPlayer,
  type Item,
  LOCAL_PREFIX,
  mapDeck,
  movePlayer,
  type NewTask,
  items as store,
  type Task,
} from "./storage";

const DECKS = "/api/v1/me/decks";
const DECK_RETRY_DELAY = 30; // seconds before another try after an error of the server, if it does not name any

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

// What listeners get: an item that was sent, a local deck that got its id, or the end of a round with the problem that ended it.
type Event = { sent?: Sent; mapped?: string; deck?: string };
export type Change = Event & { idle?: boolean | undefined; problem?: string | undefined };

// The player and the deck of an item.
type Owner = { token: string; deck: string };

let decks = new Map<string, string>();

const deckKey = ({ token, deck }: Owner) => `${token} ${deck}`;

const queue = new UploadQueue<NewTask, Event>({
  name: "haggle-outbox",
  store,
  limit: 1,
  retryDelays: { first: 2000, most: 60_000 },
  groupOf: deckKey,
  send: sendItem,
  decide,
});

queue.subscribe(({ event }) => {
  if (event?.mapped && event.deck) decks.set(event.mapped, event.deck);
});

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
  items: (token?: string): OutboxItem[] => queue.items.filter((item) => !token || item.token === token).map(toPublicItem),

  // Call `listener` with every change until the returned function is called.
  subscribe: (listener: (change: Change) => void): (() => void) =>
    queue.subscribe(({ event, idle, problem }: QueueChange<NewTask, Event>) =>
      listener({ ...event, idle, problem: problem?.slug }),
    ),

  // Send a rejected item again; without an id, everything that waits.
  retry: (id?: string) => queue.retry(...queue.items.filter((item) => item.id === id)),

  // Remove an item. It may still arrive if it is being sent.
  drop: (id: string) => dropAll((item) => item.id === id),
  // Remove all items of a deleted deck.
  dropDeck: ({ token, deck }: Owner) =>
    dropAll((item) => item.token === token && (outbox.deckOf(item.deck) ?? item.deck) === deck),

  // Remove everything of a player whose envelope is removed from this phone.
  async forget(token: string) {
    await dropAll((item) => item.token === token);
    await forgetPlayer(token);
    await queue.reload();
  },

  // Send a player's items with a new token that replaces the previous one.
  async move(from: string, to: string) {
    await start();
    await movePlayer(from, to);
    await forgetPlayer(from);
    await queue.reload();
  },
};

let started: Promise<void> | null = null;

function start(): Promise<void> {
  started ??= allDecks().then((stored) => {
    decks = new Map([...stored.map(({ local, id }) => [local, id] as const), ...decks]);
    return queue.start();
  });
  return started;
}

async function add(what: Task): Promise<OutboxItem> {
  await start();
  // A confirmation or a hand-in replaces the one before of the same deck.
  const same = ({ kind, token, deck }: Task) =>
    kind !== "picture" && kind === what.kind && token === what.token && deck === what.deck;
  const [item] = await queue.add([{ ...what, ...newItem() }], same);
  return toPublicItem(item as Item);
}

async function dropAll(matches: (item: Item) => boolean) {
  await start();
  await queue.remove(queue.items.filter(matches));
}

function toPublicItem(item: Item): OutboxItem {
  const { id, kind, deck, at, refused, unkept = false } = item;
  const sent = queue.progressOf(id);
  return {
    id,
    kind,
    deck: outbox.deckOf(deck) ?? deck,
    state: refused ? "refused" : sent ? "sending" : "waiting",
    progress: sent?.share ?? 0,
    slow: sent?.slow ?? false,
    problem: problemOf(refused),
    file: item.kind === "picture" ? item.file : undefined,
    at,
    unkept, // not stored, for lack of space: lost with the page
  };
}

function decide(problem: Problem): Decision {
  if (!problem.passing && !problem.wait) return "refuse";
  // Other decks may have more success: a list that is not complete yet, or an error of the server.
  const concernsOneDeck = problem.status === 409 || problem.status === 500;
  return concernsOneDeck ? { seconds: problem.wait || DECK_RETRY_DELAY } : "retry";
}

async function sendItem(item: Item, sending: Sending): Promise<{ event: Event }> {
  const isRefusedConfirmation = (other: Item) => other.kind === "confirm" && other.refused && deckKey(other) === deckKey(item);
  if (item.kind === "hand-in" && queue.items.some(isRefusedConfirmation)) throw new Problem("confirm-first", { status: 409 });
  const deck = await ensureDeck(item, sending.signal);
  const sent = await postItem(item, deck, sending);
  if (sent.kind === "picture") await cachePhoto(item.token, deck, sent.answer);
  return { event: { sent } };
}

// Return the server's id of an item's deck, which is created first if it is local. The local id is the Idempotency-Key.
async function ensureDeck({ deck, token }: Item, signal: AbortSignal): Promise<string> {
  if (!deck.startsWith(LOCAL_PREFIX)) return deck;
  const known = (await allDecks()).find((one) => one.local === deck);
  if (known) return known.id;
  const made = await request<DeckModel>(DECKS, { method: "POST", token, key: deck, signal });
  signal.throwIfAborted();
  await mapDeck(deck, token, made.id);
  await cacheDeck(token, made);
  queue.tell({ event: { mapped: deck, deck: made.id } });
  return made.id;
}

async function postItem(item: Item, deck: string, { signal, onProgress }: Sending): Promise<Sent> {
  const { id, token } = item;
  const at = `${DECKS}/${deck}`;
  const more = { method: "POST", token, key: id, signal } as const;
  if (item.kind === "picture") {
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
