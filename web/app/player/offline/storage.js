// What this browser keeps for players: what waits to be sent, which decks were begun without network, and what the
// server last told (see kept.js). Where the browser has no room or keeps nothing, things live as long as the page.

import { openDB } from "idb";

export const LOCAL = "local-"; // how the ids of decks begin that were begun here
const NAME = "haggle";
const VERSION = 1;
const OF_LINK = ["bad-token", "confirm-first"]; // refusals that a link which was replaced brings with it

const unkept = []; // items that the browser did not take
const unkeptDecks = [];
let opened = null;
let places = 0;

// The database; it is opened anew after the browser has closed it.
export function database() {
  opened ??= openDB(NAME, VERSION, {
    upgrade(made) {
      made.createObjectStore("items", { keyPath: "place", autoIncrement: true });
      made.createObjectStore("decks", { keyPath: "local" });
      made.createObjectStore("kept", { keyPath: "name" });
    },
    // A newer page wants to change the stores: let it, and open again when something is wanted.
    blocking: (current, blocked, event) => (event.target.close(), (opened = null)),
    terminated: () => (opened = null),
  }).catch((error) => {
    opened = null;
    throw error;
  });
  return opened;
}

const all = async (store) => (await database()).getAll(store).catch(() => []);
export const allItems = async () => [...(await all("items").catch(() => [])), ...unkept];
export const allDecks = async () => [...(await all("decks").catch(() => [])), ...unkeptDecks];

// Keep an item behind all others, and return it. The same kind for the same deck stands there once, but for pictures.
export async function addItem(item) {
  const same = (other) => item.kind !== "picture" && other.kind === item.kind && other.token === item.token && other.deck === item.deck;
  try {
    const writing = (await database()).transaction("items", "readwrite");
    for (const other of (await writing.store.getAll()).filter(same)) writing.store.delete(other.place);
    const place = await writing.store.add(item);
    await writing.done;
    return { ...item, place };
  } catch {
    const kept = { ...item, place: `page-${++places}`, unkept: true };
    unkept.splice(0, unkept.length, ...unkept.filter((other) => !same(other)), kept);
    return kept;
  }
}

// Change an item if it is still there.
export async function changeItem(place, change) {
  const here = unkept.find((item) => item.place === place);
  if (here) return Object.assign(here, change);
  const writing = (await database()).transaction("items", "readwrite");
  const item = await writing.store.get(place);
  if (item) await writing.store.put({ ...item, ...change });
  return writing.done;
}

export async function removeItem(place) {
  const here = unkept.findIndex((item) => item.place === place);
  if (here >= 0) unkept.splice(here, 1);
  else await (await database()).delete("items", place);
}

// Remember that a deck which began here is now on the server under an id of its own.
export async function mapDeck(local, token, id) {
  try {
    await (await database()).put("decks", { local, token, id });
  } catch {
    unkeptDecks.push({ local, token, id });
  }
}

// Forget all of a player: what waits, the decks begun here, and what the server last told.
export async function forgetPlayer(token) {
  for (const left of [unkept, unkeptDecks]) left.splice(0, left.length, ...left.filter((one) => one.token !== token));
  await sweep((at) => at.delete(), (one) => one.token === token || one.name?.split(" ").includes(token));
}

// Give what waits, and the decks begun here, to a player's new link. What was refused to the old one may go once more.
export async function movePlayer(from, to) {
  const moved = ({ refused, ...one }) => ({ ...one, token: to, refused: OF_LINK.includes(refused?.slug) ? null : refused });
  for (const left of [unkept, unkeptDecks]) left.splice(0, left.length, ...left.map((one) => (one.token === from ? moved(one) : one)));
  await sweep((at) => at.update(moved(at.value)), (one) => one.token === from);
}

// Go over all that is kept, and do something with what is meant.
async function sweep(work, isMeant) {
  const stores = ["items", "decks", "kept"];
  const writing = (await database()).transaction(stores, "readwrite");
  for (const name of stores) {
    for (let at = await writing.objectStore(name).openCursor(); at; at = await at.continue()) {
      if (isMeant(at.value)) work(at);
    }
  }
  await writing.done;
}

// What the server last told, to be read without network.

const MOST = 60; // things that are kept; the oldest go first

// Ask the server by `load` and keep the answer; where no answer comes, return what was kept before, with the moment it
// is from as `asOf`. `load` rejects with a Problem.
export async function orKept(name, load) {
  try {
    const data = await load();
    keep(name, data);
    return data;
  } catch (problem) {
    if (!problem.passing) throw problem;
    const before = await kept(name);
    if (!before) throw problem;
    return before.data instanceof Blob ? before.data : { ...before.data, asOf: before.at };
  }
}

// Keep what the server has told in another way. Nobody waits for it, and a browser that keeps nothing goes without.
export const keep = (name, data) => put(name, data).catch(() => {});

// Change what is kept by a name, as far as something is; `change` gets null where nothing is, and returns null to leave it.
// The moment stays that of what the server told last: the rest is as old as that.
export async function amend(name, change) {
  const before = await kept(name);
  const next = change(before?.data ?? null);
  if (next) await put(name, next, before?.at).catch(() => {});
}

const kept = (name) =>
  database()
    .then((open) => open.get("kept", name))
    .catch(() => null);

async function put(name, data, at = new Date().toISOString()) {
  const { store, done } = (await database()).transaction("kept", "readwrite");
  await store.put({ name, data, at });
  const all = await store.getAll();
  all.sort((one, other) => (one.at < other.at ? -1 : 1));
  for (const old of all.slice(0, Math.max(0, all.length - MOST))) store.delete(old.name);
  await done;
}
