import { html } from "htm/preact";

// Every text that a person reads or hears comes from here, in the language of the page.
//
// The words lie in `web/texts/<language>/<part>.js`, one part for each page, "shared" for all of them. A page asks for its
// parts with `speak` before it draws anything; from then on `texts` has them, so modules read it while they draw and
// never while they load. A text with a number or a name in it is a function.

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };
const KEPT = "haggle-language";
const MINUS = "\u2212";

export const texts = {};

// The language of the page: what was chosen in this browser, else what the server found in the browser's wishes.
export const language = () => document.documentElement.lang;

// Load the words of these parts; the others that were loaded stay.
export async function speak(...parts) {
  const chosen = stored();
  if (chosen in LANGUAGES) document.documentElement.lang = chosen;
  const loaded = await Promise.all(parts.map((part) => import(`/assets/texts/${language()}/${part}.js`)));
  for (const { default: words } of loaded) {
    for (const [name, value] of Object.entries(words)) {
      // Parts may add to a group of words of another, such as the words for problems.
      texts[name] = typeof value === "object" && !Array.isArray(value) ? { ...texts[name], ...value } : value;
    }
  }
}

// Choose another language for this browser. The page begins anew in it.
function chooseLanguage(code) {
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // A browser that keeps nothing forgets the choice as well.
  }
  location.reload();
}

function stored() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

const mark = () => new Intl.NumberFormat(language()).format(0.5).charAt(1);

// Points as people write them: a real minus, the language's decimal mark, and a plus where a gain is meant.
export const points = (value) => value.replace("-", MINUS).replace(".", mark());
export const gain = (value) => (value.startsWith("-") || value === "0" ? points(value) : `+${points(value)}`);

// Times as people read them, in the page's language.

const SECOND = 1000;
const UNITS = [
  ["day", 86_400 * SECOND],
  ["hour", 3600 * SECOND],
  ["minute", 60 * SECOND],
  ["second", SECOND],
];

// The server's clock, which alone counts: how many milliseconds it is ahead of this device.
let ahead = 0;

export function setClock(now) {
  ahead = new Date(now) - Date.now();
}

export const serverNow = () => Date.now() + ahead;

// A moment such as "Fri 27 Mar, 12:00", in the game's time zone where there is one.
export const moment = (time, timeZone) =>
  new Intl.DateTimeFormat(language(), { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone }).format(
    new Date(time),
  );

export const clockTime = (time, timeZone) =>
  new Intl.DateTimeFormat(language(), { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone }).format(new Date(time));

// How long, in its two largest units: "2 h 5 min". `milliseconds` below 0 count as 0.
export function duration(milliseconds) {
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

// The languages of the page, each by its own name.
export function LanguageChoice() {
  return html`<select class="language" aria-label=${texts.language} value=${language()} onChange=${(event) => chooseLanguage(event.currentTarget.value)}>
    ${Object.entries(LANGUAGES).map(([code, name]) => html`<option value=${code} lang=${code} selected=${code === language()}>${name}</option>`)}
  </select>`;
}
