// What the server last told, to be read without network.

import { database } from "./store.js";

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
