// Uploads a game's photos, three at a time, while any of the organisers' pages is open, and sends no file twice. What is stored
// are names, sizes and places, and handles to the files if the browser has them; photos of the page's own camera are stored
// whole. So after a reload none is forgotten.

import type { PhotoModel, PhotosModel } from "../../../api";
import { newIdempotencyKey, Problem, request, upload } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { ITEMS, ItemStore, type NewItem, newItem, problemOf, type Stored, storedDatabase } from "../../shared/item-store";
import { type Decision, type Sending, UploadQueue } from "../../shared/upload-queue";
import { type FileEntry, type FileHandle, sortPhotos } from "./dropped-files";

const NOTIFY_INTERVAL = 120; // milliseconds in which several changes count as one
const PAGE_SIZE = 1000;
const STOPPING_PROBLEMS = new Set(["wrong-state", "not-signed-in", "other-origin", "not-found"]); // problems that concern all photos

// Fetch all photos of a game, page by page.
export async function fetchAllPhotos(game: string, signal?: AbortSignal): Promise<PhotosModel> {
  const photos: PhotosModel["photos"] = [];
  for (;;) {
    const path = `/api/v1/games/${game}/photos?limit=${PAGE_SIZE}&offset=${photos.length}`;
    const response = await request<PhotosModel>(path, { signal });
    photos.push(...response.photos);
    if (!response.photos.length || photos.length >= response.total) return { ...response, photos };
  }
}

// The part of an upload that is stored. `photo` is the photo that it became; with `twin` the server had it already. One that
// `replaces` another upload deletes that photo. `tried` uploads may have arrived even if they wait, since responses can be lost.
type UploadItem = NewItem & {
  game: string;
  path: string;
  name: string;
  size: number;
  modified: number;
  batch: string;
  order: number;
  photo?: string;
  twin?: boolean;
  handle?: FileSystemFileHandle | undefined;
  root?: FileHandle | undefined;
  captured?: Blob | undefined;
  replaces?: string | undefined;
  tried?: boolean;
};
type StoredItem = Stored<UploadItem>;

// An upload as pages see it. One that is asleep has no file: it was lost by a reload. `old` ones are not listed.
export type Upload = StoredItem & {
  state: "waiting" | "sending" | "sent" | "refused" | "asleep";
  progress: number;
  problem: Problem | null;
  old: boolean;
};

// What a tab tells the others: which uploads it has files for. A new tab asks for it.
type Files = { tab: string; ids?: string[] };
const tab = newIdempotencyKey();
// Each tab has a lock as long as it lives, so that others learn that it is gone even if it crashed. There are none over plain HTTP.
navigator.locks?.request(tab, () => new Promise(() => {}));

const uploadsByGame = new Map<string, PhotoUploads>();
export const uploadsOf = (game: string) => {
  const uploads = uploadsByGame.get(game) ?? new PhotoUploads(game);
  uploadsByGame.set(game, uploads);
  return uploads;
};

// The uploads of a game.
export class PhotoUploads {
  private readonly queue: UploadQueue<UploadItem, Files>;
  private readonly loaded: Promise<void>;
  private readonly files = new Map<string, File>(); // by upload
  private readonly elsewhere = new Map<string, string[]>(); // uploads that other tabs have files for, by tab
  private readonly cleared = new Set<string>(); // uploads that are not listed any more
  private known = { ids: new Set<string>(), digests: new Map<string, string>() }; // what the server already has

  constructor(private readonly game: string) {
    this.queue = new UploadQueue({
      name: `haggle-uploads-${game}`,
      store,
      limit: 3,
      retryDelays: { first: 1000, most: 30_000 },
      belongs: (item) => item.game === game,
      isDue: (item) => this.isDue(item),
      send: (item, sending) => this.send(item, sending),
      decide,
    });
    this.queue.subscribe(({ event }) => event && this.noteFiles(event));
    this.loaded = this.start();
    // The server may be back long before the next try.
    addEventListener("haggle-live", () => this.trouble?.passing && !this.paused && this.resume());
    addEventListener("haggle-signed-in", () => this.trouble?.status === 401 && this.resume());
    addEventListener("beforeunload", (event) => this.queue.items.some(this.isUnsentHere) && event.preventDefault());
    addEventListener("pagehide", () => this.queue.tell({ event: { tab, ids: [] } }));
  }

  private async start() {
    await this.queue.start();
    for (const { id, photo } of this.queue.items) if (photo) this.cleared.add(id);
    this.queue.tell({ event: { tab } });
  }

  private noteFiles({ tab: from, ids }: Files) {
    if (from === tab) return;
    if (!ids) return void (this.files.size && this.tellFiles());
    const before = this.elsewhere.get(from);
    if (!before) navigator.locks?.request(from, () => this.noteFiles({ tab: from, ids: [] }));
    this.elsewhere.set(from, ids);
    this.queue.endProgress((before ?? []).filter((id) => !ids.includes(id)));
  }

  private tellFiles() {
    this.queue.tell({ event: { tab, ids: [...this.files.keys()] } });
  }

  get items(): Upload[] {
    const elsewhere = this.filesElsewhere();
    return this.queue.items.map((item) => this.toUpload(item, elsewhere));
  }

  private filesElsewhere() {
    return new Set([...this.elsewhere.values()].flat());
  }

  find(id: string): Upload | undefined {
    const item = this.queue.items.find((one) => one.id === id);
    return item && this.toUpload(item);
  }

  private toUpload(item: StoredItem, elsewhere = this.filesElsewhere()): Upload {
    const { id, photo, refused } = item;
    const held = this.hasFile(item) || elsewhere.has(id);
    const sent = held && this.queue.progressOf(id);
    const state = photo ? "sent" : refused ? "refused" : sent ? "sending" : held ? "waiting" : "asleep";
    const progress = photo ? 1 : sent ? sent.share : 0;
    return { ...item, state, progress, problem: problemOf(refused), old: this.cleared.has(id) };
  }

  get busy() {
    return this.items.some(({ state }) => state === "waiting" || state === "sending");
  }

  get paused() {
    return this.queue.paused;
  }

  // Why nothing is being sent.
  get trouble() {
    return this.queue.problem;
  }

  // Call `listener` after changes until the returned function is called.
  subscribe(listener: () => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = this.queue.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        listener();
      }, NOTIFY_INTERVAL);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }

  // Add files; resolves to how many are new, how many were already there, and how many are no photos.
  async add(entries: FileEntry[]) {
    await this.loaded;
    await this.loadKnown();
    const { pictures, others } = sortPhotos(entries);
    const batch = newIdempotencyKey();
    const known = new Map(this.items.map((item) => [identity(item), item]));
    const fresh = new Map<string, FileEntry>();
    const added: UploadItem[] = [];
    const replaced: Upload[] = [];
    for (const entry of pictures) {
      const { file, path, handle, root } = entry;
      const facts = { path, size: file.size, modified: file.lastModified };
      const before = known.get(identity(facts));
      const isUnsent = before && !before.photo && !before.refused;
      const isAgain = isUnsent ? this.hasFile(before) : before?.photo && this.known.ids.has(before.photo);
      if (isAgain || fresh.has(identity(facts))) continue;
      fresh.set(identity(facts), entry);
      if (isUnsent) {
        this.files.set(before.id, file);
        continue;
      }
      if (before) replaced.push(before);
      const item = { ...newItem(), ...facts, game: this.game, name: file.name, batch, order: fresh.size, handle, root };
      this.files.set(item.id, file);
      added.push(item);
    }
    const woken = this.queue.items.filter((item) => this.files.has(item.id) && fresh.has(identity(item)));
    const handles = ({ handle, root }: Partial<FileEntry> = {}) => ({ handle, root });
    await this.queue.change(woken, (item) => ({ ...item, ...handles(fresh.get(identity(item))) }));
    if (replaced.length) await this.drop(replaced);
    this.tellFiles();
    await this.queue.add(added);
    return { fresh: fresh.size, again: pictures.length - fresh.size, others };
  }

  // Add a photo of the page's own camera, which may replace another one; resolves to its upload once it is stored.
  async addCaptured(file: File, { batch, place, replaces }: { batch: string; place: number; replaces?: string | undefined }) {
    await this.loaded;
    const before = this.queue.items.find(({ id }) => id === replaces);
    const isUnsent = before && (before.refused || !(before.tried || before.photo));
    if (isUnsent) await this.queue.remove([before]);
    const facts = { path: file.name, name: file.name, size: file.size, modified: file.lastModified, captured: file };
    const item = {
      ...newItem(),
      ...facts,
      game: this.game,
      batch,
      order: place,
      replaces: isUnsent ? before.replaces : before?.id,
    };
    const [stored] = await this.queue.add([item]);
    return this.toUpload(stored as StoredItem);
  }

  // Load the ids and digests of what the server already has.
  private async loadKnown() {
    try {
      const { photos } = await fetchAllPhotos(this.game);
      this.known = { ids: new Set(photos.map(({ id }) => id)), digests: new Map(photos.map(({ id, digest }) => [digest, id])) };
    } catch {
      // Without a response, use what this browser remembers.
      for (const { photo } of this.queue.items) if (photo) this.known.ids.add(photo);
    }
  }

  // After a reload, open the files again by their handles, with the organiser's permission.
  async reopenFiles() {
    const roots = new Map<string, boolean>();
    const moved: Upload[] = [];
    for (const item of this.items) {
      const { handle, root } = item;
      if (item.state !== "asleep" || !handle) continue;
      const key = `${item.batch}/${root?.name ?? item.path}`;
      const allowed = async () => (await (root ?? handle).requestPermission({ mode: "read" })) === "granted";
      if (!roots.has(key)) roots.set(key, await allowed().catch(() => false));
      if (!roots.get(key)) continue;
      const file = await handle.getFile().catch(() => null);
      if (file) this.files.set(item.id, file);
      else moved.push(item); // it can be dropped again
    }
    await this.queue.change(moved, (item) => ({ ...item, handle: undefined }));
    this.tellFiles();
    this.resume();
  }

  pause() {
    this.queue.pause();
  }

  resume() {
    this.queue.resume();
  }

  async retry(item: Upload) {
    await this.queue.retry(item);
    this.resume();
  }

  async drop(items: Upload[]) {
    for (const { id } of items) this.files.delete(id);
    await this.queue.remove(items);
    if (!this.busy) this.resume();
  }

  // Remove finished items from the list; their data is kept.
  clear() {
    for (const { id, photo } of this.queue.items) if (photo) this.cleared.add(id);
    this.queue.tell({});
  }

  private fileOf({ id, name, captured }: StoredItem): File | undefined {
    return captured ? new File([captured], name, { type: captured.type }) : this.files.get(id);
  }

  private hasFile({ id, captured }: StoredItem) {
    return Boolean(captured) || this.files.has(id);
  }

  private readonly isUnsentHere = (item: StoredItem) => !item.photo && !item.refused && this.hasFile(item);

  // An upload that replaces another one waits for it.
  private isDue(item: StoredItem) {
    if (!this.isUnsentHere(item)) return false;
    return !item.replaces || !this.queue.items.some(({ id, photo, refused }) => id === item.replaces && !photo && !refused);
  }

  private async send(item: StoredItem, { signal, onProgress }: Sending): Promise<{ change: Partial<UploadItem> }> {
    const file = this.fileOf(item);
    const digest = file && (await digestOf(file).catch(() => null));
    signal.throwIfAborted();
    if (!file || digest === null) {
      // The file was moved or changed since it was dropped. A photo of the page's own camera is still here.
      if (item.captured) throw new Problem("page-error");
      this.files.delete(item.id);
      this.tellFiles();
      return { change: { handle: undefined } };
    }
    const there = digest && (await this.photoOf(digest, signal));
    if (there) return this.done(item, there, true);
    if (!item.tried) await this.queue.change([item], (before) => ({ ...before, tried: true }));
    const query = new URLSearchParams({ batch: item.batch, place: String(item.order), name: item.name.slice(0, 200) });
    const response = await upload<PhotoModel>(`/api/v1/games/${this.game}/photos?${query}`, file, {
      key: item.id,
      signal,
      onProgress,
    });
    this.known.digests.set(response.digest, response.id);
    return this.done(item, response.id, false);
  }

  // Return the photo that the server has of a file, if it was not deleted meanwhile.
  private async photoOf(digest: string, signal: AbortSignal) {
    const photo = this.known.digests.get(digest);
    if (!photo) return undefined;
    try {
      await request(`/api/v1/games/${this.game}/photos/${photo}`, { signal });
      return photo;
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.slug !== "not-found") throw problem;
      this.known.digests.delete(digest);
      return undefined;
    }
  }

  // Delete the photo that a sent upload replaces, and return what changes.
  private async done(item: StoredItem, photo: string, twin: boolean): Promise<{ change: Partial<UploadItem> }> {
    const before = this.queue.items.find(({ id }) => id === item.replaces);
    if (before?.photo && before.photo !== photo) {
      const reason = encodeURIComponent(texts.pictures.count.reason);
      await request(`/api/v1/games/${this.game}/photos/${before.photo}?reason=${reason}`, { method: "DELETE" }).catch(
        (problem: Problem) => {
          if (problem.slug !== "not-found") throw problem;
        },
      );
      await this.queue.remove([before]);
    }
    this.files.delete(item.id);
    return { change: { photo, twin, captured: undefined } };
  }
}

function decide({ passing, slug, status, wait }: Problem): Decision {
  if (passing) return "retry";
  if (STOPPING_PROBLEMS.has(slug) || status === 401) return "pause";
  return wait ? { seconds: wait } : "refuse";
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

const store = new ItemStore<UploadItem>(
  storedDatabase("haggle-uploads", (made) => made.createObjectStore(ITEMS.name, ITEMS.options)),
);
