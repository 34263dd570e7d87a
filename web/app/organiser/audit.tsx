// The audit log of a game.

import type { TargetedEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AuditEntryModel, AuditModel, EditionModel, EditionsModel, FullGameModel } from "../../api";
import { type Problem, request, useFetch } from "../shared/http";
import { formatDateTime, formatDuration, language, loadTexts, say, texts } from "../shared/i18n";
import { Notice, Skeleton } from "../shared/notices";
import { Link, View } from "../shared/router";
import { fieldName, isFieldName } from "./games/settings";
import { useTopics } from "./live";
import { kindOf } from "./review/issue-text";

await loadTexts("queue", "games");

const PAGE_SIZE = 50;
const SEARCH_DELAY = 300; // milliseconds after the last key before a search
type Filter = { action: string; envelope: string; who: string };
type Row = [name: string, before: string, after: string];
type Values = Record<string, unknown>;

const NO_FILTER: Filter = { action: "", envelope: "", who: "" };
const TOPICS = ["game", "envelopes", "photos", "queue", "results"];

// The audit log: who changed what, when and why; newest first, and kept up to date.
export function Audit({ game }: { game: FullGameModel }) {
  const [filter, setFilter] = useState(NO_FILTER);
  const { entries, more, problem, loadFirst, older } = useEntries(game.id, filter);
  // Names of the editions' contents, for the keys in the audit log.
  const { data: names, problem: nameless } = useFetch(
    (signal) => request<EditionsModel>(`/api/v1/editions?language=${language()}`, { signal }),
    "editions",
  );
  const ready = entries && (names || nameless);
  const words = texts.audit;
  const set = (name: keyof Filter) => (event: TargetedEvent<HTMLInputElement | HTMLSelectElement>) =>
    setFilter({ ...filter, [name]: event.currentTarget.value });
  const people = [...new Set((entries ?? []).map((entry) => entry.who))].sort();
  const actions = Object.entries(words.actions).sort(([, one], [, other]) => one.localeCompare(other));
  return (
    <View name="audit" title={texts.desk.tabs.audit}>
      <form class="tiles end" onSubmit={(event) => event.preventDefault()}>
        <label>
          {words.action}
          <select value={filter.action} onChange={set("action")}>
            <option value="">{words.all}</option>
            {actions.map(([name, title]) => (
              <option value={name} selected={name === filter.action}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.names.envelope}
          <input inputmode="numeric" pattern="[0-9]*" value={filter.envelope} onInput={set("envelope")} />
        </label>
        <label>
          {words.names.who}
          <input list="audit-people" value={filter.who} onInput={set("who")} autocomplete="off" />
        </label>
        <datalist id="audit-people">
          {people.map((name) => (
            <option value={name} />
          ))}
        </datalist>
        {(filter.action || filter.envelope || filter.who) && (
          <button type="button" class="plain" onClick={() => setFilter(NO_FILTER)}>
            {words.clear}
          </button>
        )}
      </form>
      {problem && <Notice problem={problem} onRetry={loadFirst} />} {!ready && !problem && <Skeleton rows={6} />}
      {entries?.length === 0 && <p>{texts.results.ranking.none}</p>}
      {ready && entries.length > 0 && (
        <ol class="ruled">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} game={game} editions={names?.editions} />
          ))}
        </ol>
      )}
      {ready && more && (
        <button type="button" class="secondary above" onClick={older}>
          {words.older}
        </button>
      )}
    </View>
  );
}

// Fetch the entries that match the filter, page by page.
type Loaded = { entries: AuditEntryModel[] | null; more: number | null };

function useEntries(game: string, filter: Filter) {
  const [state, setState] = useState<Loaded & { problem: Problem | null }>({ entries: null, more: null, problem: null });
  const run = useRef<AbortController | null>(null);
  const page = (before: number | null, signal: AbortSignal) => {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (before) query.set("before", String(before));
    if (filter.action) query.set("action", filter.action);
    if (filter.envelope.trim()) query.set("subject", `envelope ${filter.envelope.trim()}`);
    if (filter.who.trim()) query.set("who", filter.who.trim());
    return request<AuditModel>(`/api/v1/games/${game}/audit?${query}`, { signal });
  };
  const asked = (before: number | null, take: (now: Loaded, result: AuditModel) => Loaded) => {
    run.current?.abort();
    run.current = new AbortController();
    const { signal } = run.current;
    return page(before, signal).then(
      (result) => signal.aborted || setState((now) => ({ ...take(now, result), problem: null })),
      (problem: Problem) => signal.aborted || setState((now) => ({ ...now, problem })),
    );
  };
  const loadFirst = () => asked(null, (_, result) => ({ entries: result.entries, more: result.next }));
  // Add new entries and keep the pages loaded before.
  const fresh = () =>
    asked(null, (now, result) => {
      const last = result.entries.at(-1)?.id ?? 0;
      const rest = (now.entries ?? []).filter((entry) => entry.id < last);
      return { entries: [...result.entries, ...rest], more: rest.length ? now.more : result.next };
    });
  const older = () =>
    asked(state.more, (now, result) => ({ entries: [...(now.entries ?? []), ...result.entries], more: result.next }));
  const first = useRef(true);
  useEffect(() => {
    const timer = setTimeout(loadFirst, first.current ? 0 : SEARCH_DELAY);
    first.current = false;
    return () => clearTimeout(timer);
  }, [game, filter.action, filter.envelope, filter.who]);
  useEffect(() => () => run.current?.abort(), []);
  useTopics(TOPICS, fresh);
  return { ...state, loadFirst, older };
}

// One entry: time, actor, subject, reason, values before and after.
type EntryProps = { entry: AuditEntryModel; game: FullGameModel; editions: EditionModel[] | undefined };

function Entry({ entry, game, editions }: EntryProps) {
  const words = texts.audit;
  const changes = differences(entry.before, entry.after, game, editions);
  return (
    <li class="entry">
      <p class="entry-head">
        <time class="soft block" dateTime={entry.at}>
          {formatDateTime(entry.at, game.timezone)}
        </time>
        <b>{actorOf(entry)}</b>
      </p>
      <div class="entry-body">
        <p>
          <strong>{textOf(words.actions, entry.action) ?? entry.action}</strong> {subjectOf(entry, game)}
        </p>
        {entry.reason && (
          <p class="soft">
            <q>{(entry.role === "server" && SERVER_REASONS[entry.reason]?.()) || entry.reason}</q>
          </p>
        )}
        {changes.length > 0 && isShort(changes) && (
          <p class="row soft">
            {changes.map(([name, before, after]) => (
              <span>{texts.desk.named({ what: name, name: entry.before ? `${before} → ${after}` : after })}</span>
            ))}
          </p>
        )}
        {changes.length > 0 && !isShort(changes) && (
          <details>
            <summary>{words.changes({ count: changes.length })}</summary>
            <table class="small">
              <thead>
                <tr>
                  <th />
                  <th scope="col">{words.before}</th>
                  <th scope="col">{words.after}</th>
                </tr>
              </thead>
              <tbody>
                {changes.map(([name, before, after]) => (
                  <tr>
                    <th scope="row">{name}</th>
                    <td>{before}</td>
                    <td>{after}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        )}
      </div>
    </li>
  );
}

// Texts of the reasons that the server gives.
const SERVER_REASONS: Record<string, (() => string) | undefined> = {
  "The deadline has passed.": () => texts.problems["deadline-passed"].title,
  "It could not be read.": () => texts.audit.values.pictures.failed,
};

// Return a text by a name of the server, undefined if the pages do not know it.
const textOf = (words: Record<string, string>, name: string): string | undefined => words[name];

// A few short changes are shown at once, longer ones unfold.
const isShort = (changes: Row[]) => changes.length <= 3 && changes.every((change) => change.join("").length < 60);

function actorOf({ role, who: name }: AuditEntryModel): string {
  if (role === "server") return texts.audit.server;
  return role === "player" ? texts.audit.player({ number: name.replace(/\D/g, "") }) : name;
}

// Return the subject: an envelope, a photo, a version, or a linked issue.
function subjectOf({ subject: of, action }: AuditEntryModel, game: FullGameModel) {
  const words = texts.audit.subjects;
  const named: Record<string, Parameters<typeof say>[0] | undefined> = {
    ...words,
    envelope: texts.envelope,
    version: texts.results.versions.version,
  };
  if (!of) return "";
  const [, kind = "", number = ""] = /^(envelope|run|version|photo|game) (.+)$/.exec(of) ?? [];
  if (kind === "photo") return <code title={number}>{number.slice(0, 6)}</code>;
  if (kind) return say(named[kind] ?? "", { number, id: number });
  const [count] = /^\d+(?= photographs$)/.exec(of) ?? [];
  if (count) return words.photos({ count });
  if (!["settle", "take-back"].includes(action)) return of;
  return (
    <Link href={`/desk/games/${game.id}/queue/doubts/${encodeURIComponent(of)}`}>
      {words.item({ kind: textOf(texts.queue.kinds, kindOf(of)) ?? of })}
    </Link>
  );
}

// Values before and after a change, for people.

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const CARD = /^(.+)-(\d{3,})$/;
const MAX_DEPTH = 2; // levels of nested values with rows of their own

// Return rows of [name, before, after] of what differs. `editions` are the server's, with the names of their contents.
function differences(
  before: Values | null,
  after: Values | null,
  game: FullGameModel,
  editions: EditionModel[] | undefined,
): Row[] {
  return new ValueReader(game, editions)
    .rows(before ?? {}, after ?? {}, MAX_DEPTH, [], [])
    .filter(([, one, other]) => one !== other);
}

const isGroup = (value: unknown): value is Values => value !== null && typeof value === "object" && !Array.isArray(value);
const named = <T,>(list: T[] | undefined, key: (one: T) => string, name: (one: T) => string): Record<string, string> =>
  Object.fromEntries((list ?? []).map((one) => [key(one), name(one)]));

class ValueReader {
  readonly titles: Record<string, string>;
  readonly kinds: Record<string, string>;
  readonly names: Record<"settings" | "facts" | "parts" | "cards" | "rules", Record<string, string>>;

  constructor(
    private readonly game: FullGameModel,
    editions: EditionModel[] | undefined,
  ) {
    const own = editions?.find(({ slug }) => slug === game.edition);
    this.titles = named(
      editions,
      (one) => one.slug,
      (one) => one.title,
    );
    this.kinds = named(own?.kinds, (one) => one.slug, kindName);
    this.names = {
      settings: named(
        own?.settings,
        (one) => one.name,
        (one) => one.label,
      ),
      facts: named(
        own?.facts,
        (one) => one.name,
        (one) => one.label,
      ),
      parts: {
        ...this.kinds,
        ...named(
          own?.parts,
          (one) => one.part,
          (one) => one.name,
        ),
      },
      cards: this.kinds,
      rules: named(
        own?.rules,
        (one) => one.key,
        ({ key, name }) => texts.cards.titled({ generic: texts.cards.rule({ number: key }), name }),
      ),
    };
  }

  // `path` are the keys so far, `name` is their text.
  rows(before: Values, after: Values, deep: number, path: string[], name: string[]): Row[] {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
      const [one, other] = [before[key], after[key]];
      const inside = [...path, key];
      const called = [...name, this.called(key, path)];
      if (deep && (isGroup(one) || isGroup(other)))
        return this.rows(isGroup(one) ? one : {}, isGroup(other) ? other : {}, deep - 1, inside, called);
      const lists = Array.isArray(one) && Array.isArray(other);
      const said: [string, string] = lists
        ? [this.only(one, other, inside), this.only(other, one, inside)]
        : [this.said(one, inside), this.said(other, inside)];
      return [[called.join(" · "), ...said] satisfies Row];
    });
  }

  // Return the text of a key; in values by envelope, the keys are numbers.
  called(key: string, path: string[]): string {
    const groups: Record<string, Record<string, string> | undefined> = this.names;
    const own = path.map((above) => groups[above]?.[key]).find(Boolean);
    if (own) return own;
    const [, number] = /^(?:envelope )?(\d+)$/.exec(key) ?? [];
    if (isFieldName(key)) return fieldName(key);
    return textOf(texts.audit.names, key) ?? (number && (path.length || key !== number) ? texts.envelope({ number }) : key);
  }

  // Return what only the first of two lists contains: a hand has many cards, and few change.
  only(list: unknown[], other: unknown[], path: string[]): string {
    return this.said(
      list.filter((one) => !other.includes(one)),
      path,
    );
  }

  said(value: unknown, path: string[]): string {
    const { values } = texts.audit;
    if (value === undefined || value === null || value === "") return values.none;
    if (value === true) return texts.games.form.yes;
    if (value === false) return texts.games.form.no;
    if (Array.isArray(value)) return value.length ? value.map((one) => this.said(one, path)).join(", ") : values.none;
    if (isGroup(value))
      return (
        Object.entries(value)
          .map(([key, one]) => texts.desk.named({ what: this.called(key, path), name: this.said(one, [...path, key]) }))
          .join(", ") || values.none
      );
    const known = VALUE_TEXTS[path.at(-1) ?? ""]?.(String(value), this);
    if (known !== undefined) return known;
    return typeof value === "string" && TIME.test(value) ? formatDateTime(value, this.game.timezone) : String(value);
  }

  card(name: string): string | undefined {
    const [, slug = "", copy] = CARD.exec(name) ?? [];
    return this.kinds[slug] ? `${this.kinds[slug]} ${Number(copy)}` : undefined;
  }
}

// Return a decision without its envelope or card, which have rows of their own.
function decisionOf(value: string): string | undefined {
  const choices: Record<string, Parameters<typeof say>[0] | undefined> = texts.queue.choices.all;
  const words = choices[value];
  return words && say(words, { envelope: 0 }).replace(/\s?…$/, "");
}

const kindName = ({ name, number }: EditionModel["kinds"][number]) =>
  number ? texts.cards.titled({ generic: texts.cards.rule({ number }), name }) : name;

// Texts of values by the key they belong to; undefined: the value itself.
type Titles = Record<string, { title: string } | undefined>;
const VALUE_TEXTS: Record<string, (value: string, reader: ValueReader) => string | undefined> = {
  state: (value) => textOf(texts.desk.states, value) ?? textOf(texts.audit.values.pictures, value),
  mode: (value) => (texts.games.form.modes as Titles)[value]?.title,
  size: (value) => (texts.games.form.sizes as Titles)[value]?.title,
  do: decisionOf,
  left_out: (value) => textOf(texts.results.leftOut.reasons, value),
  language: (value) => new Intl.DisplayNames(language(), { type: "language" }).of(value),
  edition: (value, { titles }) => titles[value],
  active_rules: (value, { names }) => names.rules[value],
  cancels: (value, { names }) => names.rules[value],
  confirmed: (value, { names }) => names.settings[value],
  pause: (value) => formatDuration(Number(value) * 1000),
  card: (value, reader) => reader.card(value),
  cards: (value, reader) => reader.card(value),
};
