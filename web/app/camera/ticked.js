// Which cards have passed before the camera. It is no deck: whether a code is signed is told by the server alone.

import { sorted } from "../../live/payload.js";

const STRANGERS = new Set(["other-game", "forged", "foreign"]);

export const NOTHING = { cards: new Map(), fresh: [], seen: [], stranger: false, labels: [] };

// What is printed below the code of the card, but for the sign that checks it.
const printedCode = (text) => `${text.slice(5, 7)}-${text.slice(7, 9)}`;

// What was ticked off and what is in this frame: `cards`, the kind by the printed code, in the order in which they came; the kinds
// of the `fresh` ones, which came last; and `seen`, its codes with what they mean.
export function tick(before, codes, { game, kinds }) {
  const seen = sorted(codes, { game, kinds });
  const found = new Map(seen.filter(({ status }) => status === "card").map(({ text, card }) => [printedCode(text), card.kind]));
  const fresh = [...found].filter(([code]) => !before.cards.has(code));
  return {
    cards: fresh.length ? new Map([...before.cards, ...fresh]) : before.cards,
    fresh: fresh.length ? fresh.map(([, kind]) => kind) : before.fresh,
    seen,
    labels: [...new Set(seen.filter(({ status }) => status === "label").map(({ envelope }) => envelope))],
    // Every label bears the link for the phone as well, which is no stranger.
    stranger: seen.some(({ status, text }) => STRANGERS.has(status) && !text.includes("/j#")),
  };
}

// The printed codes of the ticked cards by kind: a Map from the slug, in the game's order.
export function byKind(cards, kinds) {
  const codes = new Map(kinds.map((slug) => [slug, []]));
  for (const [code, kind] of cards) codes.get(kind).push(code);
  return new Map([...codes].filter(([, found]) => found.length).map(([kind, found]) => [kind, found.toSorted()]));
}
