// An edition.toml as blocks: what precedes the first table, and each [[table]] with its subtables and the comments above it.
// A block is changed by itself, so that comments and the order of keys stay, also in files with mistakes elsewhere.

import { parse, patch } from "@decimalturn/toml-patch";

export type Value = string | number | boolean | Value[] | Table;
export type Table = { [name: string]: Value };
export type Path = (string | number)[];

// A block: its kind, such as "rules", or "" for the top of the file, the number of its first line, its lines, and its table,
// which is null if it cannot be read.
export type Block = { kind: string; line: number; lines: string[]; data: Table | null };

const HEADER = /^\s*\[(\[?)\s*([\w-]+)((?:\s*\.[^\]]+)?)\s*\]\]?\s*(?:#.*)?$/;

// Return the blocks of a text. Joined by line ends, their lines are the text.
export function blocksOf(text: string): Block[] {
  const lines = text.split("\n");
  const starts = [{ kind: "", line: 0 }];
  const inside = linesInValues(lines);
  lines.forEach((words, at) => {
    const [, , name = "", more] = (!inside[at] && HEADER.exec(words)) || [];
    const last = starts.at(-1);
    if (!name || (more && last?.kind === name)) return;
    let first = at;
    while (first > 0 && lines[first - 1]?.trimStart().startsWith("#") && !inside[first - 1]) first--;
    // Comments at the top of the file belong to the file.
    starts.push({ kind: name, line: first === 0 ? at : first });
  });
  return starts.map(({ kind, line }, index) => {
    const own = lines.slice(line, starts[index + 1]?.line);
    return { kind, line: line + 1, lines: own, data: tableOf(kind, own) };
  });
}

export const textOf = (blocks: Pick<Block, "lines">[]) => blocks.flatMap(({ lines }) => lines).join("\n");

// Return for each line whether it begins within a text of several lines or within brackets.
function linesInValues(lines: string[]): boolean[] {
  let quote = "";
  let depth = 0;
  return lines.map((line) => {
    const within = quote !== "" || depth > 0;
    if (!within && HEADER.test(line)) return false;
    for (const [sign] of line.matchAll(/"""|'''|\\.|["'#[\]{}]/g)) {
      if (quote) {
        if (sign === quote) quote = "";
      } else if (sign === "#") break;
      else if (/["']/.test(sign)) quote = sign;
      else if (/[[{]/.test(sign)) depth++;
      else if (/[\]}]/.test(sign)) depth = Math.max(0, depth - 1);
    }
    if (quote.length === 1) quote = "";
    return within;
  });
}

const known = new Map<string, Table | null>();

function tableOf(kind: string, lines: string[]): Table | null {
  const text = lines.join("\n");
  const key = `${kind}\n${text}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  let table: Table | null = null;
  try {
    const document: Table = parse(text);
    const own = kind ? document[kind] : document;
    table = ((Array.isArray(own) ? own[0] : own) ?? {}) as Table;
  } catch {
    // The check reports the mistake with its place.
  }
  if (known.size > 2000) known.clear();
  known.set(key, table);
  return table;
}

// Return a block with other values in its table; `change` gets a copy.
export function changedBlock(block: Block, change: (table: Table) => void): Block {
  const text = block.lines.join("\n");
  const document: Table = parse(text);
  const own = block.kind ? document[block.kind] : document;
  change((Array.isArray(own) ? own[0] : own) as Table);
  // Blank lines before the next block stay.
  const [blanks = ""] = /\n*$/.exec(text) ?? [];
  const lines = (patch(text, document).replace(/\n+$/, "") + blanks).split("\n");
  return { ...block, lines, data: tableOf(block.kind, lines) };
}

// Return a new block of a list, such as [[cards]], that ends with a blank line.
export function newBlock(kind: string, table: Table): Block {
  const lines = [`[[${kind}]]`, ...Object.entries(table).flatMap(([name, value]) => linesOf([name], value)), ""];
  return { kind, line: 0, lines, data: table };
}

// Texts by language are written as `name.en`, other tables in a line.
function linesOf(path: string[], value: Value): string[] {
  const texts = isTable(value) ? Object.entries(value) : [];
  if (texts.length > 0 && (texts.every(([key]) => /^[a-z]{2}$/.test(key)) || path[0] === "says")) {
    return texts.flatMap(([key, inner]) => linesOf([...path, key], inner));
  }
  return [`${path.map(keyText).join(".")} = ${inline(value)}`];
}

// Return a value in a line of its own.
export function inline(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isTable(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${keyText(key)} = ${inline(inner)}`);
  return pairs.length ? `{ ${pairs.join(", ")} }` : "{}";
}

const keyText = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

export const isTable = (value: unknown): value is Table => typeof value === "object" && value !== null && !Array.isArray(value);

// Return the number of the last block of a kind, or -1.
export const lastOf = (blocks: Block[], kind: string) => blocks.map((block) => block.kind).lastIndexOf(kind);

// Insert a block after the last one of its kind, or at the end.
export function withBlock(blocks: Block[], block: Block, after = lastOf(blocks, block.kind)): Block[] {
  const place = after < 0 ? blocks.length : after + 1;
  const before = blocks.slice(0, place);
  const last = before.at(-1);
  if (last && last.lines.at(-1) !== "") before[place - 1] = { ...last, lines: [...last.lines, ""] };
  return [...before, block, ...blocks.slice(place)];
}

// Exchange a block with the next or previous one of its kind.
export function movedBlock(blocks: Block[], at: number, by: 1 | -1): Block[] {
  let other = at + by;
  while (blocks[other] && blocks[other]?.kind !== blocks[at]?.kind) other += by;
  const [one, two] = [blocks[at], blocks[other]];
  if (!one || !two) return blocks;
  return blocks.map((block, index) => (index === at ? ended(two) : index === other ? ended(one) : block));
}

const ended = (block: Block) => (block.lines.at(-1) === "" ? block : { ...block, lines: [...block.lines, ""] });

// Return the value at a path of a table.
export function valueAt(table: Value | null | undefined, path: Path): Value | undefined {
  return path.reduce<Value | undefined>(
    (here, step) => (typeof here === "object" ? (here as Record<string | number, Value>)[step] : undefined),
    table ?? undefined,
  );
}

// Set the value at a path of a table; undefined removes it, and tables that become empty.
export function setAt(table: Table, path: Path, value: Value | undefined): void {
  const [step, ...rest] = path as [string, ...Path];
  if (rest.length === 0) {
    if (value !== undefined) table[step] = value;
    else if (Array.isArray(table)) table.splice(Number(step), 1);
    else delete table[step];
    return;
  }
  const inner = table[step];
  if (typeof inner !== "object") {
    if (value === undefined) return;
    table[step] = typeof rest[0] === "number" ? [] : {};
  }
  setAt(table[step] as Table, rest, value);
  if (value === undefined && Object.keys(table[step] as Table).length === 0) delete table[step];
}
