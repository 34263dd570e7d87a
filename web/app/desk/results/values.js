// What stands in the record before and after a change, as people read it.

import { language, texts } from "../../shared/texts.js";
import { duration, moment } from "../../shared/times.js";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const CARD = /^(.+)-(\d{3,})$/;
const DEEP = 2; // levels of groups that get rows of their own

// Rows of [name, before, after] for what is not the same. `editions` are the server's, with the names of what is in them.
export function differences(before, after, game, editions) {
  return new Reader(game, editions).rows(before ?? {}, after ?? {}, DEEP, [], []).filter(([, one, other]) => one !== other);
}

const isGroup = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const entries = (list, key, name) => (list ?? []).map((one) => [one[key], name(one)]);

class Reader {
  constructor(game, editions) {
    this.game = game;
    this.titles = Object.fromEntries(entries(editions, "slug", ({ title }) => title));
    const own = editions?.find(({ slug }) => slug === game.edition);
    this.kinds = Object.fromEntries(entries(own?.kinds, "slug", kindName));
    this.names = {
      settings: Object.fromEntries(entries(own?.settings, "name", ({ label }) => label)),
      facts: Object.fromEntries(entries(own?.facts, "name", ({ label }) => label)),
      parts: { ...this.kinds, ...Object.fromEntries(entries(own?.parts, "part", ({ name }) => name)) },
      cards: this.kinds,
      rules: Object.fromEntries(entries(own?.rules, "key", ({ key, name }) => `${texts.cards.rule(key)}: ${name}`)),
    };
  }

  // `path` are the keys that lead there, `name` is what they are called.
  rows(before, after, deep, path, name) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
      const [one, other] = [before[key], after[key]];
      const inside = [...path, key];
      const called = [...name, this.called(key, path)];
      if (deep && (isGroup(one) || isGroup(other))) return this.rows(isGroup(one) ? one : {}, isGroup(other) ? other : {}, deep - 1, inside, called);
      const lists = Array.isArray(one) && Array.isArray(other);
      const said = lists ? [this.only(one, other, inside), this.only(other, one, inside)] : [this.said(one, inside), this.said(other, inside)];
      return [[called.join(" · "), ...said]];
    });
  }

  // A key in words; where envelopes have values of their own, their numbers are the keys.
  called(key, path) {
    const own = path.map((above) => this.names[above]?.[key]).find(Boolean);
    if (own) return own;
    const [, number] = /^(?:envelope )?(\d+)$/.exec(key) ?? [];
    return texts.audit.names[key] ?? (number && (path.length || key !== number) ? texts.envelope(number) : key);
  }

  // Of two lists what is in the first one alone: a hand has many cards, and few of them change.
  only(list, other, path) {
    return this.said(list.filter((one) => !other.includes(one)), path);
  }

  said(value, path) {
    const { values } = texts.audit;
    if (value === undefined || value === null || value === "") return values.none;
    if (value === true) return values.yes;
    if (value === false) return values.no;
    if (Array.isArray(value)) return value.length ? value.map((one) => this.said(one, path)).join(", ") : values.none;
    if (isGroup(value)) return Object.entries(value).map(([key, one]) => `${this.called(key, path)}: ${this.said(one, [...path, key])}`).join(", ") || values.none;
    const known = MEANS[path.at(-1)]?.(value, this);
    if (known !== undefined) return known;
    return typeof value === "string" && TIME.test(value) ? moment(value, this.game.timezone) : String(value);
  }

  card(name) {
    const [, slug, copy] = CARD.exec(name) ?? [];
    return this.kinds[slug] ? `${this.kinds[slug]} ${Number(copy)}` : undefined;
  }
}

const kindName = ({ name, number }) => (number ? `${texts.cards.rule(number)}: ${name}` : name);

// What a value means by the key under which it stands; undefined: just what it says.
const MEANS = {
  state: (value) => texts.desk.states[value] ?? texts.audit.values.pictures[value],
  mode: (value) => texts.games.form.modes[value]?.title,
  size: (value) => texts.games.form.sizes[value]?.title,
  do: (value) => texts.audit.values.decisions[value],
  left_out: (value) => texts.results.leftOut.reasons[value],
  language: (value) => new Intl.DisplayNames(language(), { type: "language" }).of(value),
  edition: (value, { titles }) => titles[value],
  active_rules: (value, { names }) => names.rules[value],
  cancels: (value, { names }) => names.rules[value],
  confirmed: (value, { names }) => names.settings[value],
  pause: (value) => duration(value * 1000),
  card: (value, reader) => reader.card(value),
  cards: (value, reader) => (typeof value === "string" ? reader.card(value) : undefined),
};
