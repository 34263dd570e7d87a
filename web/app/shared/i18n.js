// Texts, numbers, dates and times in the page's language.
//
// Texts are in `web/texts/<language>/<part>.js`, one part for each page and "shared" for all. A page loads its parts with
// `loadTexts` before it renders anything; modules therefore read `texts` while they render, never while they are loaded.
// Texts with a number or a name in them are functions.

import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };
const STORAGE_KEY = "haggle-language";
const CATALOGUES = import.meta.glob("../../texts/*/*.js");
const MINUS = "\u2212";

export const texts = {};

// Return the page's language: chosen in this browser, otherwise by the server from the browser's preferences.
export const language = () => document.documentElement.lang;

// Load these parts; those loaded before stay.
export async function loadTexts(...parts) {
  const chosen = storedLanguage();
  if (chosen in LANGUAGES) document.documentElement.lang = chosen;
  const loaded = await Promise.all(parts.map((part) => CATALOGUES[`../../texts/${language()}/${part}.js`]()));
  for (const { default: words } of loaded) {
    for (const [name, value] of Object.entries(words)) {
      // A part may add to a group of another part, such as the texts of problems.
      texts[name] = typeof value === "object" && !Array.isArray(value) ? { ...texts[name], ...value } : value;
    }
  }
}

// Set the language of this browser and reload the page.
function chooseLanguage(code) {
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

const decimalMark = () => new Intl.NumberFormat(language()).format(0.5).charAt(1);

// Format points with a real minus sign and the language's decimal mark; `formatGain` adds a plus sign.
export const formatPoints = (value) => value.replace("-", MINUS).replace(".", decimalMark());
export const formatGain = (value) => (value.startsWith("-") || value === "0" ? formatPoints(value) : `+${formatPoints(value)}`);

const SECOND = 1000;
const UNITS = [
  ["day", 86_400 * SECOND],
  ["hour", 3600 * SECOND],
  ["minute", 60 * SECOND],
  ["second", SECOND],
];

// Milliseconds by which the server's clock is ahead of this device's. Only the server's counts.
let clockOffset = 0;

export function setServerTime(now) {
  clockOffset = new Date(now) - Date.now();
}

export const serverNow = () => Date.now() + clockOffset;

// Return the milliseconds until a time by the server's clock, updated each second.
export function useTimeLeft(time) {
  const [left, setLeft] = useState(() => new Date(time) - serverNow());
  useEffect(() => {
    const update = () => setLeft(new Date(time) - serverNow());
    update();
    const timer = setInterval(update, SECOND);
    return () => clearInterval(timer);
  }, [time]);
  return left;
}

// Format a date and time such as "Fri 27 Mar, 12:00", in the game's time zone if it has one.
export const formatDateTime = (time, timeZone) =>
  new Intl.DateTimeFormat(language(), { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone }).format(
    new Date(time),
  );

export const formatTime = (time, timeZone) =>
  new Intl.DateTimeFormat(language(), { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone }).format(new Date(time));

// Format a duration in its two largest units, such as "2 h 5 min". Negative ones count as 0.
export function formatDuration(milliseconds) {
  let left = Math.max(0, milliseconds);
  const parts = [];
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
  return html`<select class="language" aria-label=${texts.language} value=${language()} onChange=${(event) => chooseLanguage(event.currentTarget.value)}>
    ${Object.entries(LANGUAGES).map(([code, name]) => html`<option value=${code} lang=${code} selected=${code === language()}>${name}</option>`)}
  </select>`;
}
