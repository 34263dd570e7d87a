// A game's settings as its form holds them, what is wrong with them, and as the server wants them.

import { html } from "htm/preact";
import { serverNow, texts } from "../../shared/i18n.js";
import { Tick } from "../forms.js";

export const SIZES = ["poker", "bridge", "mini", "business", "business-us"];
export const MODES = ["off", "inventory", "known", "total", "full"];
const MOST_PLAYERS = 600;
const LONGEST_NAME = 200;
const BOUNDS = { tries: [0, 100], pause: [0, 10_080], keep_days: [0, 3650], keep_hours: [0, 8760] };

// Which fields the game's state has to allow, by the act that changes them.
export const ACTS = {
  edition: "edit_game",
  players: "edit_game",
  size: "edit_game",
  rules: "edit_rules",
  settings: "edit_settings",
  confirmed: "edit_settings",
  deadline: "edit_play",
  timezone: "edit_play",
  mode: "edit_play",
  tries: "edit_play",
  pause: "edit_play",
  expect_dealt: "edit_play",
  name: "edit_names",
  language: "edit_names",
  keep_days: "edit_names",
  keep_hours: "edit_names",
};

// A form for a new game: of the first edition that can be printed.
export function begun(editions, language) {
  const edition = editions.find(({ printable }) => printable) ?? editions[0];
  return {
    name: "",
    size: "poker",
    players: String(edition.players_min),
    deadline: "",
    timezone: ownZone(),
    mode: "known",
    tries: "3",
    pause: "20",
    keep_days: "30",
    keep_hours: "24",
    expect_dealt: false,
    ...ofEdition(edition, language),
  };
}

// What belongs to an edition alone.
export const ofEdition = (edition, language) => ({
  edition: edition.slug,
  language: edition.languages.includes(language) ? language : edition.languages[0],
  settings: Object.fromEntries(edition.settings.map(({ name, default: value }) => [name, String(value)])),
  confirmed: [],
  rules: null,
});

// A game as its form shows it.
export const held = (game) => ({
  name: game.name,
  edition: game.edition,
  players: String(game.players),
  size: game.size,
  language: game.language,
  deadline: game.deadline ? wall(game.deadline, game.timezone) : "",
  timezone: game.timezone,
  mode: game.mode,
  tries: String(game.tries),
  pause: String(Math.round(game.pause / 60)),
  keep_days: String(game.keep_days),
  keep_hours: String(game.keep_hours),
  expect_dealt: game.expect_dealt,
  settings: Object.fromEntries(Object.entries(game.settings).map(([name, value]) => [name, String(value)])),
  confirmed: game.confirmed,
  rules: game.active_rules,
});

// What is wrong, by field; `settings.x` for a setting of the edition. `before`: what counts already, and may stay.
export function mistakes(values, edition, before) {
  const words = texts.games.wrong;
  const wrong = {};
  if (!values.name.trim()) wrong.name = words.noName;
  else if (values.name.trim().length > LONGEST_NAME) wrong.name = words.longName(LONGEST_NAME);
  if (!within(values.players, 1, MOST_PLAYERS)) wrong.players = words.number(1, MOST_PLAYERS);
  for (const [name, [least, most]] of Object.entries(BOUNDS)) {
    if (!within(values[name], least, most)) wrong[name] = words.number(least, most);
  }
  if (!isZone(values.timezone)) wrong.timezone = words.zone;
  else if (values.deadline && (values.deadline !== before?.deadline || values.timezone !== before?.timezone)) {
    const time = instant(values.deadline, values.timezone);
    if (!time) wrong.deadline = words.clocks;
    else if (new Date(time) <= serverNow()) wrong.deadline = words.past;
  }
  for (const setting of edition.settings) {
    const most = setting.maximum ?? 1_000_000_000;
    if (!within(values.settings[setting.name], setting.minimum, most)) {
      wrong[`settings.${setting.name}`] =
        setting.maximum === null ? words.atLeast(setting.minimum) : words.number(setting.minimum, setting.maximum);
    }
  }
  if (values.rules?.length === 0) wrong.rules = words.noRules;
  return wrong;
}

// What is to be sent: all of it for a new game, or what is other than `before`.
export function sent(values, before) {
  const whole = {
    name: values.name.trim(),
    edition: values.edition,
    players: Number(values.players),
    size: values.size,
    language: values.language,
    deadline: values.deadline ? instant(values.deadline, values.timezone) : null,
    timezone: values.timezone,
    mode: values.mode,
    tries: Number(values.tries),
    pause: Number(values.pause) * 60,
    keep_days: Number(values.keep_days),
    keep_hours: Number(values.keep_hours),
    expect_dealt: values.expect_dealt,
    settings: Object.fromEntries(Object.entries(values.settings).map(([name, value]) => [name, Number(value)])),
    confirmed: values.confirmed,
    active_rules: values.rules,
  };
  if (!before) return whole;
  const other = new Set(different(values, before));
  // A deadline that stays on the clock is another moment in another zone.
  if (other.has("timezone") && values.deadline) other.add("deadline");
  return Object.fromEntries([...other].map((name) => (name === "rules" ? ["active_rules", whole.active_rules] : [name, whole[name]])));
}

// The fields in which two forms differ.
export const different = (one, other) => Object.keys(ACTS).filter((name) => !same(one[name], other[name]));

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const within = (text, least, most) => /^-?\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;

// Which rules count, as a list to tick. `chosen` are their keys, null for all. The list is folded: organisers who play
// themselves do not want to read it.
export function Rules({ edition, players, chosen, disabled, wrong, onChange }) {
  const words = texts.games.rules;
  const keys = edition.rules.map(({ key }) => key);
  const counted = new Set(chosen ?? keys);
  const put = (wanted) => onChange(wanted.length === keys.length ? null : wanted);
  const dealt = Math.min(keys.length, edition.rule_cards * players || 0);
  const toggle = (key) => put(keys.filter((other) => (other === key ? !counted.has(key) : counted.has(other))));
  const lostWorth = edition.rules.filter(({ key, worth }) => worth && !counted.has(key));
  return html`<div class="rules">
    <p class="rules-count"><b>${words.count(counted.size, keys.length)}</b></p>
    ${wrong && html`<p class="field-wrong">${wrong}</p>`}
    <div class="row-actions">
      <button type="button" class="secondary" disabled=${disabled} onClick=${() => put(keys)}>${words.all}</button>
      ${dealt > 0 && dealt < keys.length && html`<button type="button" class="secondary" disabled=${disabled} onClick=${() => put(keys.slice(0, dealt))}>${words.dealt(dealt)}</button>`}
      <button type="button" class="secondary" disabled=${disabled} onClick=${() => onChange([])}>${words.none}</button>
    </div>
    ${lostWorth.length > 0 && html`<p class="field-hint"><b>${words.noWorth(lostWorth.map(({ key }) => key))}</b></p>`}
    ${disabled && html`<p class="field-hint">${words.fixed}</p>`}
    <details class="rules-list">
      <summary>${words.show}</summary>
      <p class="field-hint">${words.secret}</p>
      <div class="rules-ticks">
        ${edition.rules.map(
          ({ key, name, worth }) => html`<${Tick}
            key=${key}
            label=${html`<b>${key}</b> ${name}`}
            text=${worth && words.worth}
            checked=${counted.has(key)}
            disabled=${disabled}
            onChange=${() => toggle(key)}
          />`,
        )}
      </div>
    </details>
  </div>`;
}

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
function isZone(zone) {
  try {
    return Boolean(format(zone));
  } catch {
    return false;
  }
}

// What a clock in a zone shows at a moment, as a field for date and time wants it: "2026-03-27T12:00".
function wall(time, zone) {
  const parts = Object.fromEntries(format(zone).formatToParts(new Date(time)).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

// The moment at which a clock in a zone shows this, as the server wants it; null for a time that the clocks leave out, or
// show twice, so that nobody can say which moment is meant.
function instant(shown, zone) {
  const guess = Date.parse(`${shown.slice(0, 16)}Z`);
  if (Number.isNaN(guess)) return null;
  const offsets = new Set([-TWO_DAYS, 0, TWO_DAYS].map((minutes) => offset(guess + minutes * MINUTE, zone)));
  const found = [...offsets].map((ahead) => guess - ahead).filter((time) => wall(time, zone) === shown.slice(0, 16));
  return found.length === 1 ? new Date(found[0]).toISOString() : null;
}

// How far a zone's clocks are ahead of Greenwich's, in milliseconds.
const offset = (time, zone) => Date.parse(`${wall(time, zone)}Z`) - Math.floor(time / MINUTE) * MINUTE;

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
export const zones = () => (Intl.supportedValuesOf ? ["UTC", ...Intl.supportedValuesOf("timeZone")] : ["UTC", ownZone()]);
