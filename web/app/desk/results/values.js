// What stands in the record before and after a change, as people read it.

import { texts } from "../../shared/texts.js";
import { moment } from "../../shared/times.js";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const DEEP = 2; // levels of groups that get rows of their own

// Rows of [name, before, after] for what is not the same.
export function differences(before, after, game) {
  return rows(before ?? {}, after ?? {}, DEEP, game, []).filter(([, one, other]) => one !== other);
}

function rows(before, after, deep, game, path) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const [one, other] = [before[key], after[key]];
    const name = [...path, nameOf(key, path.length)];
    if (deep && (isGroup(one) || isGroup(other))) return rows(isGroup(one) ? one : {}, isGroup(other) ? other : {}, deep - 1, game, name);
    if (Array.isArray(one) && Array.isArray(other)) return [[name.join(" · "), only(one, other, game), only(other, one, game)]];
    return [[name.join(" · "), words(one, game), words(other, game)]];
  });
}

// A key in words; where envelopes have values of their own, their numbers are the keys.
function nameOf(key, inside) {
  const [, number] = /^(?:envelope )?(\d+)$/.exec(key) ?? [];
  return texts.audit.names[key] ?? (number && (inside || key !== number) ? texts.envelope(number) : key);
}

// Of two lists what is in the first one alone: a hand has many cards, and few of them change.
const only = (list, other, game) => words(list.filter((one) => !other.includes(one)), game);

const isGroup = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function words(value, game) {
  const { values } = texts.audit;
  if (value === undefined || value === null || value === "") return values.none;
  if (value === true) return values.yes;
  if (value === false) return values.no;
  if (Array.isArray(value)) return value.length ? value.map((one) => words(one, game)).join(", ") : values.none;
  if (isGroup(value)) return Object.entries(value).map(([key, one]) => `${texts.audit.names[key] ?? key}: ${words(one, game)}`).join(", ") || values.none;
  if (typeof value === "string" && TIME.test(value)) return moment(value, game.timezone);
  return texts.desk.states[value] ?? String(value);
}
