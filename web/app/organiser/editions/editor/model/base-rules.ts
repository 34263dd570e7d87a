// The rules of the edition that a variant extends, and those of them that the variant leaves out.

import { textIn } from "./context";
import { type Block, changedBlock, inline, setAt, type Value, valueAt, withBlock } from "./toml-document";

// A rule with the keys of its cards, the name of its effect if it has several cards, its title, and the last block that states it.
export type BaseRule = { keys: string[]; effect: string; title: string; block: Block };

// Return the keys of a rule: `key`, or the `keys` of several cards.
export function keysOf({ data }: Block): string[] {
  const { key, keys } = data ?? {};
  if (Array.isArray(keys)) return keys.map(String);
  return key === undefined ? [] : [String(key)];
}

// Return the first key, with “…” if there are more.
export const shownKeys = ([first = "?", ...more]: string[]) => (more.length ? `${first} …` : first);

// Return a rule for the cards that a variant keeps, or undefined if it leaves out all of them.
export function keptRule(rule: BaseRule, left: string[]): BaseRule | undefined {
  const keys = rule.keys.filter((key) => !left.includes(key));
  if (keys.length === rule.keys.length && !left.includes(rule.effect)) return rule;
  if (keys.length === 0 || left.includes(rule.effect)) return undefined;
  const block = changedBlock(rule.block, (table) => {
    table.keys = keys;
  });
  return { ...rule, keys, block };
}

// Return the rules of an edition; `below` are those of the edition that it extends.
export function rulesWith(blocks: Block[], below: BaseRule[]): BaseRule[] {
  const left = leftOut(blocks);
  const kept = below.flatMap((rule) => keptRule(rule, left) ?? []);
  // A variant changes the rule whose first key is the first one of its entry.
  const rules = new Map(kept.map((rule) => [rule.keys[0], rule]));
  const families = new Map(blocks.filter(({ kind }) => kind === "families").map(({ data }) => [data?.name, data?.title]));
  for (const block of blocks) {
    const keys = keysOf(block);
    if (block.kind !== "rules" || keys.length === 0) continue;
    const { name, family, keys: several, effect } = block.data ?? {};
    const before = rules.get(keys[0]);
    const title = textIn(name) || textIn(family && families.get(family)) || (before?.title ?? shownKeys(keys));
    rules.set(keys[0], { keys, effect: several ? String(effect ?? before?.effect ?? "") : "", title, block });
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

// Return the names of the rules that a variant leaves out: keys, or effects of several cards.
export const leftOut = (blocks: Block[]) => entriesOf(blocks).map(String);

// Return the blocks of a variant that leaves out a rule, or does not any more.
export function withLeftOut(blocks: Block[], { keys, effect }: Pick<BaseRule, "keys" | "effect">, out: boolean): Block[] {
  const { at, path } = placeOfLeftOut(blocks);
  const entries = entriesOf(blocks);
  const others = entries.filter((one) => ![...keys, effect].includes(String(one)));
  const next = out ? [...others, ...keys] : others;
  if (at === 0 && valueAt(blocks[0]?.data, ["without"]) === undefined) {
    const lines = ["[without]", `rules = ${inline(next)}`, ""];
    return withBlock(blocks, { kind: "without", line: 0, lines, data: { rules: next } }, 0);
  }
  const changed = blocks.map((block, index) =>
    index === at ? changedBlock(block, (table) => setAt(table, path, next.length ? next : undefined)) : block,
  );
  return changed.filter(({ data }, index) => index !== at || at === 0 || Object.keys(data ?? {}).length > 0);
}
