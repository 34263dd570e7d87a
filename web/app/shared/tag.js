import { html } from "htm/preact";
import { SYMBOLS } from "./symbols.js";

const LETTER = 0.64; // usual width of a letter, as a share of its height

// The shapes that a kind's tag may have, best first, for letters of this height in pixels of the picture: its short name
// on a pill, with its symbol; the symbol alone; and a dot. A name that has no symbol may stick out of its card.
export function tagShapes(kind, size) {
  const symbol = kind.number || !kind.symbol ? 0 : size * 1.3;
  const text = kind.tag.length * LETTER * size;
  const height = size * 1.55;
  const named = { form: "named", width: symbol + text + size * 0.9, height, symbol, text, whole: !kind.number };
  const alone = { form: "symbol", width: height, height, symbol };
  const dot = { form: "dot", width: size * 0.7, height: size * 0.7 };
  return symbol ? [named, alone, dot] : [named, dot];
}

// A card's tag in one of these shapes, in the card's colour. `at` is its middle.
export function Tag({ kind, at: [x, y], shape: { form, width, height, symbol, text }, size }) {
  if (form === "dot") return html`<g class="tag"><circle cx=${x} cy=${y} r=${width / 2} fill=${kind.ink} /></g>`;
  const named = form === "named";
  const left = named ? size * 0.4 : (width - symbol) / 2;
  return html`<g class="tag" transform=${`translate(${x - width / 2} ${y - height / 2})`}>
    <rect width=${width} height=${height} rx=${height / 2} fill=${kind.ink} />
    ${symbol > 0 &&
    html`<path
      d=${SYMBOLS[kind.symbol]}
      fill=${kind.on}
      fill-rule="evenodd"
      transform=${`translate(${left + symbol / 2 - (named ? size * 0.08 : 0)} ${height / 2}) scale(${size / 100})`}
    />`}
    ${named &&
    html`<text x=${left + symbol + text / 2} y=${height / 2} font-size=${size} fill=${kind.on}>${kind.tag}</text>`}
  </g>`;
}
