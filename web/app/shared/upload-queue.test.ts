// What is sent when, the time between tries, several tabs, and items without storage.

import { beforeEach, expect, test, vi } from "vitest";
import type { Stored } from "./item-store";
import type { Decision } from "./upload-queue";

class Problem extends Error {
  passing = true;
  wait = 0;
  constructor(readonly slug: string) {
    super(slug);
  }
}
vi.mock("./http", () => ({ Problem, newIdempotencyKey: () => String(Math.random()) }));
vi.stubGlobal("addEventListener", () => {});
const ends = new Map<string, Promise<unknown>>(); // of those who hold or want a lock, by its name
const lock = (name: string, _options: object, work: () => unknown) => {
  const done = (ends.get(name) ?? Promise.resolve()).then(work);
  ends.set(
    name,
    done.catch(() => {}),
  );
  return done;
};
vi.stubGlobal("navigator", { locks: { request: lock } });
vi.stubGlobal("document", { addEventListener: () => {} });

const { ItemStore } = await import("./item-store");
const { Backoff, UploadQueue } = await import("./upload-queue");

type Item = { id: string; at: string; refused: null };
type Started = { id: string; end: (problem?: Error) => void };
type Queue = InstanceType<typeof UploadQueue<Item>>;
type Store = InstanceType<typeof ItemStore<Item>>;
const item = (id: string): Item => ({ id, at: "2026-11-24T00:00:00Z", refused: null });
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
const started: Started[] = [];
beforeEach(() => void started.splice(0));

const noStorage = (): Store => new ItemStore(() => Promise.reject(new Error("no storage")));
const stored = (id: string) => ({ ...item(id), place: Number(id) });

// A store that tabs share. Reading it takes longer than messages between tabs.
class SharedStore {
  constructor(public items: Stored<Item>[]) {}
  all = async () => {
    await soon();
    return [...this.items];
  };
  change = async () => {};
  remove = async (gone: Stored<Item>[]) => {
    this.items = this.items.filter(({ id }) => !gone.some((one) => one.id === id));
  };
}

let count = 0;
const queueOf = (limit: number, decide: Decision, store = noStorage(), name = `queue-${++count}`): Queue =>
  new UploadQueue<Item>({
    name,
    store,
    limit,
    retryDelays: { first: 20, most: 20 },
    send: ({ id }) =>
      new Promise((resolve, reject) => started.push({ id, end: (problem) => (problem ? reject(problem) : resolve({})) })),
    decide: () => decide,
  });
const names = () => started.map(({ id }) => id);
const end = async (id: string, problem?: Error) => {
  started
    .filter((one) => one.id === id)
    .at(-1)
    ?.end(problem);
  await soon();
};

test("items are sent in order, so many at once, also those that are added in between", async () => {
  const queue = queueOf(2, "retry");
  await queue.add([item("1"), item("2"), item("3")]);
  await soon();
  expect(names()).toEqual(["1", "2"]);
  await end("2");
  await end("1");
  await queue.add([item("4")]);
  await soon();
  expect(names()).toEqual(["1", "2", "3", "4"]);
  expect(queue.items.map(({ id }) => id)).toEqual(["3", "4"]);
});

test("a failure is retried by itself, and its problem stays until then", async () => {
  const queue = queueOf(1, "retry");
  await queue.add([item("1"), item("2")]);
  await soon();
  await end("1", new Problem("network"));
  expect(names()).toEqual(["1"]);
  expect(queue.problem?.slug).toBe("network");
  await vi.waitFor(() => expect(names()).toEqual(["1", "1"]));
  await end("1");
  await end("2");
  expect(queue.items).toEqual([]);
  expect(queue.problem).toBe(null);
});

test("a rejected item stays, and the others are sent", async () => {
  const queue = queueOf(1, "refuse");
  await queue.add([item("1"), item("2")]);
  await soon();
  await end("1", new Problem("not-a-picture"));
  expect(names()).toEqual(["1", "2"]);
  expect(queue.items.map(({ refused }) => (refused as Problem | null)?.slug)).toEqual(["not-a-picture", undefined]);
  await queue.retry(...queue.items.slice(0, 1));
  await end("2");
  expect(names()).toEqual(["1", "2", "1"]);
});

test("nothing is sent after a problem that concerns all, until somebody resumes or drops the items", async () => {
  const queue = queueOf(3, "pause");
  await queue.add([item("1")]);
  await soon();
  await end("1", new Problem("wrong-state"));
  await queue.add([item("2")]);
  await soon();
  expect([names(), queue.paused]).toEqual([["1"], true]);
  await queue.remove(queue.items.slice(0, 1));
  queue.resume();
  await soon();
  expect(names()).toEqual(["1", "2"]);
});

test("items that cannot be read are read again, and those in memory are not lost", async () => {
  const store = new SharedStore([stored("1")]);
  const all = vi.spyOn(store, "all").mockRejectedValueOnce(new Error("closed"));
  const queue = queueOf(1, "retry", store as unknown as Store);
  await queue.start();
  expect(queue.items).toEqual([]);
  await vi.waitFor(() => expect(names()).toEqual(["1"]));
  all.mockRejectedValueOnce(new Error("closed"));
  await queue.reload();
  expect(queue.items.map(({ id }) => id)).toEqual(["1"]);
});

test("reading fails if the database does, unless there is none", async () => {
  expect(await noStorage().all()).toEqual([]);
  vi.stubGlobal("indexedDB", {});
  await expect(noStorage().all()).rejects.toThrow("no storage");
  vi.stubGlobal("indexedDB", undefined);
});

const twoTabs = async (decide: Decision): Promise<Queue[]> => {
  const store = new SharedStore([stored("1")]) as unknown as Store;
  const tabs = [queueOf(1, decide, store), queueOf(1, decide, store, `queue-${count}`)];
  await Promise.all(tabs.map((tab) => tab.start()));
  await soon();
  return tabs;
};

test("an item that waits is sent by no tab before its time", async () => {
  const rounds = vi.spyOn(navigator.locks, "request");
  const tabs = await twoTabs({ seconds: 0.5 });
  await end("1", new Problem("wrong-state"));
  await soon();
  const before = rounds.mock.calls.length;
  tabs[0]?.tell({ idle: true });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([names(), rounds.mock.calls.length]).toEqual([["1"], before]);
  await vi.waitFor(() => expect(names()).toEqual(["1", "1"]));
  rounds.mockRestore();
});

test("a retry during an upload that then has to wait is made at once, but only one", async () => {
  const queue = queueOf(1, { seconds: 60 });
  await queue.add([item("1")]);
  await soon();
  await queue.retry();
  await end("1", new Problem("wrong-state"));
  expect(names()).toEqual(["1", "1"]);
  await end("1", new Problem("wrong-state"));
  await soon();
  expect(names()).toEqual(["1", "1"]);
});

test("all tabs wait as long as the server asks, and each knows why", async () => {
  const tabs = await twoTabs("retry");
  const problem = new Problem("busy");
  problem.wait = 60;
  await end("1", problem);
  tabs[1]?.retry();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(names()).toEqual(["1"]);
  expect(tabs.map((tab) => tab.problem?.slug)).toEqual(["busy", "busy"]);
});

test("an upload that the browser aborts is sent again after a pause", async () => {
  const queue = queueOf(1, "retry");
  await queue.add([item("1")]);
  await soon();
  await end("1", new DOMException("cancelled", "AbortError"));
  expect(names()).toEqual(["1"]);
  await vi.waitFor(() => expect(names()).toEqual(["1", "1"]));
});

test("the time until the next try doubles up to a limit", () => {
  const backoff = new Backoff({ first: 1000, most: 3000 });
  expect([backoff.fail(), backoff.fail(), backoff.fail(), backoff.next]).toEqual([1000, 2000, 3000, 3000]);
  backoff.reset();
  expect(backoff.next).toBe(1000);
});

test("items live in memory without storage", async () => {
  const store = new ItemStore(() => Promise.reject(new Error("no storage")));
  const [first] = await store.add([item("first"), item("second")]);
  expect(first?.unkept).toBe(true);
  const kept = first ? [first] : [];
  await store.change(kept, (one) => ({ ...one, at: "later" }));
  expect((await store.all()).map(({ id, at }) => [id, at])).toEqual([
    ["first", "later"],
    ["second", "2026-11-24T00:00:00Z"],
  ]);
  await store.add([item("third")], ({ id }) => id === "second");
  await store.remove(kept);
  expect((await store.all()).map(({ id }) => id)).toEqual(["third"]);
});

test("changes of all items are made in memory before storage fails", async () => {
  const store = new ItemStore(() => Promise.reject(new Error("no storage")));
  await store.add([item("first"), item("second")]);
  const change = store.changeAll((one) => (one.id === "first" ? null : { ...one, at: "later" }));
  await expect(change).rejects.toThrow("no storage");
  expect((await store.all()).map(({ id, at }) => [id, at])).toEqual([["second", "later"]]);
});
