// Texts, numbers, dates and times in the page's language.
//
// Texts are in `web/texts/<language>/<part>.json`, one part for each page and "shared" for all. A page loads its parts with
// `loadTexts` before it renders anything; modules therefore read `texts` while they render, never while they are loaded.
// Texts with arguments are functions of an object, such as `texts.cards.total({ count: 13 })`.

import { useEffect, useState } from "preact/hooks";
import type { Texts } from "../../texts";

// The texts that the build compiles import these.
export { number, plural, select } from "@messageformat/runtime";

type Catalogue = { default: Record<string, unknown> };

export const LANGUAGES: Record<string, string> = { en: "English", de: "Deutsch", fr: "Français" };
const STORAGE_KEY = "haggle-language";
const CATALOGUES = import.meta.glob<Catalogue>("../../texts/*/*.json");
const MINUS = "\u2212";

// Those of parts that are not loaded are missing.
export const texts = {} as Texts;

// Return the page's language: chosen in this browser, otherwise by the server from the browser's preferences.
export const language = () => document.documentElement.lang;

// Return the page's language as it is used in the reader's region, such as "en-GB": the first of the browser's that matches.
const locale = () => navigator.languages.find((tag) => tag.split("-")[0] === language()) ?? language();

// Load these parts; those loaded before stay.
export async function loadTexts(...parts: string[]): Promise<void> {
  const chosen = storedLanguage();
  if (chosen in LANGUAGES) document.documentElement.lang = chosen;
  const loaded = await Promise.all(parts.map((part) => CATALOGUES[`../../texts/${language()}/${part}.json`]?.()));
  const all: Record<string, unknown> = texts;
  for (const words of loaded) {
    for (const [name, value] of Object.entries(words?.default ?? {})) {
      // A part may add to a group of another part, such as the texts of problems.
      all[name] = isGroup(value) ? { ...(all[name] as object | undefined), ...value } : value;
    }
  }
}

const isGroup = (value: unknown): value is object => typeof value === "object" && !Array.isArray(value);

// A text with arguments, or one without.
type Text = string | ((values: never) => string);

// Return a text whose arguments are known to nobody but the catalogue.
export const say = (text: Text, values: object) => (typeof text === "function" ? text(values as never) : text);

// Return a function that returns the plural category of a number, such as "one" or "other".
export function pluralRules(language: string) {
  const [cardinal, ordinal] = [new Intl.PluralRules(language), new Intl.PluralRules(language, { type: "ordinal" })];
  return (value: number, isOrdinal?: boolean) => (isOrdinal ? ordinal : cardinal).select(value);
}

// Set the language of this browser and reload the page.
function chooseLanguage(code: string) {
  try {
    localStorage.setItem(STORAGE_KEY, code);
  } catch {
    // Without storage the choice is lost.
  }
  location.reload();
}

function storedLanguage() {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

// Return a list such as "3, 5 and 7".
export const formatList = (items: (string | number)[]) => new Intl.ListFormat(locale()).format(items.map(String));

// Return a size such as "2.5 MB".
export const formatBytes = (bytes: number) =>
  new Intl.NumberFormat(locale(), { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(bytes / 1e6);

const decimalMark = () => new Intl.NumberFormat(language()).format(0.5).charAt(1);

// Format points with a real minus sign and the language's decimal mark; `formatGain` adds a plus sign.
export const formatPoints = (value: string) => value.replace("-", MINUS).replace(".", decimalMark());
export const formatGain = (value: string) =>
  value.startsWith("-") || value === "0" ? formatPoints(value) : `+${formatPoints(value)}`;

const SECOND = 1000;
const UNITS: [unit: string, size: number][] = [
  ["day", 86_400 * SECOND],
  ["hour", 3600 * SECOND],
  ["minute", 60 * SECOND],
  ["second", SECOND],
];

// Milliseconds by which the server's clock is ahead of this device's. Only the server's counts.
let clockOffset = 0;

export function setServerTime(now: string) {
  clockOffset = new Date(now).getTime() - Date.now();
}

export const serverNow = () => Date.now() + clockOffset;

// A time of the API. Times that are not set count as the beginning of 1970.
type Time = string | null | undefined;

const timestamp = (time: Time) => new Date(time ?? 0).getTime();

// Return the milliseconds until a time by the server's clock, updated each second.
export function useTimeLeft(time: Time): number {
  const [left, setLeft] = useState(() => timestamp(time) - serverNow());
  useEffect(() => {
    const update = () => setLeft(timestamp(time) - serverNow());
    update();
    const timer = setInterval(update, SECOND);
    return () => clearInterval(timer);
  }, [time]);
  return left;
}

const DATE = { weekday: "short", day: "numeric", month: "short" } as const;

// Format a time such as "12:00", with the date if it is another day than today, as in "Fri 27 Mar, 12:00"; in the game's time
// zone if it has one.
export function formatDateTime(time: string, timeZone?: string, now = serverNow()): string {
  const dateOf = (moment: Date | number) => new Intl.DateTimeFormat("en", { dateStyle: "short", timeZone }).format(moment);
  const moment = new Date(time);
  const date = dateOf(moment) === dateOf(now) ? {} : DATE;
  const { hour12 } = new Intl.DateTimeFormat(locale(), { hour: "numeric" }).resolvedOptions();
  const hour = hour12 ? "numeric" : "2-digit";
  return new Intl.DateTimeFormat(locale(), { ...date, hour, minute: "2-digit", timeZone }).format(moment);
}

// Format a duration in its two largest units, such as "2 h 5 min". Negative ones count as 0.
export function formatDuration(milliseconds: number): string {
  let left = Math.max(0, milliseconds);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    if (count || (unit === "second" && !parts.length)) {
      parts.push(new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "short" }).format(count));
    }
    left -= count * size;
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

// A select element with the languages, each by its own name.
export function LanguageChoice() {
  return (
    <select
      class="language"
      aria-label={texts.language}
      value={language()}
      onChange={(event) => chooseLanguage(event.currentTarget.value)}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option value={code} lang={code} selected={code === language()}>
          {name}
        </option>
      ))}
    </select>
  );
}
