import { describe, expect, it } from "vitest";
import { type FormulaName, filledRule, functionAround, isNamed, matchingNames, renamedInCards, wordBefore } from "./names";
import { blocksOf, textOf } from "./toml-document";

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

  it("of a category or group is renamed in the cards that name it", () => {
    const blocks = blocksOf('[[cards]]\nslug = "tea"\ncategory = "plate"\ngroups = ["hot", "cup"]\n\n[[ties]]\nname = "plate"\n');
    expect(textOf(renamedInCards(blocks, "categories", "plate", "dish"))).toContain('category = "dish"');
    const renamed = textOf(renamedInCards(blocks, "groups", "cup", "mug"));
    expect(renamed).toContain('groups = ["hot", "mug"]');
    expect(renamed).toContain('name = "plate"');
  });

  it("may have signs that are not allowed while it is typed", () => {
    expect(["(", "+", "a*", "[", "\\"].map((slug) => isNamed("give = 1", slug))).toEqual([false, false, false, false, false]);
  });
});

describe("a common rule", () => {
  it("gets the cards that were chosen, in formulas, keys, lists and texts, and keeps its numbers", () => {
    const rule = {
      name: { en: "Pairs" },
      text: { en: "“{tea}” and “{cake}”: {points}, {rule}", de: "„{tea}“" },
      numbers: { points: 2 },
      worth: { tea: "min(tea, cake) * points" },
      shield: { rules: ["rule"], lines: "cake" },
    };
    const slots = {
      tea: { slug: "mint-tea", name: "Mint", names: { en: "Mint", fr: "Menthe" } },
      cake: { slug: "pie", name: "Pie" },
      rule: { slug: "7", name: "Greedy" },
    };
    expect(filledRule(rule, slots, ["en", "fr"])).toEqual({
      name: { en: "Pairs", fr: "Pairs" },
      text: { en: "“Mint” and “Pie”: {points}, Greedy", fr: "“Menthe” and “Pie”: {points}, Greedy" },
      numbers: { points: 2 },
      worth: { "mint-tea": "min(mint_tea, pie) * points" },
      shield: { rules: ["7"], lines: "pie" },
    });
  });
});
