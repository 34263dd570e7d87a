// Compiles the texts of the pages, ICU messages in `texts/LANGUAGE/PART.json`, when the pages are built: those with arguments
// become functions of an object, others strings. As a program, it writes `texts.d.ts`, the types of the English texts.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import MessageFormat from "@messageformat/core";
import compileModule from "@messageformat/core/compile-module.js";
import { parse } from "@messageformat/parser";

const TEXTS = `${import.meta.dirname}/texts`;
const SOURCE = "en"; // the language whose texts the other ones translate

export const LANGUAGES = readdirSync(TEXTS);

// Return all texts of a language by the names of their parts.
export function readTexts(language) {
  const files = readdirSync(`${TEXTS}/${language}`);
  return Object.fromEntries(files.map((name) => [basename(name, ".json"), readJson(`${TEXTS}/${language}/${name}`)]));
}

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

// Return the messages among texts, which are messages, lists and groups of texts, by their paths.
export function messagesOf(texts, path = "") {
  if (typeof texts === "string") return [[path, texts]];
  return Object.entries(texts).flatMap(([name, value]) => messagesOf(value, path ? `${path}.${name}` : name));
}

// Return a message's arguments by name, each with its type.
export function argumentsOf(message) {
  const types = {};
  const add = (tokens) => {
    for (const { type, arg, cases = [] } of tokens) {
      if (type === "plural" || type === "selectordinal") types[arg] = "number";
      else if (type === "select") types[arg] = cases.some(({ key }) => key === "true") ? "boolean" : "string | number";
      else if (arg) types[arg] ??= "string | number";
      for (const { tokens: inside } of cases) add(inside);
    }
  };
  add(parse(message));
  return types;
}

// Return where the texts of other languages have not the messages and the arguments of the English ones.
export function differences() {
  const shape = (language) =>
    new Map(
      messagesOf(readTexts(language)).map(([path, message]) => [path, JSON.stringify(Object.keys(argumentsOf(message)).sort())]),
    );
  const source = shape(SOURCE);
  return LANGUAGES.flatMap((language) => {
    const own = shape(language);
    const paths = [...new Set([...source.keys(), ...own.keys()])].filter((path) => own.get(path) !== source.get(path));
    return paths.map((path) => `${language}: ${path}: ${own.get(path) ?? "missing"} instead of ${source.get(path) ?? "nothing"}`);
  });
}

// Return the source of a module with a part's texts.
function compile(texts, language) {
  const messages = Object.fromEntries(messagesOf(texts).map(([, message], at) => [`m${at}`, message]));
  const compiled = compileModule(new MessageFormat(language), messages);
  const sources = [...compiled.matchAll(/^ {2}m\d+: (?:\(\) => )?(.*?),?$/gm)].map(([, source]) => source);
  // `plural` asks this function for the category of a number.
  return `import { number, plural, pluralRules, select } from "/app/shared/i18n";
const ${language} = pluralRules("${language}");
export default ${render(texts, () => sources.shift())};
`;
}

// Return texts as a source, in which `write` returns that of a message.
function render(texts, write) {
  if (typeof texts === "string") return write(texts);
  if (Array.isArray(texts)) return `[${texts.map((value) => render(value, write)).join(", ")}]`;
  return `{ ${Object.entries(texts)
    .map(([name, value]) => `${JSON.stringify(name)}: ${render(value, write)}`)
    .join(", ")} }`;
}

function typeOf(message) {
  const values = Object.entries(argumentsOf(message)).map(([name, type]) => `${JSON.stringify(name)}: ${type}`);
  return values.length ? `(values: { ${values.join("; ")} }) => string` : "string";
}

function writeTypes() {
  const types = Object.values(readTexts(SOURCE)).map((texts) => render(texts, typeOf));
  writeFileSync(`${import.meta.dirname}/texts.d.ts`, `export type Texts = ${types.join(" &\n")};\n`);
}

// The plugin for Vite.
export const messages = {
  name: "haggle-messages",
  buildStart() {
    writeTypes();
    const wrong = differences();
    if (wrong.length) this.error(wrong.join("\n"));
  },
  transform(_, id) {
    const [path, language] = /\/texts\/(\w+)\/\w+\.json$/.exec(id) ?? [];
    return path && compile(readJson(id), language);
  },
  // The pages are loaded again with the new texts.
  handleHotUpdate({ file, server }) {
    if (!file.startsWith(TEXTS)) return;
    writeTypes();
    server.ws.send({ type: "full-reload" });
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) writeTypes();
