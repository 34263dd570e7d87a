// Issues that can be decided alike.

import { beforeEach, expect, test, vi } from "vitest";
import type { IssueModel } from "../../../api";

vi.mock("./card-entry", () => ({}));
vi.mock("./issue-text", () => ({}));
const request = vi.fn();
vi.mock("../../shared/http", () => ({ request, Problem: Error }));

const { decideIssues, issuesAlike } = await import("./decisions");

beforeEach(() => void request.mockReset());

const issue = (key: string, envelope?: number, kind = "no-label", { how = "list", photographed = false } = {}) =>
  ({
    key,
    kind,
    standing: "open",
    choices: [{ do: "assign" }],
    suggestions: envelope ? [{ envelope, how, photographed }] : [],
  }) as unknown as IssueModel;

test("photos without a label go to their own suggested envelopes, unless two have the same one", () => {
  const [first, ...others] = [issue("a", 3), issue("b", 4), issue("c", 5), issue("d", 5), issue("e"), issue("f", 6, "count")];
  const alike = (envelope?: number) => issuesAlike([first as IssueModel, ...others], first as IssueModel, "assign", envelope);
  expect(alike(3).map(({ key }) => key)).toEqual(["b"]);
  expect(alike(4)).toEqual([]);
  expect(alike().map(({ key }) => key)).toEqual(["b", "c", "d", "e"]);
});

test("neighbours of a photo and envelopes that have been photographed are not decided all at once", () => {
  const first = issue("a", 3);
  const weak = issue("b", 4, "no-label", { how: "before" });
  const others = [weak, issue("c", 5, "no-label", { photographed: true }), issue("d", 6, "no-label", { how: "between" })];
  expect(issuesAlike([first, ...others], first, "assign", 3).map(({ key }) => key)).toEqual(["d"]);
  expect(issuesAlike([first, ...others], weak, "assign", 4)).toEqual([]);
});

test("a suggestion that has changed on the server ends the decisions", async () => {
  const issues = [issue("a", 3), issue("b", 4), issue("c", 5)];
  const puts: unknown[] = [];
  request.mockImplementation(async (path: string, { body }: { body?: unknown } = {}) => {
    if (body) puts.push(body);
    return body ? { item: null, open: 0, entered: [] } : path.endsWith("b") ? issue("b", 4) : issue("c", 9);
  });
  const body = { do: "assign", envelope: 3, reason: "Seen." } as const;
  await expect(decideIssues({ game: "G", issues, body, moves: {}, done: [], onDecided: () => {} })).rejects.toThrow("changed");
  expect(puts).toEqual([body, { ...body, envelope: 4 }]);
});
