import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type Block,
  blocksOf,
  changedBlock,
  movedBlock,
  newBlock,
  setAt,
  type Table,
  textOf,
  valueAt,
  withBlock,
} from "./toml-document";

const TEXT = `# A tea party.

slug = "tea"
title.en = "Tea party"

# Cards.
[[cards]]
slug = "tea" # green
name.en = "Tea"

[[cards]]
slug = "cake"
name.en = "Cake"

# A rule.
[[rules]]
key = "1"
text.en = """
[[cards]]
More "tea"."""
lists = { of = [
  "tea",
] }
case = [
  { when = "tea > 2", give = 2 }, # many
]

[[rules.also]]
take = 1

[without]
rules = ["7"]
`;

const changed = (text: string, at: number, work: (table: Table) => void) =>
  textOf(blocksOf(text).map((block, index) => (index === at ? changedBlock(block, work) : block)));

describe("an edition as blocks", () => {
  it("is read with comments, texts of several lines and subtables in their block, and written unchanged", () => {
    const blocks = blocksOf(TEXT);
    expect(blocks.map(({ kind, line }) => [kind, line])).toEqual([
      ["", 1],
      ["cards", 6],
      ["cards", 11],
      ["rules", 15],
      ["without", 31],
    ]);
    expect(textOf(blocks)).toBe(TEXT);
    expect(valueAt(blocks[1]?.data, ["name", "en"])).toBe("Tea");
    expect(valueAt(blocks[3]?.data, ["also", 0, "take"])).toBe(1);
  });

  it("keeps comments and all other lines when a value changes", () => {
    const text = changed(TEXT, 1, (card) => setAt(card, ["slug"], "mate"));
    expect(text).toBe(TEXT.replace('"tea" # green', '"mate" # green'));
    const cases = changed(TEXT, 3, (rule) => setAt(rule, ["case", 0, "give"], "3 * tea"));
    expect(cases).toBe(TEXT.replace("give = 2 }, # many", 'give = "3 * tea" }, # many'));
  });

  it("adds and removes values", () => {
    const text = changed(TEXT, 2, (card) => setAt(card, ["name", "de"], "Kuchen"));
    expect(valueAt(blocksOf(text)[2]?.data, ["name"])).toEqual({ en: "Cake", de: "Kuchen" });
    expect(text).toContain('name.de = "Kuchen"\n\n# A rule.');
    expect(changed(text, 2, (card) => setAt(card, ["name", "de"], undefined))).toBe(TEXT);
    const number = changed(TEXT, 3, (rule) => setAt(rule, ["numbers", "limit"], 3));
    expect(valueAt(blocksOf(number)[3]?.data, ["numbers"])).toEqual({ limit: 3 });
    expect(
      valueAt(blocksOf(changed(number, 3, (rule) => setAt(rule, ["numbers", "limit"], undefined)))[3]?.data, ["numbers"]),
    ).toBe(undefined);
  });

  it("reads the rest of a file in which a block is wrong", () => {
    const blocks = blocksOf(TEXT.replace('slug = "cake"', "slug ="));
    expect(blocks.map(({ data }) => data === null)).toEqual([false, false, true, false, false]);
  });

  it("gets new blocks behind those of their kind, which can be exchanged", () => {
    const rule = {
      key: "2",
      name: { en: "A", de: "B" },
      says: { line: { en: "C" } },
      numbers: { points: 2 },
      case: [{ give: "2 * tea" }],
    };
    const added = withBlock(blocksOf(TEXT), newBlock("rules", rule));
    const text = textOf(added);
    expect(text).toContain(
      '[[rules]]\nkey = "2"\nname.en = "A"\nname.de = "B"\nsays.line.en = "C"\nnumbers = { points = 2 }\ncase = [{ give = "2 * tea" }]\n\n[without]',
    );
    expect(blocksOf(text)[4]?.data).toEqual(rule);
    const slugs = (blocks: Block[]) => blocks.filter(({ kind }) => kind === "cards").map(({ data }) => data?.slug);
    expect(slugs(blocksOf(textOf(movedBlock(blocksOf(TEXT), 2, -1))))).toEqual(["cake", "tea"]);
    expect(movedBlock(blocksOf(TEXT), 1, -1)).toEqual(blocksOf(TEXT));
  });

  it("are read in the installed editions", () => {
    for (const name of ["eurocg_2026", "sackson_1969", "tarot_fr"]) {
      const text = readFileSync(`${import.meta.dirname}/../../../../../../server/editions/${name}/edition.toml`, "utf8");
      const blocks = blocksOf(text);
      expect(textOf(blocks)).toBe(text);
      expect(blocks.filter(({ data }) => data === null)).toEqual([]);
      expect(blocks.filter(({ kind }) => kind === "rules").length).toBe(text.match(/^\[\[rules\]\]$/gm)?.length);
    }
  });

  it("can begin in a file without tables", () => {
    const text = textOf(withBlock(blocksOf('slug = "a"'), newBlock("cards", { slug: "tea" })));
    expect(text).toBe('slug = "a"\n\n[[cards]]\nslug = "tea"\n');
  });
});
