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

// The colour of text on an ink, chosen as on the printed cards: by how light the ink looks.
function readable(ink) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(ink.slice(at, at + 2), 16) / 255);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5 ? "#ffffff" : DARK;
}
