// Items that wait for the server, such as photos: stored in the browser until it has them. Without storage, or without space,
// they live in memory until the page is closed.

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { newIdempotencyKey, Problem } from "./http";

// The parts of a problem that are stored.
export type StoredProblem = { slug: string } & Partial<Pick<Problem, "status" | "title" | "detail" | "body">>;
export const storedProblem = ({ slug, status, title, detail, body }: Problem): StoredProblem => ({
  slug,
  status,
  title,
  detail,
  body,
});
export const problemOf = (stored: StoredProblem | null | undefined) => (stored ? new Problem(stored.slug, stored) : null);

// What every item has. Its `id` is its Idempotency-Key; `refused` is why the server rejected it, for good.
export type NewItem = { id: string; at: string; refused: StoredProblem | null };
export const newItem = (): NewItem => ({ id: newIdempotencyKey(), at: new Date().toISOString(), refused: null });
// `place` is the key in the database, in the order of adding; `unkept` items could not be stored.
export type Stored<T extends NewItem> = T & { place: number | string; unkept?: boolean };
export interface ItemSchema<T extends NewItem> extends DBSchema {
  items: { key: number; value: T & { place?: number } };
}

export const ITEMS = { name: "items", options: { keyPath: "place", autoIncrement: true } } as const;

// Return a function that returns a database, opened again after the browser has closed it.
export function storedDatabase<S extends DBSchema | unknown>(name: string, upgrade: (made: IDBPDatabase<S>) => void) {
  let connection: Promise<IDBPDatabase<S>> | null = null;
  const forget = () => {
    connection = null;
  };
  return (): Promise<IDBPDatabase<S>> => {
    connection ??= openDB<S>(name, 1, {
      upgrade,
      // A newer page wants to upgrade the database: close it, and open it again when it is needed.
      blocking(_current, _blocked, event) {
        (event.target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    }).catch((error) => {
      forget();
      throw error;
    });
    return connection;
  };
}

export class ItemStore<T extends NewItem> {
  private memory: Stored<T>[] = [];
  private count = 0;

  // `database` returns the database, which may have other stores too, opened again after the browser has closed it.
  constructor(private readonly database: () => Promise<unknown>) {}

  private async open() {
    return (await this.database()) as IDBPDatabase<ItemSchema<T>>;
  }

  // Return all items. Rejects if they cannot be read, which may be over soon.
  async all(): Promise<Stored<T>[]> {
    const stored = globalThis.indexedDB ? await (await this.open()).getAll("items") : [];
    return [...(stored as Stored<T>[]), ...this.memory];
  }

  // Add items, all or none of which are stored, and return them; they replace items that are the `same`.
  async add(items: T[], same?: (other: T) => boolean): Promise<Stored<T>[]> {
    try {
      const writing = (await this.open()).transaction("items", "readwrite");
      const replaced = same ? (await writing.store.getAll()).filter(same) : [];
      for (const other of replaced) if (other.place) writing.store.delete(other.place);
      const places = await Promise.all([...items.map((item) => writing.store.add(item)), writing.done]);
      return items.map((item, at) => ({ ...item, place: places[at] as number }));
    } catch {
      const kept = items.map((item): Stored<T> => ({ ...item, place: `page-${++this.count}`, unkept: true }));
      this.memory = [...this.memory.filter((other) => !same?.(other)), ...kept];
      return kept;
    }
  }

  // Change items that still exist.
  async change(items: Stored<T>[], change: (item: T) => T) {
    for (const item of this.memory) if (items.some(({ place }) => place === item.place)) Object.assign(item, change(item));
    const places = items.map(({ place }) => place).filter((place) => typeof place === "number");
    if (!places.length) return;
    const writing = (await this.open()).transaction("items", "readwrite");
    for (const place of places) {
      const item = await writing.store.get(place);
      if (item) writing.store.put(change(item));
    }
    await writing.done;
  }

  async remove(items: Stored<T>[]) {
    const places = items.map(({ place }) => place);
    this.memory = this.memory.filter(({ place }) => !places.includes(place));
    const stored = places.filter((place) => typeof place === "number");
    if (!stored.length) return;
    const writing = (await this.open()).transaction("items", "readwrite");
    for (const place of stored) writing.store.delete(place);
    await writing.done;
  }

  // Replace each item by what `change` returns for it; null removes it.
  async changeAll(change: (item: T) => T | null) {
    this.memory = this.memory.flatMap((item) => {
      const next = change(item);
      return next ? [{ ...item, ...next }] : [];
    });
    const writing = (await this.open()).transaction("items", "readwrite");
    for (let at = await writing.store.openCursor(); at; at = await at.continue()) {
      const next = change(at.value);
      if (!next) at.delete();
      else if (next !== at.value) at.update(next);
    }
    await writing.done;
  }
}
