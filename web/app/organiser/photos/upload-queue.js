// Sends a game's pictures, three at a time, while the page is open, whatever part of the desk is looked at. It goes on by
// itself after a break of the network, and sends no file twice.

import { openDB } from "idb";
import { Problem, ask, freshKey, upload } from "../../shared/http.js";

const AT_ONCE = 3;
const FIRST_PAUSE = 1000; // milliseconds after a failure; it doubles
const LONGEST_PAUSE = 30_000;
const TELL = 120; // milliseconds: progress is told in swarms
const PAGE = 1000;
const HALT = new Set(["wrong-state", "not-signed-in", "other-origin", "not-found"]); // no other picture would fare better

const senders = new Map();
export const senderOf = (game) => {
  if (!senders.has(game)) senders.set(game, new Sender(game));
  return senders.get(game);
};

// Each item: { id, path, name, size, modified, batch, place, state, progress, problem, file, handle, photo, twin }. States:
// waiting, sending, sent, refused, and asleep for one whose file was lost with a reload. `id` is its Idempotency-Key.
class Sender {
  constructor(game) {
    this.game = game;
    this.items = [];
    this.paused = false;
    this.trouble = null; // why nothing is sent just now
    this.resumes = 0; // when it is tried again
    this.pause = FIRST_PAUSE;
    this.listeners = new Set();
    this.stops = new Map();
    this.known = { ids: new Set(), digests: new Map() }; // what the server has
    this.begun = this.begin();
    addEventListener("online", () => this.goOn());
    // The server is there again, which may be long before the next try.
    addEventListener("haggle-live", () => this.trouble?.passing && !this.paused && this.goOn());
    addEventListener("beforeunload", (event) => this.busy && event.preventDefault());
  }

  get busy() {
    return this.items.some(({ state }) => state === "waiting" || state === "sending");
  }

  async begin() {
    const records = await recall(this.game);
    this.items = records.map((record) => ({ ...record, progress: 0, problem: null, old: true, state: record.state === "sent" ? "sent" : "asleep" }));
    this.items.sort((a, b) => a.added - b.added || a.place - b.place);
    this.tell();
  }

  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell() {
    this.clock ??= setTimeout(() => {
      this.clock = null;
      for (const listener of this.listeners) listener();
    }, TELL);
  }

  // Add what was dropped or chosen; gives how many are new, how many were there already, and how many are no pictures.
  async add(entries) {
    await this.begun;
    await this.look();
    const { pictures, others } = sorted(entries);
    const batch = freshKey();
    const known = new Map(this.items.map((item) => [identity(item), item]));
    const fresh = [];
    let again = 0;
    for (const { file, path, handle, root } of pictures) {
      const facts = { path, size: file.size, modified: file.lastModified };
      const before = known.get(identity(facts));
      if (before?.state === "asleep") {
        Object.assign(before, { file, handle, root, state: "waiting", old: false });
        fresh.push(before);
      } else if (before && !(before.state === "sent" && !this.known.ids.has(before.photo)) && before.state !== "refused") {
        again += 1;
      } else {
        if (before) this.remove(before);
        const item = { id: freshKey(), game: this.game, ...facts, name: file.name, batch, place: fresh.length + 1, added: Date.now(), state: "waiting", progress: 0, problem: null, file, handle, root };
        known.set(identity(item), item);
        this.items.push(item);
        fresh.push(item);
      }
    }
    await remember(fresh.map(record));
    this.run();
    return { fresh: fresh.length, again, others };
  }

  // What the server has already, by its ids and by the files' digests.
  async look() {
    try {
      const photos = [];
      for (;;) {
        const told = await ask(`/api/v1/games/${this.game}/photos?limit=${PAGE}&offset=${photos.length}`);
        photos.push(...told.photos);
        if (!told.photos.length || photos.length >= told.total) break;
      }
      this.known = { ids: new Set(photos.map(({ id }) => id)), digests: new Map(photos.map(({ id, digest }) => [digest, id])) };
    } catch {
      // Without an answer, what this browser sent before counts as being there.
      for (const { photo } of this.items) if (photo) this.known.ids.add(photo);
    }
  }

  // After a reload: open the files again by their handles, which the browser lets the organiser allow.
  async wake() {
    const roots = new Map();
    for (const item of this.items.filter(({ state, handle }) => state === "asleep" && handle)) {
      const key = `${item.batch}/${item.root?.name ?? item.path}`;
      const allowed = async () => (await (item.root ?? item.handle).requestPermission({ mode: "read" })) === "granted";
      if (!roots.has(key)) roots.set(key, await allowed().catch(() => false));
      if (!roots.get(key)) continue;
      try {
        Object.assign(item, { file: await item.handle.getFile(), state: "waiting", old: false });
      } catch {
        // The file is gone from its place; it can still be dropped again.
        item.handle = null;
      }
    }
    this.run();
  }

  stop() {
    this.paused = true;
    for (const abort of this.stops.values()) abort.abort();
    this.tell();
  }

  goOn() {
    this.paused = false;
    this.trouble = null;
    this.resumes = 0;
    clearTimeout(this.waiting);
    this.run();
  }

  retry(item) {
    Object.assign(item, { state: item.file ? "waiting" : "asleep", problem: null, id: freshKey() });
    this.goOn();
  }

  drop(items) {
    for (const item of items) this.remove(item);
    this.tell();
  }

  // What is done is no longer listed; it is remembered all the same.
  clear() {
    for (const item of this.items) if (item.state === "sent") item.old = true;
    this.tell();
  }

  remove(item) {
    this.stops.get(item)?.abort();
    this.items = this.items.filter((one) => one !== item);
    forget([item.id]);
  }

  run() {
    this.tell();
    while (!this.paused && !this.trouble && this.stops.size < AT_ONCE) {
      const item = this.items.find(({ state }) => state === "waiting");
      if (!item) return;
      this.send(item).finally(() => this.run());
    }
  }

  async send(item) {
    const stop = new AbortController();
    this.stops.set(item, stop);
    Object.assign(item, { state: "sending", progress: 0, problem: null });
    try {
      const digest = await digestOf(item.file);
      stop.signal.throwIfAborted();
      const there = digest && this.known.digests.get(digest);
      if (there) return this.done(item, there, true);
      const query = new URLSearchParams({ batch: item.batch, place: item.place, name: item.name.slice(0, 200) });
      const told = await upload(`/api/v1/games/${this.game}/photos?${query}`, item.file, {
        key: item.id,
        signal: stop.signal,
        onProgress: (share) => {
          item.progress = share;
          this.tell();
        },
      });
      this.pause = FIRST_PAUSE;
      this.known.digests.set(told.digest, told.id);
      this.done(item, told.id, false);
    } catch (error) {
      this.failed(item, error, stop.signal.aborted);
    } finally {
      this.stops.delete(item);
    }
  }

  done(item, photo, twin) {
    this.known.ids.add(photo);
    Object.assign(item, { state: "sent", progress: 1, photo, twin, file: null });
    remember([record(item)]);
  }

  failed(item, error, stopped) {
    Object.assign(item, { state: "waiting", progress: 0 });
    if (stopped) return;
    if (!(error instanceof Problem)) {
      // The file was moved or changed on the disk since it was dropped.
      Object.assign(item, { state: "asleep", file: null, handle: null });
    } else if (error.passing) {
      this.trouble = error;
      const wait = Math.max(error.wait * 1000, this.pause);
      this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
      this.resumes = Date.now() + wait;
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.goOn(), wait);
    } else if (HALT.has(error.slug) || error.status === 401) {
      this.trouble = error;
      this.paused = true;
    } else {
      Object.assign(item, { state: "refused", problem: error });
    }
  }
}

const identity = ({ path, size, modified }) => `${path}\n${size}\n${modified}`;
const KEPT = ["id", "game", "path", "name", "size", "modified", "batch", "place", "added", "state", "photo", "twin", "handle", "root"];
const record = (item) => Object.fromEntries(KEPT.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));

// SHA-256 of a file, as the server names it; "" where the browser has no digests (on a page without https). Reading it tells
// too whether the file is still there.
async function digestOf(file) {
  if (!globalThis.crypto?.subtle) {
    await file.slice(0, 1).arrayBuffer();
    return "";
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What this browser remembers of the pictures it sends, so that a reload forgets none and sends none twice: names, sizes and
// places, and handles to the files where there are any; never the pictures themselves.

let base;
const open = () =>
  (base ??= openDB("haggle-desk", 1, {
    upgrade: (database) => database.createObjectStore("files", { keyPath: "id" }).createIndex("game", "game"),
  }));

// A browser that keeps nothing works on; only a reload then forgets.
const trying = async (work, otherwise) => {
  try {
    return await work(await open());
  } catch {
    return otherwise;
  }
};

const recall = (game) => trying((database) => database.getAllFromIndex("files", "game", game), []);

const remember = (records) =>
  trying(async (database) => {
    const change = database.transaction("files", "readwrite");
    await Promise.all([...records.map((record) => change.store.put(record)), change.done]);
  });

const forget = (ids) =>
  trying(async (database) => {
    const change = database.transaction("files", "readwrite");
    await Promise.all([...ids.map((id) => change.store.delete(id)), change.done]);
  });

// Pictures out of what was dropped, pasted or chosen: files and whole folders, in the order in which people number them.

const PICTURE = /\.(jpe?g|jfif|png|webp|heic|heif|tiff?|pdf)$/i;
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

export const ACCEPT = "image/*,.heic,.heif,.tif,.tiff,application/pdf";
const isPicture = ({ file, path }) => !path.split("/").pop().startsWith(".") && (/^image\//.test(file.type) || PICTURE.test(path));

// Of entries { file, path, handle? }: the pictures in natural order, and how many other files there were.
function sorted(entries) {
  const pictures = entries.filter(isPicture).sort((a, b) => collator.compare(a.path, b.path));
  return { pictures, others: entries.length - pictures.length };
}

export const chosen = (files) => [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

// All files of a drop, those in folders too. Its items are gone once the event is over, so each is taken at once.
export async function dropped(transfer) {
  const items = [...(transfer.items ?? [])].filter((item) => item.kind === "file");
  const taken = items.map((item) => ({
    handle: item.getAsFileSystemHandle?.().catch(() => null) ?? null,
    entry: item.webkitGetAsEntry?.() ?? null,
    file: item.getAsFile(),
  }));
  if (!taken.length) return chosen(transfer.files ?? []);
  const found = [];
  for (const { handle, entry, file } of taken) {
    const kept = await handle;
    if (kept) await fromHandle(kept, "", kept, found);
    else if (entry) await fromEntry(entry, "", found);
    else if (file) found.push({ file, path: file.name });
  }
  return found;
}

// Where the browser has them, handles: they open the same file again after the page was loaded anew.
async function fromHandle(handle, folder, root, found) {
  const path = folder + handle.name;
  if (handle.kind === "file") found.push({ file: await handle.getFile(), path, handle, root });
  else for await (const child of handle.values()) await fromHandle(child, `${path}/`, root, found);
}

async function fromEntry(entry, folder, found) {
  const path = folder + entry.name;
  if (entry.isFile) {
    found.push({ file: await new Promise((resolve, reject) => entry.file(resolve, reject)), path });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A folder is told in portions.
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const child of some) await fromEntry(child, `${path}/`, found);
  }
}
