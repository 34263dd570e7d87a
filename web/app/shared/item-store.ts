// Items that wait for the server, such as photos: stored in the browser until it has them. Without storage, or without space,
// they live in memory until the page is closed.

import type { DBSchema, IDBPDatabase } from "idb";
import { Problem } from "./http";

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
// `place` is the key in the database, in the order of adding; `unkept` items could not be stored.
export type Stored<T extends NewItem> = T & { place: number | string; unkept?: boolean };
export interface ItemSchema<T extends NewItem> extends DBSchema {
  items: { key: number; value: T & { place?: number } };
}

export const ITEMS = { name: "items", options: { keyPath: "place", autoIncrement: true } } as const;

export class ItemStore<T extends NewItem> {
  private memory: Stored<T>[] = [];
  private count = 0;

  // `database` returns the database, which may have other stores too, opened again after the browser has closed it.
  constructor(private readonly database: () => Promise<unknown>) {}

  private async open() {
    return (await this.database()) as IDBPDatabase<ItemSchema<T>>;
  }

  async all(): Promise<Stored<T>[]> {
    const stored = await (await this.open().catch(() => null))?.getAll("items").catch(() => []);
    return [...((stored ?? []) as Stored<T>[]), ...this.memory];
  }

  // Add an item and return it; it replaces items that are the `same`.
  async add(item: T, same?: (other: T) => boolean): Promise<Stored<T>> {
    try {
      const writing = (await this.open()).transaction("items", "readwrite");
      const replaced = same ? (await writing.store.getAll()).filter(same) : [];
      for (const other of replaced) if (other.place) writing.store.delete(other.place);
      const place = await writing.store.add(item);
      await writing.done;
      return { ...item, place };
    } catch {
      const kept: Stored<T> = { ...item, place: `page-${++this.count}`, unkept: true };
      this.memory = [...this.memory.filter((other) => !same?.(other)), kept];
      return kept;
    }
  }

  // Change an item if it still exists.
  async change(place: Stored<T>["place"], change: Partial<T>): Promise<void> {
    const here = this.memory.find((item) => item.place === place);
    if (here) Object.assign(here, change);
    if (typeof place === "string") return;
    const writing = (await this.open()).transaction("items", "readwrite");
    const item = await writing.store.get(place);
    if (item) await writing.store.put({ ...item, ...change });
    await writing.done;
  }

  async remove(place: Stored<T>["place"]) {
    this.memory = this.memory.filter((item) => item.place !== place);
    if (typeof place === "number") await (await this.open()).delete("items", place);
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

// The time until the next try: it doubles with each failure.
export class Backoff {
  private delay: number;

  constructor(
    private readonly first: number,
    private readonly most: number,
  ) {
    this.delay = first;
  }

  get next() {
    return this.delay;
  }

  fail() {
    const now = this.delay;
    this.delay = Math.min(this.most, now * 2);
    return now;
  }

  reset() {
    this.delay = this.first;
  }
}
