// Uploads a game's photos, three at a time, while any of the organisers' pages is open. It goes on after network failures and
// sends no file twice.

import { type IDBPDatabase, openDB } from "idb";
import type { PhotoModel, PhotosModel } from "../../../api";
import { newIdempotencyKey, Problem, request, upload } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Backoff, ITEMS, ItemStore, type NewItem, problemOf, type Stored, storedProblem } from "../../shared/item-store";

const MAX_UPLOADS = 3;
const FIRST_RETRY_DELAY = 1000; // milliseconds after a failure; doubles
const MAX_RETRY_DELAY = 30_000;
const NOTIFY_INTERVAL = 120; // milliseconds in which several progress events count as one
const PAGE_SIZE = 1000;
const STOPPING_PROBLEMS = new Set(["wrong-state", "not-signed-in", "other-origin", "not-found"]); // problems that concern all photos

// A file that was dropped, pasted or chosen, with its path below the dropped folder, and handles if the browser has them.
type FileEntry = { file: File; path: string; handle?: FileSystemFileHandle; root?: FileHandle };
type FileHandle = FileSystemFileHandle | FileSystemDirectoryHandle;

// The part of an upload that is stored. `photo` is the photo that it became; with `twin` the server had it already. Photos of
// the page's own camera are stored whole, as `captured`. One that `replaces` another upload deletes that photo. `tried` uploads
// may have arrived even if they wait, since responses can be lost.
type UploadItem = NewItem & {
  game: string;
  path: string;
  name: string;
  size: number;
  modified: number;
  batch: string;
  order: number;
  state: "waiting" | "sending" | "sent" | "refused" | "asleep";
  photo?: string;
  twin?: boolean;
  handle?: FileSystemFileHandle | undefined;
  root?: FileHandle | undefined;
  captured?: Blob | undefined;
  replaces?: string | undefined;
  tried?: boolean;
};

// An upload. Without a file it is asleep: the file was lost by a reload. `old` ones are not listed.
export type Upload = Stored<UploadItem> & { progress: number; problem: Problem | null; file?: File | null; old?: boolean };

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
  private readonly backoff = new Backoff(FIRST_RETRY_DELAY, MAX_RETRY_DELAY);
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
    await migrated;
    const stored = (await store.all()).filter(({ game }) => game === this.game);
    this.items = stored.map((item) => ({
      ...item,
      progress: 0,
      problem: problemOf(item.refused),
      old: !item.captured,
      file: item.captured ? new File([item.captured], item.name, { type: item.captured.type }) : null,
      state: item.state === "sent" ? "sent" : !item.captured ? "asleep" : item.refused ? "refused" : "waiting",
    }));
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
    let fresh = 0;
    let again = 0;
    for (const { file, path, handle, root } of pictures) {
      const facts = { path, size: file.size, modified: file.lastModified };
      const before = known.get(identity(facts));
      if (before?.state === "asleep") {
        Object.assign(before, { file, handle, root, state: "waiting", old: false });
        await save(before);
        fresh += 1;
      } else if (before && !(before.state === "sent" && !this.known.ids.has(before.photo ?? "")) && before.state !== "refused") {
        again += 1;
      } else {
        if (before) this.remove(before);
        fresh += 1;
        const item = await this.store({ ...facts, name: file.name, batch, order: fresh, handle, root }, file);
        known.set(identity(item), item);
      }
    }
    this.run();
    return { fresh, again, others };
  }

  // Add a photo of the page's own camera, which may replace another one; resolves to its upload once it is stored.
  async addCaptured(file: File, { batch, place, replaces }: { batch: string; place: number; replaces?: Upload | undefined }) {
    await this.loaded;
    const unsent = replaces && (replaces.state === "refused" || !(replaces.tried || replaces.photo));
    if (unsent) this.remove(replaces);
    const facts = { path: file.name, name: file.name, size: file.size, modified: file.lastModified };
    const before = unsent ? replaces.replaces : replaces?.id;
    const item = await this.store({ ...facts, batch, order: place, captured: file, replaces: before }, file);
    this.run();
    return item;
  }

  // Add an upload to the list once it is stored.
  private async store(what: Omit<UploadItem, keyof NewItem | "game" | "state">, file: File): Promise<Upload> {
    const common = {
      id: newIdempotencyKey(),
      at: new Date().toISOString(),
      refused: null,
      game: this.game,
      state: "waiting",
    } as const;
    const item = { ...(await store.add({ ...common, ...what })), progress: 0, problem: null, file };
    this.items.push(item);
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
    Object.assign(item, { state: item.file ? "waiting" : "asleep", problem: null, refused: null, id: newIdempotencyKey() });
    save(item);
    this.resume();
  }

  drop(items: Upload[]) {
    for (const item of items) this.remove(item);
    if (this.busy) this.notify();
    else this.resume();
  }

  // Remove finished items from the list; their data is kept.
  clear() {
    for (const item of this.items) if (item.state === "sent") item.old = true;
    this.notify();
  }

  private remove(item: Upload) {
    this.controllers.get(item)?.abort();
    this.items = this.items.filter((one) => one !== item);
    store.remove(item.place).catch(() => {}); // without storage
  }

  private run() {
    this.notify();
    while (!this.paused && !this.trouble && this.controllers.size < MAX_UPLOADS) {
      const item = this.items.find(({ state, replaces }) => state === "waiting" && !this.isPending(replaces));
      if (!item?.file) return;
      this.send(item, item.file).finally(() => this.run());
    }
  }

  private isPending(id: string | undefined) {
    return this.items.some((one) => one.id === id && (one.state === "waiting" || one.state === "sending"));
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
      if (!item.tried) {
        item.tried = true;
        await save(item);
      }
      const query = new URLSearchParams({ batch: item.batch, place: String(item.order), name: item.name.slice(0, 200) });
      const response = await upload<PhotoModel>(`/api/v1/games/${this.game}/photos?${query}`, file, {
        key: item.id,
        signal: controller.signal,
        onProgress: (share) => {
          item.progress = share;
          this.notify();
        },
      });
      this.backoff.reset();
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
    Object.assign(item, { state: "sent", progress: 1, photo, twin, file: null, captured: undefined });
    save(item);
  }

  private failed(item: Upload, error: unknown, stopped: boolean) {
    Object.assign(item, { state: "waiting", progress: 0 });
    if (stopped) return;
    if (!(error instanceof Problem)) {
      // The file was moved or changed since it was dropped. A photo of the page's own camera is still here.
      if (item.captured) this.refuse(item, new Problem("page-error"));
      else Object.assign(item, { state: "asleep", file: null, handle: undefined });
    } else if (error.passing) {
      this.trouble = error;
      const wait = Math.max(error.wait * 1000, this.backoff.fail());
      clearTimeout(this.retryTimer);
      this.retryTimer = setTimeout(() => this.resume(), wait);
    } else if (STOPPING_PROBLEMS.has(error.slug) || error.status === 401) {
      this.trouble = error;
      this.paused = true;
    } else {
      this.refuse(item, error);
    }
  }

  private refuse(item: Upload, problem: Problem) {
    Object.assign(item, { state: "refused", problem, refused: storedProblem(problem) });
    save(item);
  }
}

const identity = ({ path, size, modified }: Pick<Upload, "path" | "size" | "modified">) => `${path}\n${size}\n${modified}`;

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

let connection: Promise<IDBPDatabase> | undefined;

function database(): Promise<IDBPDatabase> {
  connection ??= openDB("haggle-uploads", 1, { upgrade: (made) => made.createObjectStore(ITEMS.name, ITEMS.options) });
  return connection;
}

const store = new ItemStore<UploadItem>(database);

async function save({ progress: _progress, problem: _problem, file: _file, old: _old, place, unkept: _unkept, ...item }: Upload) {
  await store.change(place, item).catch(() => {}); // without storage
}

// Move uploads that an earlier version of this page stored.
type OldItem = Omit<UploadItem, "at" | "refused" | "order" | "captured"> & { added: number; place: number; blob?: Blob };

async function migrate() {
  const before = await openDB("haggle-desk", 1, { upgrade: (made) => made.createObjectStore("files", { keyPath: "id" }) });
  const old: OldItem[] = await before.getAll("files");
  old.sort((a, b) => a.added - b.added || a.place - b.place);
  for (const { added, place, blob, ...item } of old) {
    const fresh = { ...item, at: new Date(added).toISOString(), refused: null, order: place, captured: blob };
    const { unkept } = await store.add(fresh, ({ id }) => id === item.id);
    if (unkept) return;
  }
  await before.clear("files");
  before.close();
}

const migrated = migrate().catch(() => {}); // without storage

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
