// The cards that the camera has seen, and their outlines in the current frame. This is not a deck: only the server can verify
// signatures.

import { useEffect, useRef } from "preact/hooks";
import { classifyCodes } from "../../live/payload";
import { CardSymbol } from "../shared/cards";
import { texts } from "../shared/i18n";

const STRANGERS = new Set(["other-game", "forged", "foreign"]);

export const NO_CODES = { cards: new Map(), fresh: [], seen: [], strangers: new Map(), labels: new Map() };

// Return the short code printed on a card, without its check character.
const shortCodeOf = (text) => `${text.slice(5, 7)}-${text.slice(7, 9)}`;

// Return the state after a frame: `cards`, their kinds by short code, in order of appearance; `fresh`, the kinds of those that
// came last; `seen`, the codes in this frame and those read a moment ago; and `labels` (by envelope) and `strangers` to
// report. `now` is in milliseconds.
export function trackCodes(before, codes, { game, kinds, now }) {
  const read = classifyCodes(codes, { game, kinds });
  const found = new Map(read.filter(({ status }) => status === "card").map(({ text, card }) => [shortCodeOf(text), card.kind]));
  const fresh = [...found].filter(([code]) => !before.cards.has(code));
  const labels = read.filter(({ status }) => status === "label").map(({ envelope }) => envelope);
  // Every label also has the join link, which is no foreign code.
  const strangers = read.filter(({ status, text }) => STRANGERS.has(status) && !text.includes("/j#")).map(({ text }) => text);
  return {
    cards: fresh.length ? new Map([...before.cards, ...fresh]) : before.cards,
    fresh: fresh.length ? fresh.map(([, kind]) => kind) : before.fresh,
    seen: steadyCodes(before.seen, read, now),
    labels: recentReports(before.labels, labels, now),
    strangers: recentReports(before.strangers, strangers, now),
  };
}

// Return the short codes by kind, in the game's order.
function byKind(cards, kinds) {
  const codes = new Map(kinds.map((slug) => [slug, []]));
  for (const [code, kind] of cards) codes.get(kind).push(code);
  return new Map([...codes].filter(([, found]) => found.length).map(([kind, found]) => [kind, [...found].sort()]));
}

const LINGER_TIME = 800; // milliseconds for which a code stays outlined after it was read
const MIN_FRAMES = 2; // frames for which it stays at least: slow phones read few
const REPORT_TIME = 3000; // milliseconds for which an unexpected code is reported

// Return the codes of this frame and those read a moment ago, moved along with the codes that were read again: a hand shakes,
// so not every code is read in every frame. Each has the time `at` which it was read last, and the number of frames in which
// it was `missed`.
function steadyCodes(before, read, now) {
  const missing = [...before];
  const pairs = [];
  for (const code of read) {
    const at = missing.findIndex((other) => isSameCode(other, code));
    if (at >= 0) pairs.push([...missing.splice(at, 1), code]);
  }
  const shift = movementOf(pairs);
  const late = missing
    .map((code) => ({
      ...code,
      missed: code.missed + 1,
      quad: code.quad.map((corner) => corner.map((place, axis) => place + shift[axis])),
    }))
    .filter(({ at, missed }) => missed <= MIN_FRAMES || now - at <= LINGER_TIME);
  return [...read.map((code) => ({ ...code, at: now, missed: 0 })), ...late];
}

// Return the times of things to report: those in this frame and those seen a moment ago, so that there is time to read it.
function recentReports(before, seen, now) {
  return new Map([...[...before].filter(([, at]) => now - at <= REPORT_TIME), ...seen.map((one) => [one, now])]);
}

// Return true if two codes are the same one: a card has its code twice, the second one turned by 180 degrees.
function isSameCode(one, other) {
  if (one.text !== other.text) return false;
  const [a, b] = [one, other].map(({ quad: [from, to] }) => [to[0] - from[0], to[1] - from[1]]);
  return a[0] * b[0] + a[1] * b[1] > 0;
}

// Return how far the image has moved: the median of the codes that were read again.
function movementOf(pairs) {
  return [0, 1].map((axis) => {
    const shifts = pairs.map(([one, other]) => other.quad[0][axis] - one.quad[0][axis]).sort((a, b) => a - b);
    return shifts[shifts.length >> 1] ?? 0;
  });
}

// The cards seen so far by kind, with their short codes. The newest kind is scrolled into view.
export function TickedCards({ cards, fresh, kinds, slugs }) {
  const list = useRef(null);
  const held = byKind(cards, slugs);
  useEffect(() => {
    const [last] = list.current.getElementsByClassName("ticked-fresh");
    last?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [cards]);
  return (
    <ul ref={list} class="ticked" aria-label={texts.camera.ticked} tabIndex={0}>
      {[...held].map(([slug, codes]) => {
        const kind = kinds.get(slug);
        return (
          <li
            key={`${slug} ${codes.length}`}
            class={fresh.includes(slug) ? "ticked-fresh" : ""}
            data-kind={slug}
            style={{ "--ink": kind.ink, "--on": kind.on }}
          >
            <span class="ticked-symbol">
              {kind.number || !kind.symbol ? <b aria-hidden="true">{kind.number ?? "·"}</b> : <CardSymbol name={kind.symbol} />}
            </span>
            <span class="ticked-words">
              <strong>
                {texts.cards.count(codes.length)} {kind.title}
              </strong>
              <small>{codes.join(", ")}</small>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
