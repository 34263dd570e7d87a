// What the server last told, to be read without network.

import { database } from "./store.js";

const MOST = 60; // things that are kept; the oldest go first

// Ask the server by `load` and keep the answer; where no answer comes, return what was kept before, with the moment it
// is from as `asOf`. `load` rejects with a Problem.
export async function orKept(name, load) {
  try {
    const data = await load();
    keep(name, data).catch(() => {});
    return data;
  } catch (problem) {
    if (!problem.passing) throw problem;
    const before = await kept(name);
    if (!before) throw problem;
    return before.data instanceof Blob ? before.data : { ...before.data, asOf: before.at };
  }
}

const kept = async (name) => (await database()).get("kept", name).catch(() => null);

async function keep(name, data) {
  const store = (await database()).transaction("kept", "readwrite").store;
  store.put({ name, data, at: new Date().toISOString() });
  const names = await store.getAllKeys();
  if (names.length <= MOST) return;
  const all = await store.getAll();
  all.sort((one, other) => (one.at < other.at ? -1 : 1));
  for (const old of all.slice(0, all.length - MOST)) store.delete(old.name);
}
