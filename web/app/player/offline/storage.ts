// The browser's storage for players: outbox items, ids of decks created offline, and a cache of responses. Without
// storage, or without space, items live in memory until the page is closed.

import type { DeckModel, DeckPhotoModel, PlayerModel } from "../../../api";
import type { Problem } from "../../shared/http";
import { ITEMS, type ItemSchema, ItemStore, type NewItem, type Stored, storedDatabase } from "../../shared/item-store";

export const LOCAL_PREFIX = "local-"; // prefix of the ids of decks created here
const LINK_PROBLEMS = ["bad-token", "confirm-first"]; // problems caused by a link that was replaced

export type Task = { token: string; deck: string } & (
  | { kind: "picture"; file: File }
  | { kind: "confirm"; digest: string; counted: number }
  | { kind: "hand-in" }
);
export type NewTask = Task & NewItem;
export type Item = Stored<NewTask>;
export type MappedDeck = { local: string; token: string; id: string };
export type Cached = { name: string; data: object; at: string };
interface Schema extends ItemSchema<NewTask> {
  decks: { key: string; value: MappedDeck };
  kept: { key: string; value: Cached };
}

const memoryDecks: MappedDeck[] = [];
export const database = storedDatabase<Schema>("haggle", (made) => {
  made.createObjectStore(ITEMS.name, ITEMS.options);
  made.createObjectStore("decks", { keyPath: "local" });
  made.createObjectStore("kept", { keyPath: "name" });
});

export const items = new ItemStore<NewTask>(database);

export async function allDecks(): Promise<MappedDeck[]> {
  const stored = await (await database().catch(() => null))?.getAll("decks").catch(() => []);
  return [...(stored ?? []), ...memoryDecks];
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
  replaceDecks(memoryDecks.filter((one) => one.token !== token));
  await items.changeAll((item) => (item.token === token ? null : item));
  const writing = (await database()).transaction(["decks", "kept"], "readwrite");
  for (let at = await writing.objectStore("decks").openCursor(); at; at = await at.continue()) {
    if (at.value.token === token) at.delete();
  }
  for (let at = await writing.objectStore("kept").openCursor(); at; at = await at.continue()) {
    if (at.value.name.split(" ").includes(token)) at.delete();
  }
  await writing.done;
}

const replaceDecks = (next: MappedDeck[]) => memoryDecks.splice(0, memoryDecks.length, ...next);

// Give a player's items and decks a new token. Items that were rejected because of the old one get another try.
export async function movePlayer(from: string, to: string) {
  replaceDecks(memoryDecks.map((one) => (one.token === from ? { ...one, token: to } : one)));
  await items.changeAll((item) => {
    const again = item.refused && LINK_PROBLEMS.includes(item.refused.slug);
    return item.token === from ? { ...item, token: to, refused: again ? null : item.refused } : item;
  });
  const writing = (await database()).transaction("decks", "readwrite");
  for (let at = await writing.store.openCursor(); at; at = await at.continue()) {
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

// The cached decks are updated with what the server has just accepted, so that nothing seems lost if the network fails now.
const UNCONFIRMED = { confirmed: null, digest: null };

// A deck without photos.
export const emptyDeck = (id: string): DeckModel => ({
  ...UNCONFIRMED,
  id,
  created: new Date().toISOString(),
  state: "open",
  photos: [],
  kinds: [],
  cards: [],
  total: 0,
  pending: 0,
  ahead: 0,
  dead: 0,
  own_label: false,
  other_label: false,
  counted: null,
});

// Return a deck with a new photo that is still to be read. `deck` is the cached one, or null.
export function withPhoto(deck: DeckModel | null, photo: DeckPhotoModel, id: string): DeckModel {
  const before = deck ?? emptyDeck(id);
  if (before.photos.some((other) => other.id === photo.id)) return before;
  return { ...before, photos: [...before.photos, photo], pending: before.pending + 1 };
}

// Add a new deck to the cache.
export const cacheDeck = (token: string, { id, created }: DeckModel) =>
  updateCache<PlayerModel>(`me ${token}`, (me) => {
    if (!me || me.decks.some((other) => other.id === id)) return null;
    return { ...me, decks: [...me.decks, { ...UNCONFIRMED, id, created, state: "open", cards: null }] };
  });

// Add a new photo to the cache.
export const cachePhoto = (token: string, id: string, photo: DeckPhotoModel) =>
  updateCache<DeckModel>(`deck ${token} ${id}`, (deck) => withPhoto(deck, photo, id));
