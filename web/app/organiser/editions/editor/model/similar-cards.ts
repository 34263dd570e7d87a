// Packs of similar cards, such as 52 playing cards: lists of values, and a card and groups that are templates for them.

import { slugOf } from "../../slug";
import { textIn } from "./context";
import { freeName } from "./names";
import { type Block, changedBlock, inline, isTable, newBlock, type Table, type Value, withBlock } from "./toml-document";

type Texts = Record<string, string>;

const SUITS: Table[] = [
  { slug: "clubs", en: "clubs", de: "Kreuz", fr: "trèfle", motif: "trefle" },
  { slug: "diamonds", en: "diamonds", de: "Karo", fr: "carreau", motif: "carreau" },
  { slug: "hearts", en: "hearts", de: "Herz", fr: "cœur", motif: "coeur" },
  { slug: "spades", en: "spades", de: "Pik", fr: "pique", motif: "pique" },
];
const ACE: Table = { slug: "ace", en: "Ace", de: "Ass", fr: "As", motif: "1", worth: 11 };
const COURT: Table[] = [
  { slug: "jack", en: "Jack", de: "Bube", fr: "Valet", motif: "valet", worth: 10 },
  { slug: "queen", en: "Queen", de: "Dame", fr: "Dame", motif: "dame", worth: 10 },
  { slug: "king", en: "King", de: "König", fr: "Roi", motif: "roi", worth: 10 },
];
const NAME: Texts = { en: "{rank} of {suit}", de: "{suit} {rank}", fr: "{rank} de {suit}" };

// Numbers from one to another.
const numbers = (first: number, last: number) => Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

// The pack to add: playing cards from a lowest rank on, or cards of several colours with numbers.
export type Pack = { category: string } & (
  | { kind: "playing"; lowest: number }
  | { kind: "numbers"; colours: string[]; first: number; last: number; inks: string[]; symbols: string[] }
);

export const sizeOf = (pack: Pack) =>
  pack.kind === "playing"
    ? SUITS.length * ranksFrom(pack.lowest).length
    : pack.colours.length * numbers(pack.first, pack.last).length;

// The ace is below 2 in a whole pack, and above the king in a shorter one, so that runs go on.
const ranksFrom = (lowest: number): Value[] =>
  lowest <= 2 ? [ACE, ...numbers(2, 10), ...COURT] : [...numbers(lowest, 10), ...COURT, ACE];

// Return the blocks with a pack: its values, groups and template. Their names are new ones.
export function withPack(blocks: Block[], pack: Pack, languages: string[]): Block[] {
  const found = blocks.find(({ kind }) => kind === "values");
  const known = Object.keys(found?.data ?? {});
  const free = (name: string) => (known.includes(name) ? freeName(known, name).replace("-", "") : name);
  const taken = blocks.flatMap(({ data }) => (data?.slug === undefined ? [] : [String(data.slug)]));
  taken.push(...Object.values(valuesOf(blocks)).flatMap((list) => list.map(slugOfValue)));
  // The groups of suits and colours are named by their slugs alone.
  const fresh = (value: Table): Table => {
    const slug = taken.includes(String(value.slug)) ? freeName(taken, String(value.slug)) : String(value.slug);
    taken.push(slug);
    return { ...value, slug };
  };
  const inEach = (texts: Texts) => Object.fromEntries(languages.map((one) => [one, texts[one] ?? texts.en ?? ""]));
  const translated = ({ en, de, fr, slug = "", ...rest }: Table): Table => ({
    slug,
    ...inEach({ en, de, fr } as Texts),
    ...rest,
  });
  const [suit, rank] = pack.kind === "playing" ? [free("suit"), free("rank")] : [free("colour"), free("number")];
  const values: Table =
    pack.kind === "playing"
      ? {
          [suit]: SUITS.map((one) => fresh(translated(one))),
          [rank]: ranksFrom(pack.lowest).map((rank) => (isTable(rank) ? translated(rank) : rank)),
        }
      : { [suit]: coloursOf(pack, blocks).map((one) => fresh(translated(one))), [rank]: numbers(pack.first, pack.last) };
  const placed = (text: string) => text.replace("{suit}", `{${suit}}`).replace("{rank}", `{${rank}}`);
  const look: Table =
    pack.kind === "playing"
      ? { motif: `{${suit}_motif}-{${rank}_motif}` }
      : { text: inEach({ en: `{${rank}}` }), ink: `{${suit}_ink}`, symbol: `{${suit}_symbol}` };
  const names = pack.kind === "playing" ? NAME : { en: "{suit} {rank}" };
  const card: Table = {
    slug: `{${suit}}-{${rank}}`,
    category: pack.category,
    name: inEach(Object.fromEntries(Object.entries(names).map(([one, text]) => [one, placed(text)]))),
    worth: `{${rank}_worth}`,
    groups: [`{${suit}}`, `${rank}-{${rank}}`],
    ...look,
  };
  const groups = [
    { slug: `{${suit}}`, name: inEach({ en: `{${suit}}` }) },
    { slug: `${rank}-{${rank}}`, name: inEach({ en: `{${rank}}` }) },
  ];
  let next = withValues(blocks, values);
  for (const group of groups) next = withBlock(next, newBlock("groups", group));
  return withBlock(next, newBlock("cards", card));
}

// Return the colours with their looks, at first those that no card has.
function coloursOf({ colours, inks, symbols }: Extract<Pack, { kind: "numbers" }>, blocks: Block[]): Table[] {
  const looks = [...blocks.map(({ data }) => data), ...Object.values(valuesOf(blocks)).flat()];
  const unusedFirst = (all: string[], field: string) => {
    const isUsed = (one: string) => looks.some((look) => look && isTable(look) && look[field] === one);
    return [...all.filter((one) => !isUsed(one)), ...all.filter(isUsed)];
  };
  const [ownInks, ownSymbols] = [unusedFirst(inks, "ink"), unusedFirst(symbols, "symbol")];
  return colours.map((name, at) => ({
    slug: slugOf(name) || "colour",
    en: name,
    ink: ownInks[at % inks.length] ?? "",
    symbol: ownSymbols[at % symbols.length] ?? "",
  }));
}

// Return the blocks with further lists of values.
function withValues(blocks: Block[], values: Table): Block[] {
  const at = blocks.findIndex(({ kind }) => kind === "values");
  if (at >= 0)
    return blocks.map((block, index) => (index === at ? changedBlock(block, (table) => Object.assign(table, values)) : block));
  const lists = Object.entries(values).flatMap(([name, list]) => [
    `${name} = [`,
    ...(list as Value[]).map((value) => `  ${inline(value)},`),
    "]",
  ]);
  const block = { kind: "values", line: 0, lines: ["[values]", ...lists, ""], data: values };
  const first = blocks.findIndex(({ kind }) => kind === "groups" || kind === "cards");
  return withBlock(blocks, block, first < 0 ? blocks.length - 1 : first - 1);
}

export const isTemplate = (card: Table | null) => String(card?.slug ?? "").includes("{");

// Return the lists of values of an edition.
export function valuesOf(blocks: Block[]): Record<string, Value[]> {
  const lists = Object.entries(blocks.find(({ kind }) => kind === "values")?.data ?? {});
  return Object.fromEntries(lists.filter((entry): entry is [string, Value[]] => Array.isArray(entry[1])));
}

// Return the slug of the first card of a template, and their number.
export function cardsOfTemplate(slug: string, values: Record<string, Value[]>): { first: string; count: number } {
  const names = [...new Set([...slug.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))];
  const first = slug.replace(/\{(\w+)\}/g, (whole, name) => (values[name]?.length ? slugOfValue(values[name][0]) : whole));
  return { first, count: names.reduce((product, name) => product * (values[name]?.length ?? 0), 1) };
}

export const slugOfValue = (value: Value | undefined) => String((isTable(value) ? value.slug : value) ?? "");

// Return the text of a value in the page's language, or in any.
export const nameOfValue = (value: Value) =>
  textIn(Object.fromEntries(Object.entries(isTable(value) ? value : {}).filter(([key]) => /^[a-z]{2}$/.test(key)))) ||
  slugOfValue(value);

// Return the next value of a list, like its last one.
export function nextValue(list: Value[]): Value {
  const last = list.at(-1) ?? 0;
  if (!isTable(last)) return typeof last === "number" ? last + 1 : freeName(list.map(slugOfValue), String(last));
  return { ...last, slug: freeName(list.map(slugOfValue), slugOfValue(last)) };
}
