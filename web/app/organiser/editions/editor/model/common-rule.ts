// A common rule, which gets the names of an edition's own cards.

import { textIn } from "./context";
import { identifier, type Named } from "./names";
import { isTable, type Table, type Value } from "./toml-document";

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
