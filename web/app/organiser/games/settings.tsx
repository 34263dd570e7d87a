// A game's settings: the values of its form, their validation, their form for the API, and time zones.

import type { EditionModel, FullGameModel } from "../../../api";
import { formatList, serverNow, texts } from "../../shared/i18n";
import { Checkbox } from "../forms";

export const SIZES = ["poker", "bridge", "mini", "business", "business-us"] as const;
export const MODES = ["off", "inventory", "known", "total", "full"] as const;
const MAX_PLAYERS = 600;
const MAX_NAME_LENGTH = 200;
const BOUNDS = { tries: [0, 100], pause: [0, 10_080], keep_days: [0, 3650], keep_hours: [0, 8760] } as const;
type Bounded = keyof typeof BOUNDS;

// The fields that each act changes; the game's state has to allow the act.
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
} as const;

export const isFieldName = (name: string): name is FieldName => name in ACTS;

// Return the name of a field.
export function fieldName(name: FieldName): string {
  const words = texts.games.form;
  const isShort = (one: FieldName): one is keyof typeof words.short => one in words.short;
  return isShort(name) ? words.short[name] : words[name];
}

// The values of the form: text of fields, and choices. `rules` are the keys of those that count, null for all.
export type FieldName = keyof typeof ACTS;
export type Values = Record<Exclude<FieldName, "mode" | "expect_dealt" | "settings" | "confirmed" | "rules">, string> & {
  mode: FullGameModel["mode"];
  expect_dealt: boolean;
  settings: Record<string, string>;
  confirmed: string[];
  rules: string[] | null;
};
export type Wrong = Record<string, string | undefined>;

// Return the values of a form for a new game.
export function initialValues(edition: EditionModel, language: string): Values {
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
    ...editionValues(edition, language),
  };
}

// Return the values that depend on the edition.
export const editionValues = (edition: EditionModel, language: string) => ({
  edition: edition.slug,
  language: edition.languages.includes(language) ? language : (edition.languages[0] ?? language),
  settings: Object.fromEntries(edition.settings.map(({ name, default: value }) => [name, String(value)])),
  confirmed: [],
  rules: null,
});

// Return the form's values of a game.
export const valuesOf = (game: FullGameModel): Values => ({
  name: game.name,
  edition: game.edition,
  players: String(game.players),
  size: game.size,
  language: game.language,
  deadline: game.deadline ? localTime(game.deadline, game.timezone) : "",
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

// Return the errors by field; `settings.x` is a setting of the edition. `before` are the saved values, which are always valid.
export function errorsIn(values: Values, edition: EditionModel, before?: Values): Wrong {
  const { problems } = texts;
  const bounds = problems["wrong-setting/bounds"].detail;
  const wrong: Wrong = {};
  if (!values.name.trim()) wrong.name = problems["wrong-setting/name"].detail;
  else if (values.name.trim().length > MAX_NAME_LENGTH)
    wrong.name = problems["wrong-setting/long-name"].detail({ most: MAX_NAME_LENGTH });
  if (!isWithin(values.players, 1, MAX_PLAYERS)) wrong.players = bounds({ least: 1, most: MAX_PLAYERS });
  for (const name of Object.keys(BOUNDS) as Bounded[]) {
    const [least, most] = BOUNDS[name];
    if (!isWithin(values[name], least, most)) wrong[name] = bounds({ least, most });
  }
  if (!isTimeZone(values.timezone)) wrong.timezone = problems["wrong-setting/timezone"].detail;
  else if (values.deadline && (values.deadline !== before?.deadline || values.timezone !== before?.timezone)) {
    const time = momentOf(values.deadline, values.timezone);
    if (!time) wrong.deadline = problems["wrong-setting/deadline"].detail;
    else if (Date.parse(time) <= serverNow()) wrong.deadline = problems["wrong-setting/passed"].detail;
  }
  for (const setting of edition.settings) {
    const most = setting.maximum ?? 1_000_000_000;
    if (!isWithin(values.settings[setting.name] ?? "", setting.minimum, most)) {
      wrong[`settings.${setting.name}`] =
        setting.maximum === null
          ? texts.games.wrong.atLeast({ least: setting.minimum })
          : bounds({ least: setting.minimum, most: setting.maximum });
    }
  }
  if (values.rules?.length === 0) wrong.rules = problems["wrong-setting/no-rules"].detail;
  return wrong;
}

// Return the request's body: everything for a new game, otherwise what differs from `before`.
export function toRequest(values: Values, before?: Values): object {
  const whole: Record<FieldName, unknown> = {
    name: values.name.trim(),
    edition: values.edition,
    players: Number(values.players),
    size: values.size,
    language: values.language,
    deadline: values.deadline ? momentOf(values.deadline, values.timezone) : null,
    timezone: values.timezone,
    mode: values.mode,
    tries: Number(values.tries),
    pause: Number(values.pause) * 60,
    keep_days: Number(values.keep_days),
    keep_hours: Number(values.keep_hours),
    expect_dealt: values.expect_dealt,
    settings: Object.fromEntries(Object.entries(values.settings).map(([name, value]) => [name, Number(value)])),
    confirmed: values.confirmed,
    rules: values.rules,
  };
  const named = (names: Iterable<FieldName>) =>
    Object.fromEntries([...names].map((name) => [name === "rules" ? "active_rules" : name, whole[name]]));
  if (!before) return named(FIELDS);
  const other = new Set(changedFields(values, before));
  // The same local time is another moment in another zone.
  if (other.has("timezone") && values.deadline) other.add("deadline");
  return named(other);
}

const FIELDS = Object.keys(ACTS) as FieldName[];

// Return the fields in which two forms differ.
export const changedFields = (one: Values, other: Values) => FIELDS.filter((name) => !isEqual(one[name], other[name]));

export const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const isWithin = (text: string, least: number, most: number) =>
  /^-?\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;

// A list to choose the rules that count. `chosen` are their keys, null for all. It is folded, since organisers who play do not
// want to read it.
type RuleChoiceProps = {
  edition: EditionModel;
  players: number;
  chosen: string[] | null;
  disabled: boolean;
  wrong: string | undefined;
  onChange: (rules: string[] | null) => void;
};

export function RuleChoice({ edition, players, chosen, disabled, wrong, onChange }: RuleChoiceProps) {
  const words = texts.games.rules;
  const keys = edition.rules.map(({ key }) => key);
  const counted = new Set(chosen ?? keys);
  const put = (wanted: string[]) => onChange(wanted.length === keys.length ? null : wanted);
  const dealt = Math.min(keys.length, edition.rule_cards * players || 0);
  const toggle = (key: string) => put(keys.filter((other) => (other === key ? !counted.has(key) : counted.has(other))));
  const lostWorth = edition.rules.filter(({ key, worth }) => worth && !counted.has(key));
  return (
    <div class="rules">
      <p>
        <b>{words.count({ count: counted.size, all: keys.length })}</b>
      </p>
      {wrong && <p class="wrong">{wrong}</p>}
      <div class="row">
        <button type="button" class="secondary" disabled={disabled} onClick={() => put(keys)}>
          {words.all}
        </button>
        {dealt > 0 && dealt < keys.length && (
          <button type="button" class="secondary" disabled={disabled} onClick={() => put(keys.slice(0, dealt))}>
            {words.dealt({ count: dealt })}
          </button>
        )}
        <button type="button" class="secondary" disabled={disabled} onClick={() => onChange([])}>
          {words.none}
        </button>
      </div>
      {lostWorth.length > 0 && (
        <p class="caption">
          <b>{words.noWorth({ count: lostWorth.length, rules: formatList(lostWorth.map(({ key }) => key)) })}</b>
        </p>
      )}
      <details class="above">
        <summary>{words.show}</summary>
        <div class="tiles">
          {edition.rules.map(({ key, name }) => (
            <Checkbox
              key={key}
              label={
                <>
                  <b>{key}</b> {name}
                </>
              }
              checked={counted.has(key)}
              disabled={disabled}
              onChange={() => toggle(key)}
            />
          ))}
        </div>
      </details>
    </div>
  );
}

const MINUTE = 60_000;
const TWO_DAYS = 2 * 24 * 60;

const formatters = new Map<string, Intl.DateTimeFormat>();
const PARTS = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;

function formatterFor(zone: string): Intl.DateTimeFormat {
  const formatter = formatters.get(zone) ?? new Intl.DateTimeFormat("en-CA", { ...PARTS, hourCycle: "h23", timeZone: zone });
  formatters.set(zone, formatter);
  return formatter;
}

// Return true if a time zone exists.
function isTimeZone(zone: string): boolean {
  try {
    return Boolean(formatterFor(zone));
  } catch {
    return false;
  }
}

// Return the local time in a zone as an input element needs it, such as "2026-03-27T12:00".
function localTime(time: string | number, zone: string): string {
  const parts = Object.fromEntries(
    formatterFor(zone)
      .formatToParts(new Date(time))
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

// Return the moment of a local time in a zone for the API; null if clocks skip that time or show it twice.
function momentOf(shown: string, zone: string): string | null {
  const guess = Date.parse(`${shown.slice(0, 16)}Z`);
  if (Number.isNaN(guess)) return null;
  const offsets = new Set([-TWO_DAYS, 0, TWO_DAYS].map((minutes) => utcOffset(guess + minutes * MINUTE, zone)));
  const found = [...offsets].map((ahead) => guess - ahead).filter((time) => localTime(time, zone) === shown.slice(0, 16));
  const [time] = found;
  return time !== undefined && found.length === 1 ? new Date(time).toISOString() : null;
}

// Return a zone's offset from UTC in milliseconds.
const utcOffset = (time: number, zone: string) => Date.parse(`${localTime(time, zone)}Z`) - Math.floor(time / MINUTE) * MINUTE;

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
export const timeZones = () => (Intl.supportedValuesOf ? ["UTC", ...Intl.supportedValuesOf("timeZone")] : ["UTC", ownZone()]);
