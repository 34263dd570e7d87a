// The browser's storage for players: outbox items, ids of decks created offline, and a cache of responses. Without
// storage, or without space, items live in memory until the page is closed.

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Problem } from "../../shared/http";

export const LOCAL_PREFIX = "local-"; // prefix of the ids of decks created here
const NAME = "haggle";
const VERSION = 1;
const LINK_PROBLEMS = ["bad-token", "confirm-first"]; // problems caused by a link that was replaced

// The parts of a problem that are stored.
export type StoredProblem = { slug: string } & Partial<Pick<Problem, "status" | "title" | "detail" | "body">>;
export type Task = { token: string; deck: string } & (
  | { kind: "picture"; file: File }
  | { kind: "confirm"; digest: string; counted: number }
  | { kind: "hand-in" }
);
export type NewItem = Task & { id: string; at: string; refused: StoredProblem | null };
// `place` is the key in the database; `unkept` items could not be stored.
export type Item = NewItem & { place: number | string; unkept?: boolean };
export type MappedDeck = { local: string; token: string; id: string };
export type Cached = { name: string; data: object; at: string };
interface Schema extends DBSchema {
  items: { key: number; value: NewItem & { place?: number } };
  decks: { key: string; value: MappedDeck };
  kept: { key: string; value: Cached };
}

const memoryItems: Item[] = []; // items that could not be stored
const memoryDecks: MappedDeck[] = [];
let connection: Promise<IDBPDatabase<Schema>> | null = null;
let memoryCount = 0;

// Return the database, opened again after the browser has closed it.
export function database(): Promise<IDBPDatabase<Schema>> {
  connection ??= openDB<Schema>(NAME, VERSION, {
    upgrade(made) {
      made.createObjectStore("items", { keyPath: "place", autoIncrement: true });
      made.createObjectStore("decks", { keyPath: "local" });
      made.createObjectStore("kept", { keyPath: "name" });
    },
    // A newer page wants to upgrade the database: close it, and open it again when it is needed.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      connection = null;
    },
    terminated() {
      connection = null;
    },
  }).catch((error) => {
    connection = null;
    throw error;
  });
  return connection;
}

export async function allItems(): Promise<Item[]> {
  const stored = await (await database().catch(() => null))?.getAll("items").catch(() => []);
  return [...((stored ?? []) as Item[]), ...memoryItems];
}

export async function allDecks(): Promise<MappedDeck[]> {
  const stored = await (await database().catch(() => null))?.getAll("decks").catch(() => []);
  return [...(stored ?? []), ...memoryDecks];
}

// Add an item and return it. It replaces one of the same kind for the same deck, except for photos.
export async function addItem(item: NewItem): Promise<Item> {
  const same = (other: NewItem) =>
    item.kind !== "picture" && other.kind === item.kind && other.token === item.token && other.deck === item.deck;
  try {
    const writing = (await database()).transaction("items", "readwrite");
    for (const other of (await writing.store.getAll()).filter(same)) if (other.place) writing.store.delete(other.place);
    const place = await writing.store.add(item);
    await writing.done;
    return { ...item, place };
  } catch {
    const kept: Item = { ...item, place: `page-${++memoryCount}`, unkept: true };
    memoryItems.splice(0, memoryItems.length, ...memoryItems.filter((other) => !same(other)), kept);
    return kept;
  }
}

// Change an item if it still exists.
export async function changeItem(place: Item["place"], change: Pick<Item, "refused">): Promise<void> {
  const here = memoryItems.find((item) => item.place === place);
  if (here) Object.assign(here, change);
  if (typeof place === "string") return;
  const writing = (await database()).transaction("items", "readwrite");
  const item = await writing.store.get(place);
  if (item) await writing.store.put({ ...item, ...change });
  await writing.done;
}

export async function removeItem(place: Item["place"]) {
  const here = memoryItems.findIndex((item) => item.place === place);
  if (here >= 0) memoryItems.splice(here, 1);
  else if (typeof place === "number") await (await database()).delete("items", place);
}

// Store the server's id of a deck that was created offline.
export async function mapDeck(local: string, token: string, id: string) {
  try {
    await (await database()).put("decks", { local, token, id });
  } catch {
    memoryDecks.push({ local, token, id });
  }
}

// Delete everything of a player.
export async function forgetPlayer(token: string) {
  replaceAll(
    memoryItems,
    memoryItems.filter((one) => one.token !== token),
  );
  replaceAll(
    memoryDecks,
    memoryDecks.filter((one) => one.token !== token),
  );
  const writing = (await database()).transaction(["items", "decks", "kept"], "readwrite");
  for (let at = await writing.objectStore("items").openCursor(); at; at = await at.continue()) {
    if (at.value.token === token) at.delete();
  }
  for (let at = await writing.objectStore("decks").openCursor(); at; at = await at.continue()) {
    if (at.value.token === token) at.delete();
  }
  for (let at = await writing.objectStore("kept").openCursor(); at; at = await at.continue()) {
    if (at.value.name.split(" ").includes(token)) at.delete();
  }
  await writing.done;
}

function replaceAll<T>(list: T[], next: T[]) {
  list.splice(0, list.length, ...next);
}

// Give a player's items and decks a new token. Items that were rejected because of the old one get another try.
export async function movePlayer(from: string, to: string) {
  const movedItem = <T extends NewItem>(item: T): T => ({
    ...item,
    token: to,
    refused: item.refused && LINK_PROBLEMS.includes(item.refused.slug) ? null : item.refused,
  });
  replaceAll(
    memoryItems,
    memoryItems.map((one) => (one.token === from ? movedItem(one) : one)),
  );
  replaceAll(
    memoryDecks,
    memoryDecks.map((one) => (one.token === from ? { ...one, token: to } : one)),
  );
  const writing = (await database()).transaction(["items", "decks"], "readwrite");
  for (let at = await writing.objectStore("items").openCursor(); at; at = await at.continue()) {
    if (at.value.token === from) at.update(movedItem(at.value));
  }
  for (let at = await writing.objectStore("decks").openCursor(); at; at = await at.continue()) {
    if (at.value.token === from) at.update({ ...at.value, token: to });
  }
  await writing.done;
}

const MAX_CACHED = 60; // cached responses; the oldest are deleted first

// A response; one from the cache has the time from which it is.
export type WithTime<T> = T & { asOf?: string };

// Return the response that `load` resolves to and cache it; without a response, return the cached one, with its time as `asOf`.
// `load` rejects with a Problem.
export async function withCache<T extends object>(name: string, load: () => Promise<T>): Promise<WithTime<T>> {
  try {
    const data = await load();
    cacheResponse(name, data);
    return data;
  } catch (problem) {
    if (!(problem as Problem).passing) throw problem;
    const before = await readCache(name);
    if (!before) throw problem;
    return { ...(before.data as T), asOf: before.at };
  }
}

// Cache a response. Failures are ignored.
export const cacheResponse = (name: string, data: object) => writeCache(name, data).catch(() => {});

// Update a cached response; `change` gets it, or null, and returns null to leave it. Its time stays that of the server's last
// response, since the rest is as old as that.
export async function updateCache<T extends object>(name: string, change: (before: T | null) => T | null) {
  const before = await readCache(name);
  const next = change((before?.data as T | undefined) ?? null);
  if (next) await writeCache(name, next, before?.at).catch(() => {});
}

const readCache = (name: string) =>
  database()
    .then((open) => open.get("kept", name))
    .catch(() => null);

async function writeCache(name: string, data: object, at = new Date().toISOString()) {
  const { store, done } = (await database()).transaction("kept", "readwrite");
  await store.put({ name, data, at });
  const all = await store.getAll();
  all.sort((one, other) => (one.at < other.at ? -1 : 1));
  for (const old of all.slice(0, Math.max(0, all.length - MAX_CACHED))) store.delete(old.name);
  await done;
}
