import { describe, expect, it } from "vitest";
import { type FormulaName, functionAround, isNamed, matchingNames, wordBefore } from "./names";

const NAMES: FormulaName[] = [
  { name: "red", kind: "card", help: "Rot", insert: "red" },
  { name: "limit", kind: "number", help: "= 3", insert: "limit" },
  { name: "only_has_most", kind: "function", help: "whether nobody has more", insert: "only_has_most(" },
];

describe("completion", () => {
  it("offers names that begin with the word, then those that contain it, also by their meaning", () => {
    const found = (word: string) => matchingNames(NAMES, word).map(({ name }) => name);
    expect(found("r")).toEqual(["red", "only_has_most"]);
    expect(found("rot")).toEqual(["red"]);
    expect(found("red")).toEqual([]);
    expect(found("")).toEqual(["red", "limit"]);
  });

  it("replaces the word before the cursor", () => {
    expect(wordBefore("red > li + 2", 8)).toEqual({ word: "li", start: 6 });
    expect(wordBefore("red > ", 6)).toEqual({ word: "", start: 6 });
  });

  it("explains the function around the cursor", () => {
    expect(functionAround("min(red, max(1, 2), ", 20)).toBe("min");
    expect(functionAround("min(red, max(1, ", 16)).toBe("max");
    expect(functionAround("2 * (red + 1", 12)).toBe("");
  });
});

describe("a slug", () => {
  it("is named by itself or in a formula, but not within another name", () => {
    expect(isNamed('give = "2 * mint_tea"', "mint-tea")).toBe(true);
    expect(isNamed('rules = ["mint-tea"]', "mint-tea")).toBe(true);
    expect(isNamed('give = "mint_tea_cake + tea"', "mint-tea")).toBe(false);
  });

  it("may have signs that are not allowed while it is typed", () => {
    expect(["(", "+", "a*", "[", "\\"].map((slug) => isNamed("give = 1", slug))).toEqual([false, false, false, false, false]);
  });
});
