// Time zones: a moment as a clock on a wall there shows it, and back.

const MINUTE = 60_000;
const TWO_DAYS = 2 * 24 * 60;

const formats = new Map();

function format(zone) {
  if (!formats.has(zone)) {
    const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" };
    formats.set(zone, new Intl.DateTimeFormat("en-CA", { ...parts, hourCycle: "h23", timeZone: zone }));
  }
  return formats.get(zone);
}

// Whether there is a zone of this name.
export function isZone(zone) {
  try {
    return Boolean(format(zone));
  } catch {
    return false;
  }
}

// What a clock in a zone shows at a moment, as a field for date and time wants it: "2026-03-27T12:00".
export function wall(time, zone) {
  const parts = Object.fromEntries(format(zone).formatToParts(new Date(time)).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

// The moment at which a clock in a zone shows this, as the server wants it; null for a time that the clocks leave out, or
// show twice, so that nobody can say which moment is meant.
export function instant(shown, zone) {
  const guess = Date.parse(`${shown.slice(0, 16)}Z`);
  if (Number.isNaN(guess)) return null;
  const offsets = new Set([-TWO_DAYS, 0, TWO_DAYS].map((minutes) => offset(guess + minutes * MINUTE, zone)));
  const found = [...offsets].map((ahead) => guess - ahead).filter((time) => wall(time, zone) === shown.slice(0, 16));
  return found.length === 1 ? new Date(found[0]).toISOString() : null;
}

// How far a zone's clocks are ahead of Greenwich's, in milliseconds.
const offset = (time, zone) => Date.parse(`${wall(time, zone)}Z`) - Math.floor(time / MINUTE) * MINUTE;

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
export const zones = () => (Intl.supportedValuesOf ? ["UTC", ...Intl.supportedValuesOf("timeZone")] : ["UTC", ownZone()]);
