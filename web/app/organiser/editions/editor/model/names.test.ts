import { describe, expect, it } from "vitest";
import {
  type FormulaName,
  filledRule,
  functionAround,
  isNamed,
  isTaken,
  matchingNames,
  renamedPart,
  withoutReferences,
  wordBefore,
} from "./names";
import { blocksOf, textOf } from "./toml-document";

const NAMES: FormulaName[] = [
  { name: "red", kind: "card", help: "Rot", insert: "red" },
  { name: "limit", kind: "number", help: "= 3", insert: "limit" },
  { name: "only_has_most", kind: "function", help: "whether nobody has more", insert: "only_has_most(" },
];

const PARTS = `[[categories]]
slug = "plate"

[[groups]]
slug = "cup"

[[groups]]
slug = "pot"

[[families]]
name = "pairs"

[[cards]]
slug = "tea"
category = "plate"
groups = ["hot", "cup"]

[[rules]]
family = "pairs"

[[ties]]
name = "plate"
`;

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

  it("is renamed in the cards and rules that name the part", () => {
    const blocks = blocksOf(PARTS);
    expect(textOf(renamedPart(blocks, 1, "slug", "dish"))).toBe(
      PARTS.replace('slug = "plate"', 'slug = "dish"').replace('category = "plate"', 'category = "dish"'),
    );
    expect(textOf(renamedPart(blocks, 2, "slug", "mug"))).toBe(PARTS.replaceAll('"cup"', '"mug"'));
    expect(textOf(renamedPart(blocks, 4, "name", "sets"))).toBe(PARTS.replaceAll('"pairs"', '"sets"'));
  });

  it("stays as it is if the new one is empty or belongs to another part of the list", () => {
    const blocks = blocksOf(PARTS);
    expect(["", "pot", "cup"].map((slug) => renamedPart(blocks, 2, "slug", slug) === blocks)).toEqual([true, true, true]);
    expect(isTaken(blocks, 2, "slug", "pot")).toBe(true);
    expect(["cup", "plate", ""].map((slug) => isTaken(blocks, 2, "slug", slug))).toEqual([false, false, false]);
  });

  it("is not looked for where cards and rules name their category, groups and family", () => {
    const text = textOf(blocksOf(PARTS).slice(5, 7).map(withoutReferences));
    expect(["plate", "cup", "pairs"].map((slug) => isNamed(text, slug))).toEqual([false, false, false]);
    expect(isNamed(text, "tea")).toBe(true);
    const several =
      '[[cards]]\ngroups = [\n  "cup",\n]\n\n[[rules]]\nlists.of = [\n  "pot",\n]\ngive = """\ncup_size\n+ mug"""\n';
    const words = textOf(blocksOf(several).map(withoutReferences));
    expect(["cup", "pot", "mug"].map((slug) => isNamed(words, slug))).toEqual([false, true, true]);
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
