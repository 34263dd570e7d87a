// Looks up what a card is in the game that the server described.

import { texts } from "./texts.js";

const DARK = "#20263a";
const STYLE = { rule: { ink: DARK, symbol: "seal" }, special: { ink: "#0f6b62", symbol: "gem" } };

// The kinds of a game by slug, each with ink, text colour, symbol, a name, and a tag for narrow places. A kind's own name
// may be missing: players learn what a rule is called from the card alone.
export function kindsOf(game) {
  return new Map(
    game.kinds.map((kind) => {
      const style = STYLE[kind.category] ?? kind;
      const ink = style.ink || DARK;
      const digits = kind.slug.split("-").pop();
      const tag = texts.tags[kind.category]?.(digits) ?? kind.name ?? kind.slug;
      const generic = kind.category === "special" ? `${texts.cards.special} ${digits}` : kind.number ? texts.cards.rule(kind.number) : kind.slug;
      const name = kind.name ?? generic;
      const title = kind.name && kind.category === "rule" && kind.number ? `${generic}: ${name}` : name;
      return [kind.slug, { ...kind, ink, symbol: style.symbol, name, tag, title, on: readable(ink) }];
    }),
  );
}

// The colour of text on an ink, chosen as on the printed cards: by how light the ink looks.
function readable(ink) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(ink.slice(at, at + 2), 16) / 255);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5 ? "#ffffff" : DARK;
}
