// Which cards have passed before the camera. It is no deck: whether a code is signed is told by the server alone.

import { sorted } from "../../live/payload.js";

const STRANGERS = new Set(["other-game", "forged", "foreign"]);

export const NOTHING = { cards: new Map(), fresh: [], seen: [], stranger: false, labels: [] };

const nameOf = ({ kind, copy }) => `${kind}-${copy}`;

// What was ticked off and what is in this frame: `cards` by name in the order in which they came, the `fresh` ones of this
// frame, and `seen`, its codes with what they mean.
export function tick(before, codes, { game, kinds }) {
  const seen = sorted(codes, { game, kinds });
  const found = new Map(seen.filter(({ status }) => status === "card").map(({ card }) => [nameOf(card), card]));
  const fresh = [...found].filter(([name]) => !before.cards.has(name));
  return {
    cards: fresh.length ? new Map([...before.cards, ...fresh]) : before.cards,
    fresh: fresh.map(([, card]) => card),
    seen,
    labels: [...new Set(seen.filter(({ status }) => status === "label").map(({ envelope }) => envelope))],
    // Every label bears the link for the phone as well, which is no stranger.
    stranger: seen.some(({ status, text }) => STRANGERS.has(status) && !text.includes("/j#")),
  };
}

// The ticked cards by kind: a Map from the slug to the copies, in the game's order.
export function byKind(cards, kinds) {
  const copies = new Map(kinds.map((slug) => [slug, []]));
  for (const { kind, copy } of cards.values()) copies.get(kind).push(copy);
  return new Map([...copies].filter(([, found]) => found.length));
}
