// Uploads a game's photos, three at a time, while any of the organisers' pages is open. It goes on after network failures and
// sends no file twice.

import { type IDBPDatabase, openDB } from "idb";
import type { PhotoModel, PhotosModel } from "../../../api";
import { newIdempotencyKey, Problem, request, upload } from "../../shared/http";
import { texts } from "../../shared/i18n";

const MAX_UPLOADS = 3;
const FIRST_RETRY_DELAY = 1000; // milliseconds after a failure; doubles
const MAX_RETRY_DELAY = 30_000;
const NOTIFY_INTERVAL = 120; // milliseconds in which several progress events count as one
const PAGE_SIZE = 1000;
const STOPPING_PROBLEMS = new Set(["wrong-state", "not-signed-in", "other-origin", "not-found"]); // problems that concern all photos

// A file that was dropped, pasted or chosen, with its path below the dropped folder, and handles if the browser has them.
type FileEntry = { file: File; path: string; handle?: FileSystemFileHandle; root?: FileHandle };
type FileHandle = FileSystemFileHandle | FileSystemDirectoryHandle;

// The part of an upload that is stored. `id` is its Idempotency-Key, `photo` the photo that it became; with `twin` the server
// had it already. Photos of the page's own camera are stored whole, as `blob`. One that `replaces` another upload deletes that
// photo.
type UploadRecord = {
  id: string;
  game: string;
  path: string;
  name: string;
  size: number;
  modified: number;
  batch: string;
  place: number;
  added: number;
  state: "waiting" | "sending" | "sent" | "refused" | "asleep";
  photo?: string;
  twin?: boolean;
  handle?: FileSystemFileHandle | undefined;
  root?: FileHandle | undefined;
  blob?: Blob | undefined;
  replaces?: string | undefined;
};

// An upload. Without a file it is asleep: the file was lost by a reload. `old` ones are not listed.
export type Upload = UploadRecord & { progress: number; problem: Problem | null; file?: File | null; old?: boolean };

const queues = new Map<string, UploadQueue>();
export const uploadQueueOf = (game: string) => {
  const queue = queues.get(game) ?? new UploadQueue(game);
  queues.set(game, queue);
  return queue;
};

// The uploads of a game.
export class UploadQueue {
  items: Upload[] = [];
  paused = false;
  trouble: Problem | null = null; // why nothing is being sent
  private retryDelay = FIRST_RETRY_DELAY;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private notifyTimer: ReturnType<typeof setTimeout> | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly controllers = new Map<Upload, AbortController>();
  private known = { ids: new Set<string>(), digests: new Map<string, string>() }; // what the server already has
  private readonly loaded: Promise<void>;

  constructor(private readonly game: string) {
    this.loaded = this.load();
    addEventListener("online", () => this.resume());
    // The server may be back long before the next try.
    addEventListener("haggle-live", () => this.trouble?.passing && !this.paused && this.resume());
    addEventListener("beforeunload", (event) => this.busy && event.preventDefault());
  }

  get busy() {
    return this.items.some(({ state }) => state === "waiting" || state === "sending");
  }

  private async load() {
    const records = await loadItems(this.game);
    this.items = records.map((record) => ({
      ...record,
      progress: 0,
      problem: null,
      old: !record.blob,
      file: record.blob ? new File([record.blob], record.name, { type: record.blob.type }) : null,
      state: record.state === "sent" ? "sent" : record.blob ? "waiting" : "asleep",
    }));
    this.items.sort((a, b) => a.added - b.added || a.place - b.place);
    this.run();
  }

  subscribe(listener: () => void) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private notify() {
    this.notifyTimer ??= setTimeout(() => {
      this.notifyTimer = null;
      for (const listener of this.listeners) listener();
    }, NOTIFY_INTERVAL);
  }

  // Add files; resolves to how many are new, how many were already there, and how many are no photos.
  async add(entries: FileEntry[]) {
    await this.loaded;
    await this.loadKnown();
    const { pictures, others } = sortPhotos(entries);
    const batch = newIdempotencyKey();
    const known = new Map(this.items.map((item) => [identity(item), item]));
    const fresh: Upload[] = [];
    let again = 0;
    for (const { file, path, handle, root } of pictures) {
      const facts = { path, size: file.size, modified: file.lastModified };
      const before = known.get(identity(facts));
      if (before?.state === "asleep") {
        Object.assign(before, { file, handle, root, state: "waiting", old: false });
        fresh.push(before);
      } else if (before && !(before.state === "sent" && !this.known.ids.has(before.photo ?? "")) && before.state !== "refused") {
        again += 1;
      } else {
        if (before) this.remove(before);
        const item: Upload = {
          id: newIdempotencyKey(),
          game: this.game,
          ...facts,
          name: file.name,
          batch,
          place: fresh.length + 1,
          added: Date.now(),
          state: "waiting",
          progress: 0,
          problem: null,
          file,
          handle,
          root,
        };
        known.set(identity(item), item);
        this.items.push(item);
        fresh.push(item);
      }
    }
    await storeItems(fresh.map(toRecord));
    this.run();
    return { fresh: fresh.length, again, others };
  }

  // Add a photo of the page's own camera, which may replace another one; resolves to its upload once it is stored.
  async addCaptured(file: File, { batch, place, replaces }: { batch: string; place: number; replaces?: Upload | undefined }) {
    await this.loaded;
    const unsent = replaces && replaces.state !== "sending" && replaces.state !== "sent";
    if (unsent) this.remove(replaces);
    const item: Upload = {
      id: newIdempotencyKey(),
      game: this.game,
      path: file.name,
      name: file.name,
      size: file.size,
      modified: file.lastModified,
      batch,
      place,
      added: Date.now(),
      state: "waiting",
      progress: 0,
      problem: null,
      file,
      blob: file,
      replaces: unsent ? replaces.replaces : replaces?.id,
    };
    this.items.push(item);
    await storeItems([toRecord(item)]);
    this.run();
    return item;
  }

  // Load the ids and digests of what the server already has.
  private async loadKnown() {
    try {
      const photos: PhotosModel["photos"] = [];
      for (;;) {
        const response = await request<PhotosModel>(
          `/api/v1/games/${this.game}/photos?limit=${PAGE_SIZE}&offset=${photos.length}`,
        );
        photos.push(...response.photos);
        if (!response.photos.length || photos.length >= response.total) break;
      }
      this.known = { ids: new Set(photos.map(({ id }) => id)), digests: new Map(photos.map(({ id, digest }) => [digest, id])) };
    } catch {
      // Without a response, use what this browser remembers.
      for (const { photo } of this.items) if (photo) this.known.ids.add(photo);
    }
  }

  // After a reload, open the files again by their handles, with the organiser's permission.
  async reopenFiles() {
    const roots = new Map<string, boolean>();
    for (const item of this.items) {
      const { handle, root } = item;
      if (item.state !== "asleep" || !handle) continue;
      const key = `${item.batch}/${root?.name ?? item.path}`;
      const allowed = async () => (await (root ?? handle).requestPermission({ mode: "read" })) === "granted";
      if (!roots.has(key)) roots.set(key, await allowed().catch(() => false));
      if (!roots.get(key)) continue;
      try {
        Object.assign(item, { file: await handle.getFile(), state: "waiting", old: false });
      } catch {
        // The file was moved; it can be dropped again.
        item.handle = undefined;
      }
    }
    this.run();
  }

  pause() {
    this.paused = true;
    for (const controller of this.controllers.values()) controller.abort();
    this.notify();
  }

  resume() {
    this.paused = false;
    this.trouble = null;
    clearTimeout(this.retryTimer);
    this.run();
  }

  retry(item: Upload) {
    deleteItem(item.id);
    Object.assign(item, { state: item.file ? "waiting" : "asleep", problem: null, id: newIdempotencyKey() });
    storeItems([toRecord(item)]);
    this.resume();
  }

  drop(items: Upload[]) {
    for (const item of items) this.remove(item);
    this.notify();
  }

  // Remove finished items from the list; their data is kept.
  clear() {
    for (const item of this.items) if (item.state === "sent") item.old = true;
    this.notify();
  }

  private remove(item: Upload) {
    this.controllers.get(item)?.abort();
    this.items = this.items.filter((one) => one !== item);
    deleteItem(item.id);
  }

  private run() {
    this.notify();
    while (!this.paused && !this.trouble && this.controllers.size < MAX_UPLOADS) {
      const item = this.items.find(({ state, replaces }) => state === "waiting" && !this.isSending(replaces));
      if (!item?.file) return;
      this.send(item, item.file).finally(() => this.run());
    }
  }

  private isSending(id: string | undefined) {
    return this.items.some((one) => one.id === id && one.state === "sending");
  }

  // Delete the photo that this upload replaces.
  private async deleteReplaced(item: Upload, photo: string) {
    const before = this.items.find(({ id }) => id === item.replaces);
    if (!before?.photo || before.photo === photo) return;
    const reason = encodeURIComponent(texts.pictures.count.reason);
    await request(`/api/v1/games/${this.game}/photos/${before.photo}?reason=${reason}`, { method: "DELETE" }).catch(
      (problem: Problem) => {
        if (problem.slug !== "not-found") throw problem;
      },
    );
    this.remove(before);
  }

  private async send(item: Upload, file: File) {
    const controller = new AbortController();
    this.controllers.set(item, controller);
    Object.assign(item, { state: "sending", progress: 0, problem: null });
    try {
      const digest = await digestOf(file);
      controller.signal.throwIfAborted();
      const there = digest && this.known.digests.get(digest);
      if (there) {
        await this.deleteReplaced(item, there);
        return this.done(item, there, true);
      }
      const query = new URLSearchParams({ batch: item.batch, place: String(item.place), name: item.name.slice(0, 200) });
      const response = await upload<PhotoModel>(`/api/v1/games/${this.game}/photos?${query}`, file, {
        key: item.id,
        signal: controller.signal,
        onProgress: (share) => {
          item.progress = share;
          this.notify();
        },
      });
      this.retryDelay = FIRST_RETRY_DELAY;
      this.known.digests.set(response.digest, response.id);
      await this.deleteReplaced(item, response.id);
      this.done(item, response.id, false);
    } catch (error) {
      this.failed(item, error, controller.signal.aborted);
    } finally {
      this.controllers.delete(item);
    }
  }

  private done(item: Upload, photo: string, twin: boolean) {
    this.known.ids.add(photo);
    Object.assign(item, { state: "sent", progress: 1, photo, twin, file: null, blob: undefined });
    storeItems([toRecord(item)]);
  }

  private failed(item: Upload, error: unknown, stopped: boolean) {
    Object.assign(item, { state: "waiting", progress: 0 });
    if (stopped) return;
    if (!(error instanceof Problem)) {
      // The file was moved or changed since it was dropped.
      Object.assign(item, { state: "asleep", file: null, handle: undefined });
    } else if (error.passing) {
      this.trouble = error;
      const wait = Math.max(error.wait * 1000, this.retryDelay);
      this.retryDelay = Math.min(MAX_RETRY_DELAY, this.retryDelay * 2);
      clearTimeout(this.retryTimer);
      this.retryTimer = setTimeout(() => this.resume(), wait);
    } else if (STOPPING_PROBLEMS.has(error.slug) || error.status === 401) {
      this.trouble = error;
      this.paused = true;
    } else {
      Object.assign(item, { state: "refused", problem: error });
    }
  }
}

const identity = ({ path, size, modified }: Pick<Upload, "path" | "size" | "modified">) => `${path}\n${size}\n${modified}`;
const toRecord = ({ progress: _progress, problem: _problem, file: _file, old: _old, ...record }: Upload): UploadRecord => record;

// Return the SHA-256 digest of a file, as the server does; "" without the Web Crypto API (no HTTPS). Reading it also shows
// whether the file still exists.
async function digestOf(file: File) {
  if (!globalThis.crypto?.subtle) {
    await file.slice(0, 1).arrayBuffer();
    return "";
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Storage of the uploads, so that after a reload none is forgotten or sent twice: names, sizes and places, and handles to the
// files if the browser has them. Photos of the page's own camera are stored until they are sent.

let database: Promise<IDBPDatabase> | undefined;

// Without storage everything works, but a reload forgets it.
async function withStorage<T>(work: (database: IDBPDatabase) => Promise<T>): Promise<T | undefined> {
  try {
    database ??= openDB("haggle-desk", 1, {
      upgrade: (fresh) => fresh.createObjectStore("files", { keyPath: "id" }).createIndex("game", "game"),
    });
    return await work(await database);
  } catch {
    return undefined;
  }
}

const loadItems = async (game: string): Promise<UploadRecord[]> =>
  (await withStorage((storage) => storage.getAllFromIndex("files", "game", game))) ?? [];

const storeItems = (records: UploadRecord[]) =>
  withStorage(async (storage) => {
    const change = storage.transaction("files", "readwrite");
    await Promise.all([...records.map((record) => change.store.put(record)), change.done]);
  });

const deleteItem = (id: string) => withStorage((storage) => storage.delete("files", id));

// Photos in what was dropped, pasted or chosen: files and whole folders, in natural order.

const PHOTO_NAME = /\.(jpe?g|jfif|png|webp|heic|heif|tiff?|pdf)$/i;
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

export const ACCEPT = "image/*,.heic,.heif,.tif,.tiff,application/pdf";
const isPicture = ({ file, path }: FileEntry) =>
  !path.split("/").pop()?.startsWith(".") && (/^image\//.test(file.type) || PHOTO_NAME.test(path));

// Return the photos among files in natural order, and the number of other files.
function sortPhotos(entries: FileEntry[]) {
  const pictures = entries.filter(isPicture).sort((a, b) => collator.compare(a.path, b.path));
  return { pictures, others: entries.length - pictures.length };
}

export const chosenFiles = (files: Iterable<File>): FileEntry[] =>
  [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

// Return all files of a drop, including those in folders. Its items are invalid after the event, so all are taken at once.
export async function droppedFiles(transfer: DataTransfer): Promise<FileEntry[]> {
  const items = [...(transfer.items ?? [])].filter((item) => item.kind === "file");
  const taken = items.map((item) => ({
    handle: item.getAsFileSystemHandle?.().catch(() => null),
    entry: item.webkitGetAsEntry?.() ?? null,
    file: item.getAsFile(),
  }));
  if (!taken.length) return chosenFiles(transfer.files ?? []);
  const found: FileEntry[] = [];
  for (const { handle, entry, file } of taken) {
    const kept = await handle;
    if (kept) await fromHandle(kept, "", kept, found);
    else if (entry) await fromEntry(entry, "", found);
    else if (file) found.push({ file, path: file.name });
  }
  return found;
}

// Handles, where browsers have them, open the same file again after a reload.
async function fromHandle(handle: FileHandle, folder: string, root: FileHandle, found: FileEntry[]) {
  const path = folder + handle.name;
  if ("getFile" in handle) found.push({ file: await handle.getFile(), path, handle, root });
  else for await (const child of handle.values()) await fromHandle(child, `${path}/`, root, found);
}

async function fromEntry(entry: FileSystemEntry, folder: string, found: FileEntry[]) {
  const path = folder + entry.name;
  if (isFile(entry)) {
    found.push({ file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // The entries of a folder come in portions.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const child of some) await fromEntry(child, `${path}/`, found);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

// File handles, which only some browsers have.
declare global {
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileHandle | null>;
  }
  interface FileSystemHandle {
    requestPermission(options: { mode: "read" }): Promise<PermissionState>;
  }
  interface FileSystemDirectoryHandle {
    values(): AsyncIterable<FileHandle>;
  }
}
