// The languages of an edition. Each text is a table, such as `name` or `says.line`, with a value for each language.

import { type Block, changedBlock, isTable, type Table, type Value } from "./toml-document";

// Return a text for each language, at first the same.
export const inEach = (languages: string[], text: string): Record<string, string> =>
  Object.fromEntries(languages.map((one) => [one, text]));

// Return the blocks with texts in a further language, which are at first those of another one.
export const withLanguage = (blocks: Block[], language: string, from: string): Block[] =>
  changedTexts(blocks, (texts) => {
    const text = texts[from];
    if (text !== undefined) texts[language] = text;
  });

// Return the blocks without the texts in a language.
export const withoutLanguage = (blocks: Block[], language: string): Block[] =>
  changedTexts(blocks, (texts) => {
    delete texts[language];
  });

// A block that cannot be read stays as it is.
const changedTexts = (blocks: Block[], change: (texts: Table) => void): Block[] =>
  blocks.map((block) =>
    textTables(block.data ?? {}).length ? changedBlock(block, (table) => textTables(table).forEach(change)) : block,
  );

// Return the tables of texts within a value.
function textTables(value: Value): Table[] {
  if (typeof value !== "object") return [];
  const inner = Object.entries(value);
  const isText = ([key, text]: [string, Value]) => /^[a-z]{2}$/.test(key) && typeof text === "string";
  if (isTable(value) && inner.length > 0 && inner.every(isText)) return [value];
  return inner.flatMap(([, one]) => textTables(one));
}
