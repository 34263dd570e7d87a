// The cards of a game: kinds, symbols and suits.

import { texts } from "./i18n";

const DARK = "#20263a";
const STYLE: Record<string, { ink: string; symbol: SymbolName }> = {
  rule: { ink: DARK, symbol: "seal" },
  special: { ink: "#0f6b62", symbol: "gem" },
};

// A kind of card as the API describes it, for players and for organisers.
export type GameKind = {
  slug: string;
  category: string;
  number?: number | null;
  name?: string | null;
  ink?: string | null;
  symbol?: string | null | undefined;
};
export type CardKind = Omit<GameKind, "name" | "ink" | "symbol"> & {
  ink: string;
  symbol: string | undefined;
  name: string;
  tag: string;
  title: string;
  on: string;
};
export type SymbolName = keyof typeof SYMBOLS;

// Return the kinds of a game by slug, each with ink, text colour, symbol, name, and a tag for narrow places. A kind may have
// no name: players learn what a rule is called from the card itself.
export function kindsBySlug(game: { kinds: GameKind[] }): Map<string, CardKind> {
  return new Map(
    game.kinds.map((kind) => {
      const style = STYLE[kind.category] ?? kind;
      const ink = style.ink || DARK;
      const digits = kind.slug.split("-").pop() ?? "";
      const tag =
        (kind.category === "rule" || kind.category === "special" ? texts.tags[kind.category]({ number: digits }) : null) ??
        kind.name ??
        kind.slug;
      const generic =
        kind.category === "special"
          ? `${texts.cards.special} ${digits}`
          : kind.number
            ? texts.cards.rule({ number: kind.number })
            : kind.slug;
      const name = kind.name ?? generic;
      const title = kind.name && kind.category === "rule" && kind.number ? texts.cards.titled({ generic, name }) : name;
      return [kind.slug, { ...kind, ink, symbol: style.symbol ?? undefined, name, tag, title, on: textColourOn(ink) }];
    }),
  );
}

// Return the colour of text on an ink, as on the printed cards: by how light the ink looks.
function textColourOn(ink: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(ink.slice(at, at + 2), 16) / 255);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5 ? "#ffffff" : DARK;
}

// Return the name of what a line of a score is about: a rule, or the organisers, whose points have ± as their rule.
export const lineName = (rule: string) => (rule === "±" ? texts.lines.organisers : texts.cards.rule({ number: rule }));

// A symbol of the printed cards in the colour of the text around it. Decoration: there is a text beside it.
export function CardSymbol({ name, class: extra = "" }: { name: string | undefined; class?: string }) {
  return (
    <svg class={`symbol ${extra}`} viewBox="-50 -50 100 100" aria-hidden="true" focusable="false">
      <path d={symbolPath(name)} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}

// Return the path data of a symbol: of a built-in name, or the data themselves of one that an edition brings.
export function symbolPath(symbol: string | undefined) {
  return symbol !== undefined && symbol in SYMBOLS ? SYMBOLS[symbol as SymbolName] : (symbol ?? "");
}

export const SUITS: [symbol: SymbolName, suit: string][] = [
  ["heart", "red"],
  ["drop", "blue"],
  ["clover", "green"],
  ["sun", "orange"],
  ["star", "yellow"],
  ["flower", "pink"],
];

// The six suits in a row, as decoration.
export function Suits({ tag: Tag = "p" }: { tag?: "p" | "div" | "span" }) {
  return (
    <Tag class="suits" aria-hidden="true">
      {SUITS.map(([symbol, suit]) => (
        <CardSymbol name={symbol} class={`suit suit-${suit}`} />
      ))}
    </Tag>
  );
}

// The symbols of the printed cards, as outlines around (0, 0) in a square from -50 to 50, y downwards, for the even-odd rule. A
// test compares them with the printed ones.
export const SYMBOLS = {
  heart:
    "M0 43.2C-13.8 26.7 -46.9 9.2 -46.9 -15.6C-46.9 -43.2 -12 -48.8 0 -20.2C12 -48.8 46.9 -43.2 46.9 -15.6C46.9 9.2 13.8 26.7 0 43.2z",
  drop: "M0 -48.3C-6.4 -28.5 -33.1 -8.3 -33.1 13.8C-33.1 33.1 -18.4 46 0 46C18.4 46 33.1 33.1 33.1 13.8C33.1 -8.3 6.4 -28.5 0 -48.3zM-21.2 15.6C-21.2 26.7 -13.8 34 -2.8 35C-10.1 29.4 -14.7 23.9 -15.2 13.8z",
  clover:
    "M2.7 -7.3C4.9 -16.1 -2.7 -30.3 6 -37.9C15.8 -46.7 27.3 -37.4 24 -28.6C32.8 -31.9 42.1 -20.4 33.3 -10.6C25.7 -1.9 11.5 -9.5 2.7 -7.3zM-2.7 -7.3C-11.5 -9.5 -25.7 -1.9 -33.3 -10.6C-42.1 -20.4 -32.8 -31.9 -24 -28.6C-27.3 -37.4 -15.8 -46.7 -6 -37.9C2.7 -30.3 -4.9 -16.1 -2.7 -7.3zM-2.7 -1.9C-4.9 6.9 2.7 21.1 -6 28.7C-15.8 37.5 -27.3 28.2 -24 19.4C-32.8 22.7 -42.1 11.2 -33.3 1.4C-25.7 -7.3 -11.5 0.3 -2.7 -1.9zM2.7 -1.9C11.5 0.3 25.7 -7.3 33.3 1.4C42.1 11.2 32.8 22.7 24 19.4C27.3 28.2 15.8 37.5 6 28.7C-2.7 21.1 4.9 6.9 2.7 -1.9zM-1.8 2.8C-0.9 20.7 0.9 34.5 11 47.8L17.5 44.2C7.4 32.2 3.7 18.4 2.8 2.8z",
  sun: "M-23 0a23 23 0 1 0 46 0a23 23 0 1 0 -46 0zM27.1 5.2L47.8 0L27.1 -5.2zM26.1 -9L34.3 -19.8L20.9 -18.1zM18.1 -20.9L23.9 -41.4L9 -26.1zM5.2 -27.1L0 -39.6L-5.2 -27.1zM-9 -26.1L-23.9 -41.4L-18.1 -20.9zM-20.9 -18.1L-34.3 -19.8L-26.1 -9zM-27.1 -5.2L-47.8 0L-27.1 5.2zM-26.1 9L-34.3 19.8L-20.9 18.1zM-18.1 20.9L-23.9 41.4L-9 26.1zM-5.2 27.1L0 39.6L5.2 27.1zM9 26.1L23.9 41.4L18.1 20.9zM20.9 18.1L34.3 19.8L26.1 9z",
  star: "M0 -46L-12.4 -14.4L-46.4 -12.3L-20.1 9.3L-28.7 42.2L0 23.9L28.7 42.2L20.1 9.3L46.4 -12.3L12.4 -14.4z",
  flower:
    "M0 -12.9C-7.4 -14.7 -23.9 -19.3 -21.6 -35.9C-19.8 -47.8 -7.4 -51.5 0 -41.4C7.4 -51.5 19.8 -47.8 21.6 -35.9C23.9 -19.3 7.4 -14.7 0 -12.9zM-14 -2.7C-18 3.7 -27.5 18.1 -42.6 10.7C-53.4 5.3 -53 -7.6 -41.1 -11.5C-48.5 -21.6 -41.1 -32.3 -29.2 -30.4C-12.7 -27.4 -13.5 -10.3 -14 -2.7zM-8.7 13.7C-3.8 19.6 6.9 33 -4.7 45.1C-13.2 53.7 -25.4 49.3 -25.4 36.8C-37.3 40.7 -45.2 30.4 -39.7 19.6C-31.8 4.9 -15.7 10.9 -8.7 13.7zM8.7 13.7C15.7 10.9 31.8 4.9 39.7 19.6C45.2 30.4 37.3 40.7 25.4 36.8C25.4 49.3 13.2 53.7 4.7 45.1C-6.9 33 3.8 19.6 8.7 13.7zM14 -2.7C13.5 -10.3 12.7 -27.4 29.2 -30.4C41.1 -32.3 48.5 -21.6 41.1 -11.5C53 -7.6 53.4 5.3 42.6 10.7C27.5 18.1 18 3.7 14 -2.7zM-10.1 1.8a10.1 10.1 0 1 0 20.2 0a10.1 10.1 0 1 0 -20.2 0z",
  seal: "M46 0C47.6 -5 39.2 -5.5 40.8 -7.2C38.7 -8.2 46.4 -11.6 43.2 -15.7C43 -21 34.9 -18.6 35.9 -20.7C33.5 -21 39.7 -26.8 35.2 -29.6C33.2 -34.4 26.5 -29.4 26.6 -31.7C24.4 -31.2 28.1 -38.7 23 -39.8C19.5 -43.7 14.8 -36.7 14.2 -38.9C12.2 -37.6 13.2 -46 8 -45.3C3.3 -47.7 1.4 -39.5 0 -41.4C-1.4 -39.5 -3.3 -47.7 -8 -45.3C-13.2 -46 -12.2 -37.6 -14.2 -38.9C-14.8 -36.7 -19.5 -43.7 -23 -39.8C-28.1 -38.7 -24.4 -31.2 -26.6 -31.7C-26.5 -29.4 -33.2 -34.4 -35.2 -29.6C-39.7 -26.8 -33.5 -21 -35.9 -20.7C-34.9 -18.6 -43 -21 -43.2 -15.7C-46.4 -11.6 -38.7 -8.2 -40.8 -7.2C-39.2 -5.5 -47.6 -5 -46 0C-47.6 5 -39.2 5.5 -40.8 7.2C-38.7 8.2 -46.4 11.6 -43.2 15.7C-43 21 -34.9 18.6 -35.9 20.7C-33.5 21 -39.7 26.8 -35.2 29.6C-33.2 34.4 -26.5 29.4 -26.6 31.7C-24.4 31.2 -28.1 38.7 -23 39.8C-19.5 43.7 -14.8 36.7 -14.2 38.9C-12.2 37.6 -13.2 46 -8 45.3C-3.3 47.7 -1.4 39.5 0 41.4C1.4 39.5 3.3 47.7 8 45.3C13.2 46 12.2 37.6 14.2 38.9C14.8 36.7 19.5 43.7 23 39.8C28.1 38.7 24.4 31.2 26.6 31.7C26.5 29.4 33.2 34.4 35.2 29.6C39.7 26.8 33.5 21 35.9 20.7C34.9 18.6 43 21 43.2 15.7C46.4 11.6 38.7 8.2 40.8 7.2C39.2 5.5 47.6 5 46 0zM-35.9 0a35.9 35.9 0 1 0 71.8 0a35.9 35.9 0 1 0 -71.8 0zM-33.6 0a33.6 33.6 0 1 0 67.2 0a33.6 33.6 0 1 0 -67.2 0z",
  gem: "M-26.7 -33.1L-10.8 -33.1L-20 -13.6L-46 -13.6zM-7.6 -33.1L7.6 -33.1L16.8 -13.6L-16.8 -13.6zM10.8 -33.1L26.7 -33.1L46 -13.6L20 -13.6zM-46 -10.4L-20 -10.4L-3.2 40.7zM-16.8 -10.4L16.8 -10.4L0 42.3zM20 -10.4L46 -10.4L3.2 40.7z",
};
