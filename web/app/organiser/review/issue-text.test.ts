// Sentences about issues.

import { expect, test, vi } from "vitest";
import type { IssueModel } from "../../../api";

const says = {
  failed: ({ why }: { why: string }) => `${why} Photograph again.`,
  forged: ({ card }: { card: string }) => `${card} is forged.`,
};
const texts = {
  queue: { says, why: { truncated: "damaged" } },
  problems: {},
  doubtWords: { unread: { title: "Could not be read." } },
};
const say = (words: (values: object) => string, values: object) => words(values);
vi.mock("../../shared/i18n", () => ({ texts, say, language: () => "en", formatList: String }));

const { sentenceOf } = await import("./issue-text");

const issue = (kind: string, why: string, cards: object[] = []) =>
  ({ kind, case: why, cards, envelopes: [], places: [], text: "", says: "" }) as unknown as IssueModel;

test("a sentence has a capital, also if it begins with a reason or a card", () => {
  expect(sentenceOf(issue("failed", "truncated"))).toBe("Damaged. Photograph again.");
  expect(sentenceOf(issue("failed", "new-reason"))).toBe("Could not be read. Photograph again.");
  expect(sentenceOf(issue("forged", "", [{ code: "0A-1F-X", name: "blue" }]))).toBe("Blue 0A-1F-X is forged.");
});
