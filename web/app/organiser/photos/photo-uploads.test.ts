// Files of tabs that are gone, and photos that the server has already.

import { beforeEach, expect, test, vi } from "vitest";
import type { Stored } from "../../shared/item-store";

const DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // of "abc"

type Item = { id: string };
const shared = vi.hoisted(() => ({ items: [] as Stored<never>[], uploads: [] as string[], photos: [] as string[] }));
vi.mock("../../shared/http", () => {
  class Problem extends Error {
    constructor(readonly slug: string) {
      super(slug);
    }
  }
  const request = async (path: string) => {
    if (path.includes("?")) return { photos: [{ id: "photo", digest: DIGEST }], total: 1 };
    if (!shared.photos.includes(path)) throw new Problem("not-found");
  };
  const upload = (_path: string, _file: File, { key }: { key: string }) => {
    shared.uploads.push(key);
    return new Promise(() => {});
  };
  return { Problem, request, upload, newIdempotencyKey: () => String(Math.random()) };
});
vi.mock("../../shared/i18n", () => ({ texts: {} }));
vi.mock("../../shared/item-store", () => ({
  ITEMS: {},
  storedDatabase: () => {},
  problemOf: () => null,
  storedProblem: () => null,
  newItem: () => ({ id: String(Math.random()), at: "2026-11-24T00:00:00Z", refused: null }),
  ItemStore: class {
    all = async () => [...shared.items];
    add = async (items: Item[]) => {
      const added = items.map((item) => ({ ...item, place: shared.items.length + 1 }) as unknown as Stored<never>);
      shared.items.push(...added);
      return added;
    };
    change = async (items: Item[], change: (item: Stored<never>) => Stored<never>) => {
      shared.items = shared.items.map((one: Item) => {
        const item = one as Stored<never>;
        return items.some(({ id }) => id === one.id) ? change(item) : item;
      });
    };
    remove = async () => {};
  },
}));

let crash = () => {}; // of all tabs that have locks
const ends = new Map<string, Promise<unknown>>(); // of those who hold or want a lock, by its name
const lock = (name: string, ...more: unknown[]) => {
  const work = more.at(-1) as () => unknown;
  const crashed = new Promise<void>((resolve) => {
    const before = crash;
    crash = () => {
      before();
      resolve();
    };
  });
  const done = (ends.get(name) ?? Promise.resolve()).then(() => Promise.race([work(), crashed]));
  ends.set(name, done);
  return done;
};
vi.stubGlobal("navigator", { locks: { request: lock } });
vi.stubGlobal("addEventListener", () => {});
vi.stubGlobal("document", { addEventListener: () => {} });

const openTab = async (game: string) => {
  vi.resetModules();
  return (await import("./photo-uploads")).uploadsOf(game);
};
const entry = { file: new File(["abc"], "a.jpg", { type: "image/jpeg", lastModified: 1 }), path: "a.jpg" };
beforeEach(() => {
  Object.assign(shared, { items: [], uploads: [], photos: [] });
});

test("an upload of a tab that has crashed is not shown as being sent, and its file can be dropped again", async () => {
  const [first, second] = [await openTab("one"), await openTab("one")];
  await first.add([entry]);
  await vi.waitFor(() => expect(second.items.map(({ state }) => state)).toEqual(["sending"]));
  crash();
  await vi.waitFor(() => expect(second.items.map(({ state }) => state)).toEqual(["asleep"]));
  expect(await second.add([entry])).toEqual({ fresh: 1, again: 0, others: 0 });
  await vi.waitFor(() => expect(shared.uploads).toHaveLength(2));
  expect(new Set(shared.uploads).size).toBe(1);
  expect(await second.add([entry])).toEqual({ fresh: 0, again: 1, others: 0 });
});

test("a file that the server has is not sent, unless its photo was deleted meanwhile", async () => {
  shared.photos = ["/api/v1/games/two/photos/photo"];
  const uploads = await openTab("two");
  await uploads.add([entry]);
  await vi.waitFor(() => expect(uploads.items.map(({ twin }) => twin)).toEqual([true]));
  expect(shared.uploads).toEqual([]);
  shared.photos = [];
  await uploads.add([{ ...entry, path: "other.jpg" }]);
  await vi.waitFor(() => expect(shared.uploads).toHaveLength(1));
});
