// The cards that the camera has seen, and their outlines in the current frame. This is not a deck: only the server can verify
// signatures.

import { useEffect, useRef } from "preact/hooks";
import { classifyCodes } from "../../live/payload";
import { type CardKind, CardSymbol } from "../shared/cards";
import { texts } from "../shared/i18n";
import type { Corners, Point } from "../shared/outlines";

const STRANGERS = new Set(["other-game", "forged", "foreign"]);

// A code in a frame, and what it says.
export type ReadCode = { text: string; quad: Corners };
type ClassifiedCode = ReadCode & { status: string; card?: { kind: string }; envelope?: number };
export type SeenCode = ClassifiedCode & { at: number; missed: number };
type Reports<Key> = Map<Key, number>;
export type Tracked = {
  cards: Map<string, string>;
  cardsAt: number;
  fresh: string[];
  seen: SeenCode[];
  strangers: Reports<string>;
  labels: Reports<number>;
};

export const NO_CODES: Tracked = { cards: new Map(), cardsAt: 0, fresh: [], seen: [], strangers: new Map(), labels: new Map() };

// Return the short code printed on a card, without its check character.
export const shortCodeOf = (text: string) => `${text.slice(5, 7)}-${text.slice(7, 9)}`;

// Milliseconds without any ticked card in view after which new cards are another deck, laid where the last one was.
export const NEXT_DECK_TIME = 1000;

// Return the state after a frame: `cards`, their kinds by short code, in order of appearance; `cardsAt`, the time at which one of
// them was last in view; `fresh`, the kinds of those that came last; `seen`, the codes in this frame and those read a moment ago; and `labels` (by envelope) and `strangers` to
// report. `now` is in milliseconds. In a series of decks, new cards end the ticks of a deck that has not been in view for a
// while; a single deck may be too large for the view.
export function trackCodes(
  before: Tracked,
  codes: ReadCode[],
  { game, kinds, now, series = false }: { game: string; kinds: string[]; now: number; series?: boolean },
): Tracked {
  const read: ClassifiedCode[] = classifyCodes(codes, { game, kinds });
  const found = new Map(
    read.flatMap(({ status, text, card }) => (status === "card" && card ? [[shortCodeOf(text), card.kind] as const] : [])),
  );
  const again = [...found.keys()].some((code) => before.cards.has(code));
  const ended = series && found.size > 0 && !again && now - before.cardsAt >= NEXT_DECK_TIME;
  const cards = ended ? NO_CODES.cards : before.cards;
  const fresh = [...found].filter(([code]) => !cards.has(code));
  const labels = read.flatMap(({ status, envelope }) => (status === "label" && envelope !== undefined ? [envelope] : []));
  // Every label also has the join link, which is no foreign code.
  const strangers = read.filter(({ status, text }) => STRANGERS.has(status) && !text.includes("/j#")).map(({ text }) => text);
  return {
    cards: fresh.length ? new Map([...cards, ...fresh]) : cards,
    cardsAt: found.size ? now : before.cardsAt,
    fresh: fresh.length ? fresh.map(([, kind]) => kind) : before.fresh,
    seen: steadyCodes(before.seen, read, now),
    labels: recentReports(before.labels, labels, now),
    strangers: recentReports(before.strangers, strangers, now),
  };
}

// Return the short codes by kind, in the game's order.
function byKind(cards: Map<string, string>, kinds: string[]): Map<string, string[]> {
  const codes = new Map<string, string[]>(kinds.map((slug) => [slug, []]));
  for (const [code, kind] of cards) codes.get(kind)?.push(code);
  return new Map([...codes].filter(([, found]) => found.length).map(([kind, found]) => [kind, [...found].sort()]));
}

const LINGER_TIME = 800; // milliseconds for which a code stays outlined after it was read
const MIN_FRAMES = 2; // frames for which it stays at least: slow phones read few
const REPORT_TIME = 3000; // milliseconds for which an unexpected code is reported

// Return the codes of this frame and those read a moment ago, moved along with the codes that were read again: a hand shakes,
// so not every code is read in every frame. Each has the time `at` which it was read last, and the number of frames in which
// it was `missed`.
function steadyCodes(before: SeenCode[], read: ClassifiedCode[], now: number): SeenCode[] {
  const missing = [...before];
  const pairs: [ClassifiedCode, ClassifiedCode][] = [];
  for (const code of read) {
    const at = missing.findIndex((other) => isSameCode(other, code));
    const [same] = at >= 0 ? missing.splice(at, 1) : [];
    if (same) pairs.push([same, code]);
  }
  const shift = movementOf(pairs);
  const late = missing
    .map((code) => ({
      ...code,
      missed: code.missed + 1,
      quad: code.quad.map(([x, y]): Point => [x + shift[0], y + shift[1]]),
    }))
    .filter(({ at, missed }) => missed <= MIN_FRAMES || now - at <= LINGER_TIME);
  return [...read.map((code) => ({ ...code, at: now, missed: 0 })), ...late];
}

// Return the times of things to report: those in this frame and those seen a moment ago, so that there is time to read it.
function recentReports<Key>(before: Reports<Key>, seen: Key[], now: number): Reports<Key> {
  const recent = [...before].filter(([, at]) => now - at <= REPORT_TIME);
  return new Map([...recent, ...seen.map((one): [Key, number] => [one, now])]);
}

// Return true if two codes are the same one: a card has its code twice, the second one turned by 180 degrees.
export function isSameCode(one: ReadCode, other: ReadCode): boolean {
  const [a, b] = [directionOf(one), directionOf(other)];
  return one.text === other.text && a[0] * b[0] + a[1] * b[1] > 0;
}

const ORIGIN: Point = [0, 0];

// Return the length of a code's sides.
export const sideOf = ([a = ORIGIN, b = ORIGIN, c = ORIGIN, d = ORIGIN]: Corners) =>
  (Math.hypot(a[0] - c[0], a[1] - c[1]) + Math.hypot(b[0] - d[0], b[1] - d[1])) / 2 / Math.SQRT2;

const directionOf = ({ quad: [from = ORIGIN, to = ORIGIN] }: ReadCode): Point => [to[0] - from[0], to[1] - from[1]];

// Return how far the image has moved: the median of the codes that were read again.
function movementOf(pairs: [ReadCode, ReadCode][]): Point {
  const along = (axis: 0 | 1) => {
    const corner = ({ quad: [first] }: ReadCode) => first?.[axis] ?? 0;
    const shifts = pairs.map(([one, other]) => corner(other) - corner(one)).sort((a, b) => a - b);
    return shifts[shifts.length >> 1] ?? 0;
  };
  return [along(0), along(1)];
}

// The cards seen so far by kind, with their short codes. The newest kind is scrolled into view.
type TickedCardsProps = Pick<Tracked, "cards" | "fresh"> & { kinds: Map<string, CardKind>; slugs: string[] };

export function TickedCards({ cards, fresh, kinds, slugs }: TickedCardsProps) {
  const list = useRef<HTMLUListElement>(null);
  const held = byKind(cards, slugs);
  useEffect(() => {
    const last = list.current?.querySelector(".ticked-fresh");
    last?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [cards]);
  return (
    <ul ref={list} class="ticked" aria-label={texts.camera.ticked} tabIndex={0}>
      {[...held].map(([slug, codes]) => {
        const kind = kinds.get(slug);
        if (!kind) return null;
        return (
          <li
            key={`${slug} ${codes.length}`}
            class={fresh.includes(slug) ? "chip ticked-fresh" : "chip"}
            data-kind={slug}
            style={{ "--ink": kind.ink, "--on": kind.on }}
          >
            <span class="disc">
              {kind.number || !kind.symbol ? <b aria-hidden="true">{kind.number ?? "·"}</b> : <CardSymbol name={kind.symbol} />}
            </span>
            <span>
              <strong>
                {texts.cards.count({ count: codes.length })} {kind.title}
              </strong>
              <small>{codes.join(", ")}</small>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
