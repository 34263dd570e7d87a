import { expect, test, vi } from "vitest";
import { keysOf, leftOut, rulesWith, withLeftOut } from "./base-rules";
import { blocksOf, textOf } from "./toml-document";

const TOP = 'slug = "mine"\nextends = "base"\n';
const RULE = '\n[[rules]]\nkey = "1"\n';
const without = (text: string, key: string, out: boolean) =>
  textOf(withLeftOut(blocksOf(text), { keys: [key], effect: "" }, out));

test("The rules that a variant leaves out are a table of its own, which goes with the last of them", () => {
  const once = without(TOP + RULE, "2", true);
  expect(once).toBe(`${TOP}\n[without]\nrules = ["2"]\n${RULE}`);
  const twice = without(once, "third", true);
  expect(leftOut(blocksOf(twice))).toEqual(["2", "third"]);
  expect(without(without(twice, "2", false), "third", false)).toBe(TOP + RULE);
});

test("What else a variant leaves out stays, also at the top of the file", () => {
  const table = `${TOP}\n# Fewer.\n[without]\ncards = ["red"]\nrules = [2]\n`;
  expect(without(table, "2", false)).toBe(`${TOP}\n# Fewer.\n[without]\ncards = ["red"]\n`);
  const atTop = `${TOP}without.rules = [2, "3"]\n${RULE}`;
  expect(leftOut(blocksOf(without(atTop, "4", true)))).toEqual(["2", "3", "4"]);
  expect(without(without(atTop, "2", false), "3", false)).toBe(TOP + RULE);
});

test("The rules of a variant are those of its base that it keeps, with its own changes and new ones", () => {
  vi.stubGlobal("document", { documentElement: { lang: "en" } });
  const base = '[[families]]\nname = "kin"\ntitle.en = "Kin"\n\n[[families]]\ntitle.en = "Nameless"\n';
  const rules = ["1", "2"].map((key) => `\n[[rules]]\nkey = "${key}"\nname.en = "Rule ${key}"\n`).join("");
  const below = rulesWith(blocksOf(`${base}${rules}\n[[rules]]\nkey = 3\nfamily = "kin"\n`), []);
  expect(below.map(({ keys, title }) => `${keys} ${title}`)).toEqual(["1 Rule 1", "2 Rule 2", "3 Kin"]);
  expect(rulesWith(blocksOf(`${base}\n[[rules]]\nkey = "4"\n`), [])[0]?.title).toBe("4");
  const variant = `${TOP}\n[without]\nrules = [1]\n\n[[rules]]\nkey = "2"\ngive = 1\n\n[[rules]]\nkey = "new"\n`;
  const found = rulesWith(blocksOf(variant), below);
  expect(found.map(({ keys, title }) => `${keys} ${title}`)).toEqual(["2 Rule 2", "3 Kin", "new new"]);
  expect(found[0]?.block.data).toEqual({ key: "2", give: 1 });
});

test("A rule with several cards is left out by all its keys or its effect, and put back whole", () => {
  const base = '[[rules]]\nkeys = ["1", "2", "3"]\neffect = "same"\n';
  const [rule] = rulesWith(blocksOf(base), []);
  if (!rule) throw new Error("The rule is missing.");
  expect([rule.keys, rule.title]).toEqual([["1", "2", "3"], "1 …"]);
  const kept = (text: string) => rulesWith(blocksOf(text), [rule]).map(({ keys, block }) => [keys, keysOf(block)]);
  const some = `${TOP}\n[without]\nrules = ["1"]\n`;
  const effect = `${TOP}\n[without]\nrules = ["same"]\n`;
  const all = textOf(withLeftOut(blocksOf(some), rule, true));
  expect(leftOut(blocksOf(all))).toEqual(["1", "2", "3"]);
  expect([some, effect, all].map(kept)).toEqual([
    [
      [
        ["2", "3"],
        ["2", "3"],
      ],
    ],
    [],
    [],
  ]);
  expect([some, effect, all].map((text) => textOf(withLeftOut(blocksOf(text), rule, false)))).toEqual([TOP, TOP, TOP]);
});
