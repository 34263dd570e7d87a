import { describe, expect, test } from "vitest";
import type { IssueModel, PhotoDetailModel } from "../../../api";
import { isRetake, verdictOf } from "./verdict";

type Item = Partial<IssueModel> & Pick<IssueModel, "kind">;
const photo = (items: Item[], more: Partial<PhotoDetailModel> = {}) =>
  ({
    state: "done",
    labels: [7],
    envelopes: [7],
    cards: 12,
    items: items.map((item) => ({ standing: "open", seen: null, expected: null, ...item })),
    ...more,
  }) as PhotoDetailModel;

describe("verdict on a photo of an envelope", () => {
  test("none before it was read", () => {
    expect(verdictOf(photo([], { state: "waiting" }))).toBeNull();
    expect(verdictOf(photo([], { state: "scanning" }))).toBeNull();
  });

  test.each([
    ["nothing is open", [], { cards: 12, expected: null, advice: null, desk: [] }],
    ["settled by itself", [{ kind: "doubt", standing: "settled" } as unknown as Item], { advice: null }],
    ["a place that was not read", [{ kind: "doubt" }], { cards: 12, expected: 13, advice: "count" }],
    ["another number expected", [{ kind: "count", seen: 12, expected: 14 }, { kind: "doubt" }], { cards: 12, expected: 14 }],
    ["the player's list differs", [{ kind: "count", seen: 12 }], { expected: null, advice: "count" }],
    ["not read to the end", [{ kind: "incomplete" }], { expected: null, advice: "count" }],
    ["two labels first", [{ kind: "count", seen: 12, expected: 13 }, { kind: "two-labels" }], { advice: "two-labels" }],
    [
      "no retake helps",
      [{ kind: "two-decks" }, { kind: "two-decks" }, { kind: "late" }],
      { advice: null, desk: ["two-decks", "late"] },
    ],
  ] as [string, Item[], object][])("%s", (_, items, expected) => {
    expect(verdictOf(photo(items))).toMatchObject(expected);
  });

  test("issues about the envelope count, too", () => {
    const count = { standing: "open", kind: "count", seen: 12, expected: 13 } as IssueModel;
    expect(verdictOf(photo([]), [count])).toMatchObject({ cards: 12, expected: 13, advice: "count" });
  });

  test("the envelope is the owner, else the label", () => {
    expect(verdictOf(photo([{ kind: "no-label" }], { labels: [], envelopes: [] }))).toMatchObject({
      envelope: null,
      advice: "no-label",
    });
    expect(verdictOf(photo([], { labels: [7], envelopes: [9] }))?.envelope).toBe(9);
    expect(verdictOf(photo([{ kind: "nothing" }], { envelopes: [], cards: 0 }))).toMatchObject({
      envelope: 7,
      advice: "nothing",
    });
    expect(verdictOf(photo([], { state: "failed" }))?.advice).toBe("failed");
  });
});

describe("retake", () => {
  const shot = (labels: number[], cards: string[], envelope?: number) => ({
    view: { labels, cards },
    verdict: envelope === undefined ? null : { envelope, cards: 0, expected: null, advice: null, desk: [] },
  });

  test.each([
    ["of the same label", shot([7], ["a"]), { labels: [7], cards: ["b"] }, true],
    ["of another label", shot([7], ["a"]), { labels: [8], cards: ["b"] }, false],
    ["of an envelope that only the server knows", shot([], ["a"], 7), { labels: [7], cards: [] }, true],
    ["of the same cards, with a label now", shot([], ["a"]), { labels: [8], cards: ["b", "a"] }, true],
    ["of other cards", shot([], ["a"]), { labels: [8], cards: ["b"] }, false],
    ["after a photo that showed nothing", shot([], []), { labels: [8], cards: ["b"] }, true],
  ])("%s", (_, before, view, replaces) => expect(isRetake(before, view)).toBe(replaces));
});
