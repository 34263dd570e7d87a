// Looks up what a card is in the game that the server described.

import { texts } from "./texts.js";

const DARK = "#20263a";
const STYLE = { rule: { ink: DARK, symbol: "seal" }, special: { ink: "#0f6b62", symbol: "gem" } };

// The kinds of a game by slug, each with ink, text colour, symbol, and a tag for narrow places.
export function kindsOf(game) {
  return new Map(
    game.kinds.map((kind) => {
      const { ink, symbol } = STYLE[kind.category] ?? kind;
      const digits = kind.slug.split("-").pop();
      const tag = texts.tags[kind.category]?.(digits) ?? kind.name;
      const title = kind.category === "rule" && kind.number ? `${texts.cards.rule(kind.number)}: ${kind.name}` : kind.name;
      return [kind.slug, { ...kind, ink, symbol, tag, title, on: readable(ink) }];
    }),
  );
}

// The colour of text on an ink, as on the printed cards: the one of the two that stands out more.
function readable(ink) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = parseInt(ink.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return luminance > 0.2 ? DARK : "#ffffff";
}
