// The browser's storage for players: outbox items, ids of decks created offline, and a cache of responses. Without
// storage, or without space, items live in memory until the page is closed.

import { openDB } from "idb";

export const LOCAL_PREFIX = "local-"; // prefix of the ids of decks created here
const NAME = "haggle";
const VERSION = 1;
const LINK_PROBLEMS = ["bad-token", "confirm-first"]; // problems caused by a link that was replaced

const memoryItems = []; // items that could not be stored
const memoryDecks = [];
let connection = null;
let memoryCount = 0;

// Return the database, opened again after the browser has closed it.
export function database() {
  connection ??= openDB(NAME, VERSION, {
    upgrade(made) {
      made.createObjectStore("items", { keyPath: "place", autoIncrement: true });
      made.createObjectStore("decks", { keyPath: "local" });
      made.createObjectStore("kept", { keyPath: "name" });
    },
    // A newer page wants to upgrade the database: close it, and open it again when it is needed.
    blocking(_current, _blocked, event) {
      event.target.close();
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

const readAll = async (store) => (await database()).getAll(store).catch(() => []);
export const allItems = async () => [...(await readAll("items").catch(() => [])), ...memoryItems];
export const allDecks = async () => [...(await readAll("decks").catch(() => [])), ...memoryDecks];

// Add an item and return it. It replaces one of the same kind for the same deck, except for photos.
export async function addItem(item) {
  const same = (other) =>
    item.kind !== "picture" && other.kind === item.kind && other.token === item.token && other.deck === item.deck;
  try {
    const writing = (await database()).transaction("items", "readwrite");
    for (const other of (await writing.store.getAll()).filter(same)) writing.store.delete(other.place);
    const place = await writing.store.add(item);
    await writing.done;
    return { ...item, place };
  } catch {
    const kept = { ...item, place: `page-${++memoryCount}`, unkept: true };
    memoryItems.splice(0, memoryItems.length, ...memoryItems.filter((other) => !same(other)), kept);
    return kept;
  }
}

// Change an item if it still exists.
export async function changeItem(place, change) {
  const here = memoryItems.find((item) => item.place === place);
  if (here) return Object.assign(here, change);
  const writing = (await database()).transaction("items", "readwrite");
  const item = await writing.store.get(place);
  if (item) await writing.store.put({ ...item, ...change });
  return writing.done;
}

export async function removeItem(place) {
  const here = memoryItems.findIndex((item) => item.place === place);
  if (here >= 0) memoryItems.splice(here, 1);
  else await (await database()).delete("items", place);
}

// Store the server's id of a deck that was created offline.
export async function mapDeck(local, token, id) {
  try {
    await (await database()).put("decks", { local, token, id });
  } catch {
    memoryDecks.push({ local, token, id });
  }
}

// Delete everything of a player.
export async function forgetPlayer(token) {
  for (const left of [memoryItems, memoryDecks]) left.splice(0, left.length, ...left.filter((one) => one.token !== token));
  await forEachRecord(
    (at) => at.delete(),
    (one) => one.token === token || one.name?.split(" ").includes(token),
  );
}

// Give a player's items and decks a new token. Items that were rejected because of the old one get another try.
export async function movePlayer(from, to) {
  const moved = ({ refused, ...one }) => ({ ...one, token: to, refused: LINK_PROBLEMS.includes(refused?.slug) ? null : refused });
  for (const left of [memoryItems, memoryDecks])
    left.splice(0, left.length, ...left.map((one) => (one.token === from ? moved(one) : one)));
  await forEachRecord(
    (at) => at.update(moved(at.value)),
    (one) => one.token === from,
  );
}

// Call `work` with the cursor of each record that matches.
async function forEachRecord(work, matches) {
  const stores = ["items", "decks", "kept"];
  const writing = (await database()).transaction(stores, "readwrite");
  for (const name of stores) {
    for (let at = await writing.objectStore(name).openCursor(); at; at = await at.continue()) {
      if (matches(at.value)) work(at);
    }
  }
  await writing.done;
}

const MAX_CACHED = 60; // cached responses; the oldest are deleted first

// Return the response that `load` resolves to and cache it; without a response, return the cached one, with its time as `asOf`.
// `load` rejects with a Problem.
export async function withCache(name, load) {
  try {
    const data = await load();
    cacheResponse(name, data);
    return data;
  } catch (problem) {
    if (!problem.passing) throw problem;
    const before = await readCache(name);
    if (!before) throw problem;
    return before.data instanceof Blob ? before.data : { ...before.data, asOf: before.at };
  }
}

// Cache a response. Failures are ignored.
export const cacheResponse = (name, data) => writeCache(name, data).catch(() => {});

// Update a cached response; `change` gets it, or null, and returns null to leave it. Its time stays that of the server's last
// response, since the rest is as old as that.
export async function updateCache(name, change) {
  const before = await readCache(name);
  const next = change(before?.data ?? null);
  if (next) await writeCache(name, next, before?.at).catch(() => {});
}

const readCache = (name) =>
  database()
    .then((open) => open.get("kept", name))
    .catch(() => null);

async function writeCache(name, data, at = new Date().toISOString()) {
  const { store, done } = (await database()).transaction("kept", "readwrite");
  await store.put({ name, data, at });
  const all = await store.getAll();
  all.sort((one, other) => (one.at < other.at ? -1 : 1));
  for (const old of all.slice(0, Math.max(0, all.length - MAX_CACHED))) store.delete(old.name);
  await done;
}
