// Which cards have passed before the camera. It is no deck: whether a code is signed is told by the server alone.

import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { sorted } from "../../live/payload.js";
import { Symbol } from "../shared/cards.js";
import { texts } from "../shared/i18n.js";

const STRANGERS = new Set(["other-game", "forged", "foreign"]);

export const NOTHING = { cards: new Map(), fresh: [], seen: [], strangers: new Map(), labels: new Map() };

// What is printed below the code of the card, but for the sign that checks it.
const printedCode = (text) => `${text.slice(5, 7)}-${text.slice(7, 9)}`;

// What was ticked off and what is in this frame: `cards`, the kind by the printed code, in the order in which they came; the kinds
// of the `fresh` ones, which came last; `seen`, its codes with what they mean, and those that were in sight just now; and what
// was read a moment ago and is to be told: the `labels`, by envelope, and `strangers`. `now` in milliseconds.
export function tick(before, codes, { game, kinds, now }) {
  const read = sorted(codes, { game, kinds });
  const found = new Map(read.filter(({ status }) => status === "card").map(({ text, card }) => [printedCode(text), card.kind]));
  const fresh = [...found].filter(([code]) => !before.cards.has(code));
  const labels = read.filter(({ status }) => status === "label").map(({ envelope }) => envelope);
  // Every label bears the link for the phone as well, which is no stranger.
  const strangers = read.filter(({ status, text }) => STRANGERS.has(status) && !text.includes("/j#")).map(({ text }) => text);
  return {
    cards: fresh.length ? new Map([...before.cards, ...fresh]) : before.cards,
    fresh: fresh.length ? fresh.map(([, kind]) => kind) : before.fresh,
    seen: steady(before.seen, read, now),
    labels: recent(before.labels, labels, now),
    strangers: recent(before.strangers, strangers, now),
  };
}

// The printed codes of the ticked cards by kind: a Map from the slug, in the game's order.
function byKind(cards, kinds) {
  const codes = new Map(kinds.map((slug) => [slug, []]));
  for (const [code, kind] of cards) codes.get(kind).push(code);
  return new Map([...codes].filter(([, found]) => found.length).map(([kind, found]) => [kind, [...found].sort()]));
}

// Outlines that do not flicker. A hand shakes, so of the codes in sight some are read in one frame and not in the next.

const LINGER = 800; // milliseconds for which a code that was read stays outlined
const MISSED = 2; // frames without it that it outlives all the same: a slow phone reads few
const TOLD = 3000; // milliseconds for which it is told of a code that should not be there

// The codes of this frame, and those read a moment ago that are missing in it, moved along with what was read again.
// `now` in milliseconds. Each tells by `at` when it was read last, and in how many frames it was `missed` since.
function steady(before, read, now) {
  const missing = [...before];
  const pairs = [];
  for (const code of read) {
    const at = missing.findIndex((other) => isSame(other, code));
    if (at >= 0) pairs.push([...missing.splice(at, 1), code]);
  }
  const way = wayOf(pairs);
  const late = missing
    .map((code) => ({ ...code, missed: code.missed + 1, quad: code.quad.map((corner) => corner.map((place, axis) => place + way[axis])) }))
    .filter(({ at, missed }) => missed <= MISSED || now - at <= LINGER);
  return [...read.map((code) => ({ ...code, at: now, missed: 0 })), ...late];
}

// What is to be told, with when it was seen last: that of this frame, and what was seen a moment ago, so that it can be read.
function recent(before, seen, now) {
  return new Map([...[...before].filter(([, at]) => now - at <= TOLD), ...seen.map((one) => [one, now])]);
}

// A card has its code twice, one turned half round: the upper edges of the two point away from each other.
function isSame(one, other) {
  if (one.text !== other.text) return false;
  const [a, b] = [one, other].map(({ quad: [from, to] }) => [to[0] - from[0], to[1] - from[1]]);
  return a[0] * b[0] + a[1] * b[1] > 0;
}

// How far the picture has moved: most of what was read again went as far as the one in the middle.
function wayOf(pairs) {
  return [0, 1].map((axis) => {
    const ways = pairs.map(([one, other]) => other.quad[0][axis] - one.quad[0][axis]).sort((a, b) => a - b);
    return ways[ways.length >> 1] ?? 0;
  });
}

// What was ticked off, by kind, with the codes that are printed on the cards, so that one sees which are done. The newest
// kind comes into sight by itself.
export function Ticked({ cards, fresh, kinds, slugs }) {
  const list = useRef(null);
  const held = byKind(cards, slugs);
  useEffect(() => {
    const [last] = list.current.getElementsByClassName("ticked-fresh");
    last?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [cards]);
  return html`<ul ref=${list} class="ticked" aria-label=${texts.camera.ticked} tabindex="0">
    ${[...held].map(([slug, codes]) => {
      const kind = kinds.get(slug);
      return html`<li
        key=${`${slug} ${codes.length}`}
        class=${fresh.includes(slug) ? "ticked-fresh" : ""}
        data-kind=${slug}
        style=${{ "--ink": kind.ink, "--on": kind.on }}
      >
        <span class="ticked-symbol">
          ${kind.number || !kind.symbol ? html`<b aria-hidden="true">${kind.number ?? "·"}</b>` : html`<${Symbol} name=${kind.symbol} />`}
        </span>
        <span class="ticked-words">
          <strong>${texts.cards.count(codes.length)} ${kind.title}</strong>
          <small>${codes.join(", ")}</small>
        </span>
      </li>`;
    })}
  </ul>`;
}
