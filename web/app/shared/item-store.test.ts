// Items without storage, and the time between tries.

import { expect, test, vi } from "vitest";

vi.mock("./http", () => ({ Problem: class {} }));

const { Backoff, ItemStore } = await import("./item-store");

const item = (id: string) => ({ id, at: "2026-11-24T00:00:00Z", refused: null });

test("items live in memory without storage", async () => {
  const store = new ItemStore(() => Promise.reject(new Error("no storage")));
  const first = await store.add(item("first"));
  await store.add(item("second"));
  expect(first.unkept).toBe(true);
  await store.change(first.place, { at: "later" });
  expect((await store.all()).map(({ id, at }) => [id, at])).toEqual([
    ["first", "later"],
    ["second", "2026-11-24T00:00:00Z"],
  ]);
  await store.add(item("third"), ({ id }) => id === "second");
  await store.remove(first.place);
  expect((await store.all()).map(({ id }) => id)).toEqual(["third"]);
});

test("changes of all items are made in memory before storage fails", async () => {
  const store = new ItemStore(() => Promise.reject(new Error("no storage")));
  await store.add(item("first"));
  await store.add(item("second"));
  const change = store.changeAll((one) => (one.id === "first" ? null : { ...one, at: "later" }));
  await expect(change).rejects.toThrow("no storage");
  expect((await store.all()).map(({ id, at }) => [id, at])).toEqual([["second", "later"]]);
});

test("the time until the next try doubles up to a limit", () => {
  const backoff = new Backoff(1000, 3000);
  expect([backoff.fail(), backoff.fail(), backoff.fail(), backoff.next]).toEqual([1000, 2000, 3000, 3000]);
  backoff.reset();
  expect(backoff.next).toBe(1000);
});
