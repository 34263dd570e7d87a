// The rules of the edition that a variant extends, and those of them that the variant leaves out.

import { textIn } from "./context";
import { type Block, changedBlock, inline, setAt, type Value, valueAt, withBlock } from "./toml-document";

// A rule with its title and the last block that states it.
export type BaseRule = { key: string; title: string; block: Block };

// Return the rules of an edition; `below` are those of the edition that it extends.
export function rulesWith(blocks: Block[], below: BaseRule[]): BaseRule[] {
  const left = leftOut(blocks);
  const rules = new Map(below.filter(({ key }) => !left.includes(key)).map((rule) => [rule.key, rule]));
  const families = new Map(blocks.filter(({ kind }) => kind === "families").map(({ data }) => [data?.name, data?.title]));
  for (const block of blocks) {
    if (block.kind !== "rules" || block.data?.key === undefined) continue;
    const { name, family } = block.data;
    const key = String(block.data.key);
    const title = textIn(name) || textIn(family && families.get(family)) || (rules.get(key)?.title ?? key);
    rules.set(key, { key, title, block });
  }
  return [...rules.values()];
}

// Return the place of the list of rules that a variant leaves out: in a table of its own, or at the top of the file.
export function placeOfLeftOut(blocks: Block[]) {
  const at = blocks.findIndex(({ kind }) => kind === "without");
  return at < 0 ? { at: 0, path: ["without", "rules"] } : { at, path: ["rules"] };
}

function entriesOf(blocks: Block[]): Value[] {
  const { at, path } = placeOfLeftOut(blocks);
  const found = valueAt(blocks[at]?.data, path);
  return Array.isArray(found) ? found : [];
}

// Return the keys of the rules that a variant leaves out.
export const leftOut = (blocks: Block[]) => entriesOf(blocks).map(String);

// Return the blocks of a variant that leaves out a rule, or does not any more.
export function withLeftOut(blocks: Block[], key: string, out: boolean): Block[] {
  const { at, path } = placeOfLeftOut(blocks);
  const entries = entriesOf(blocks);
  const next = out ? [...entries, key] : entries.filter((one) => String(one) !== key);
  if (at === 0 && valueAt(blocks[0]?.data, ["without"]) === undefined) {
    const lines = ["[without]", `rules = ${inline(next)}`, ""];
    return withBlock(blocks, { kind: "without", line: 0, lines, data: { rules: next } }, 0);
  }
  const changed = blocks.map((block, index) =>
    index === at ? changedBlock(block, (table) => setAt(table, path, next.length ? next : undefined)) : block,
  );
  return changed.filter(({ data }, index) => index !== at || at === 0 || Object.keys(data ?? {}).length > 0);
}
