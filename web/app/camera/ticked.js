// Which cards have passed before the camera. It is no deck: whether a code is signed is told by the server alone.

import { sorted } from "../../live/payload.js";
import { recent, steady } from "./steady.js";

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
export function byKind(cards, kinds) {
  const codes = new Map(kinds.map((slug) => [slug, []]));
  for (const [code, kind] of cards) codes.get(kind).push(code);
  return new Map([...codes].filter(([, found]) => found.length).map(([kind, found]) => [kind, [...found].sort()]));
}
