// Times as people read them, in the page's language.

import { language } from "./texts.js";

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
