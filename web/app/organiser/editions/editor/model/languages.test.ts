import { readFileSync } from "node:fs";
import { parse } from "@decimalturn/toml-patch";
import { describe, expect, it } from "vitest";
import { withLanguage, withoutLanguage } from "./languages";
import { blocksOf, type Table, textOf } from "./toml-document";

const EDITIONS = `${import.meta.dirname}/../../../../../../server/editions`;
const installed = (name: string) => readFileSync(`${EDITIONS}/${name}/edition.toml`, "utf8");

// Return a value of an edition with other texts.
const other = (value: unknown, change: (texts: Table) => Table): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if ("en" in value) return change(value as Table);
  const inner = Object.entries(value).map(([key, one]) => [key, other(one, change)]);
  return Array.isArray(value) ? inner.map(([, one]) => one) : Object.fromEntries(inner);
};
const withoutFrench = (edition: unknown) => other(edition, ({ fr: _, ...others }) => others);

describe("the languages of an edition", () => {
  it.each(["eurocg_2026", "sackson_1969"])("lose one with all its texts, and nothing else, in %s", (name) => {
    const text = installed(name);
    const less = textOf(withoutLanguage(blocksOf(text), "fr"));
    expect(parse(less)).toEqual(withoutFrench(parse(text)));
    expect(less.match(/^#.*$/gm)).toEqual(text.match(/^#.*$/gm));
  });

  it("gain one with the texts of another, also those of several lines", () => {
    const text = installed("eurocg_2026");
    const more = textOf(withLanguage(withoutLanguage(blocksOf(text), "fr"), "fr", "en"));
    expect(parse(more)).toEqual(other(parse(text), (texts) => ({ ...texts, fr: texts.en ?? "" })));
  });

  it("stay as they are in a block with a mistake", () => {
    const text = 'title = { en = "A", fr = "B" }\n\n[[cards]]\nslug =\nname.fr = "C"\n';
    expect(textOf(withoutLanguage(blocksOf(text), "fr"))).toBe('title = { en = "A" }\n\n[[cards]]\nslug =\nname.fr = "C"\n');
  });
});
