import { readdirSync, readFileSync } from "node:fs";
import postcss from "postcss";
import { expect, test } from "vitest";
import { smallerPico, UNUSED } from "./pico.ts";

const FOLDERS = ["app", "pages", "live"];

// Return what an unused part of a selector would look like in a source.
function inSource(part: string): RegExp {
  const [, attribute, value] = /^\[([\w-]+)=?(\w*)\]$/.exec(part) ?? [];
  if (attribute) return new RegExp(`\\b${attribute}=${value && `"${value}"`}`);
  return part.startsWith(".") ? new RegExp(`class=\\{?[^}>]*["' \`]${part.slice(1)}["' \`]`) : new RegExp(`<${part}[ >]`);
}

test("what is removed from Pico is not used", () => {
  const names = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`));
  const files = [...names, ...readdirSync(".")].filter((name) => /\.([jt]sx?|html)$/.test(name) && !name.includes("pico"));
  const text = files.map((name) => readFileSync(name, "utf8")).join("\n");
  expect(UNUSED.filter((part) => inSource(part).test(text))).toEqual([]);
});

test("style sheets without Pico keep the variables that they set for it", async () => {
  const { css } = await postcss([smallerPico]).process(".score h2 { --pico-color: gold }", { from: "deck.css" });
  expect(css).toContain("--pico-color: gold");
});
