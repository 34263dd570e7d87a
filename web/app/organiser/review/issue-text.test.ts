// Sentences about issues.

import { expect, test, vi } from "vitest";
import type { IssueModel } from "../../../api";

const texts = { queue: { says: { failed: ({ why }: { why: string }) => `${why}. Photograph again.` }, why: { "": "unknown" } } };
const say = (words: (values: object) => string, values: object) => words(values);
vi.mock("../../shared/i18n", () => ({ texts, say, language: () => "en", formatList: String }));

const { sentenceOf } = await import("./issue-text");

const failed = (why: string) =>
  ({ kind: "failed", case: why, cards: [], envelopes: [], places: [], text: "", says: "" }) as unknown as IssueModel;

test("a sentence has a capital, also if it begins with a reason", () => {
  expect(sentenceOf(failed(""))).toBe("Unknown. Photograph again.");
  expect(sentenceOf(failed("new-reason"))).toBe("New-reason. Photograph again.");
});
