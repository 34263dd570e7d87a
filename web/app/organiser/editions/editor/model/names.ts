// The names that formulas can use, the completion of the word before the cursor, and a rule with other names.

import { textIn } from "./context";
import { type Block, changedBlock, isTable, type Table, type Value } from "./toml-document";

export type NameKind = "card" | "category" | "group" | "number" | "defined" | "fact" | "part" | "function" | "other";

// A name for formulas, its meaning, and the text that is inserted.
export type FormulaName = { name: string; kind: NameKind; help: string; insert: string };

export const identifier = (slug: string) => slug.replaceAll("-", "_");
export const hyphenated = (name: string) => name.replaceAll("_", "-");

// Return whether a text names a slug, in words of its own or in a formula.
export function isNamed(text: string, slug: string): boolean {
  const words = new Set(text.split(/[^\w-]+/));
  return words.has(slug) || words.has(identifier(slug));
}

// The parts that others name: those in which items, and the field.
const REFERENCES: Record<string, [kind: string, field: string]> = {
  categories: ["cards", "category"],
  groups: ["cards", "groups"],
  families: ["rules", "family"],
};

// Return the lines of a block; those of a card or rule are the names and values of its fields except category, groups and family.
export function withoutReferences({ kind, lines, data }: Block): Pick<Block, "lines"> {
  const fields = Object.values(REFERENCES).flatMap(([naming, field]) => (naming === kind ? [field] : []));
  if (!data || fields.length === 0) return { lines };
  return { lines: wordsIn(Object.fromEntries(Object.entries(data).filter(([field]) => !fields.includes(field)))) };
}

const wordsIn = (value: Value): string[] =>
  typeof value === "object" ? Object.entries(value).flatMap(([name, inner]) => [name, ...wordsIn(inner)]) : [String(value)];

// Return whether another part of the same list has a slug.
export const isTaken = (blocks: Block[], at: number, field: "slug" | "name", slug: string) =>
  slug !== "" &&
  blocks.some(
    ({ kind, data }, index) =>
      index !== at && kind === blocks[at]?.kind && hyphenated(String(data?.[field] ?? "")) === hyphenated(slug),
  );

// Return the blocks with another slug of a part, also in the cards and rules that name it; unchanged if it is empty or taken.
export function renamedPart(blocks: Block[], at: number, field: "slug" | "name", slug: string): Block[] {
  const { kind = "", data } = blocks[at] ?? {};
  const before = data?.[field];
  if (!slug || slug === before || isTaken(blocks, at, field, slug)) return blocks;
  const [naming, reference = ""] = REFERENCES[kind] ?? [];
  const names = (value: Value | undefined) => value === before || (Array.isArray(value) && value.includes(before ?? ""));
  const renamed = (value: Value | undefined) => (Array.isArray(value) ? value.map((one) => (one === before ? slug : one)) : slug);
  return blocks.map((block, index) => {
    if (index === at)
      return changedBlock(block, (table) => {
        table[field] = slug;
      });
    if (!before || block.kind !== naming || !names(block.data?.[reference])) return block;
    return changedBlock(block, (table) => {
      table[reference] = renamed(table[reference]);
    });
  });
}

// What has a name, in the page's language if there is one, and its names by language.
export type Named = { slug: string; name: string; names?: Value | undefined };

// Return the cards, categories and groups that an edition states, with those of the last report, which has also those of the
// edition that a variant extends.
export function namedIn(blocks: Block[], known: Named[], kind: string): Named[] {
  const stated = blocks
    .filter((block) => block.kind === kind && block.data)
    .map(({ data }) => ({
      slug: String(data?.slug ?? data?.name ?? ""),
      name: textIn(data?.name) || textIn(data?.label),
      names: data?.name,
    }))
    .filter(({ slug }) => slug && !slug.includes("{"));
  const seen = new Set(stated.map(({ slug }) => slug));
  return [...stated.map((one) => ({ ...one, name: one.name || one.slug })), ...known.filter(({ slug }) => !seen.has(slug))];
}

// Return the keys of an edition's rules with their titles.
export function rulesIn(blocks: Block[], known: Named[]): Named[] {
  const stated = blocks
    .filter(({ kind, data }) => kind === "rules" && data)
    .map(({ data }) => ({ slug: String(data?.key ?? ""), name: textIn(data?.name), names: data?.name }))
    .filter(({ slug }) => slug);
  const seen = new Set(stated.map(({ slug }) => slug));
  const others = known
    .filter(({ slug }) => slug.startsWith("rule-"))
    .map(({ slug, name }) => ({ slug: slug.slice("rule-".length), name }));
  return [...stated, ...others.filter(({ slug }) => !seen.has(slug))];
}

// Return what a rule itself names: its numbers, lists and definitions. Those of a family are also those of its rules.
export function ownNames(blocks: Block[], at: number): FormulaName[] {
  const own = blocks[at];
  const rules = own?.kind === "families" ? rulesOf(blocks, own.data?.name) : [];
  const found = [own, ...rules].flatMap((rule) => namesOf(rule));
  return [...new Map(found.map((one) => [one.name, one])).values()];
}

// Return the rules of a family.
export const rulesOf = (blocks: Block[], family: Value | undefined) =>
  blocks.filter(({ kind, data }) => kind === "rules" && family !== undefined && data?.family === family);

function namesOf(rule: Block | undefined): FormulaName[] {
  const names = (field: string, kind: NameKind) => {
    const table = rule?.data?.[field];
    if (Array.isArray(table)) return table.map((name) => ({ name: String(name), kind, help: "", insert: String(name) }));
    if (!isTable(table)) return [];
    return Object.entries(table).map(([name, value]) => ({
      name,
      kind,
      help: typeof value === "object" ? "" : `= ${value}`,
      insert: name,
    }));
  };
  return [
    ...names("numbers", "number"),
    ...names("settings", "number"),
    ...names("define", "defined"),
    ...names("lists", "group"),
  ];
}

// Return the word before the cursor, and where it begins.
export function wordBefore(text: string, cursor: number): { word: string; start: number } {
  const word = /[A-Za-z_]\w*$/.exec(text.slice(0, cursor))?.[0] ?? "";
  return { word, start: cursor - word.length };
}

// Return the names that fit a word: those that begin with it, then those that contain it in their name or meaning.
export function matchingNames(names: FormulaName[], word: string): FormulaName[] {
  const wanted = word.toLowerCase();
  if (!wanted) return names.filter(({ kind }) => kind !== "function" && kind !== "other");
  const begins = names.filter(({ name }) => name.toLowerCase().startsWith(wanted) && name !== word);
  const contains = names.filter(
    (one) => !begins.includes(one) && one.name !== word && `${one.name} ${one.help}`.toLowerCase().includes(wanted),
  );
  return [...begins, ...contains];
}

// Return the name of the innermost function in whose brackets the cursor is.
export function functionAround(text: string, cursor: number): string {
  let depth = 0;
  for (let at = cursor - 1; at >= 0; at--) {
    if (text[at] === ")") depth++;
    if (text[at] === "(" && depth-- === 0) {
      const { word } = wordBefore(text, at);
      if (word) return word;
      depth = 0;
    }
  }
  return "";
}

// Return a name that no item has: with the next number at its end.
export function freeName(taken: string[], name: string): string {
  const stem = name.replace(/-?\d+$/, "");
  for (let number = 2; ; number++) {
    const next = stem ? `${stem}-${number}` : String(number);
    if (!taken.includes(next)) return next;
  }
}

// Return names by language with the number at the end of a slug, such as "Red 2" for red-2.
export function numbered(names: Table, slug: string): Table {
  const [number] = /\d+$/.exec(slug) ?? [];
  return Object.fromEntries(Object.entries(names).map(([one, name]) => [one, `${String(name).replace(/ *\d+$/, "")} ${number}`]));
}

// What takes the place of the slots of a rule.
export type Slots = Record<string, Named>;

// Return a rule with other names: slugs in keys and lists, identifiers in formulas, and names in braces in texts.
export function filledRule(rule: Table, slots: Slots, languages: string[]): Table {
  const inText = (text: string, language: string) =>
    text.replace(/\{(\w+)\}/g, (whole, slot) => textIn(slots[slot]?.names, [language]) || (slots[slot]?.name ?? whole));
  const inFormula = (text: string) => text.replace(/\b[a-z_]+\b/g, (word) => (slots[word] ? identifier(slots[word].slug) : word));
  const fill = (value: Value): Value => {
    if (typeof value === "string") return inFormula(value);
    if (Array.isArray(value)) return value.map((one) => (typeof one === "string" && slots[one] ? slots[one].slug : fill(one)));
    if (!isTable(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [slots[key]?.slug ?? key, fill(inner)]));
  };
  const inLanguages = (texts: Value | undefined) =>
    Object.fromEntries(languages.map((one) => [one, inText(textIn(texts, [one, "en"]), one)]));
  const { name, text, numbers, ...meaning } = rule;
  return { name: inLanguages(name), text: inLanguages(text), ...(numbers && { numbers }), ...(fill(meaning) as Table) };
}
