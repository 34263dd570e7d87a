import { html } from "htm/preact";
import { SYMBOLS } from "../symbols.js";

const LETTER = 0.56; // usual width of a letter, as a share of its size

// A card's short name on a pill of its colour, with its symbol. `at` is the middle and `size` the height of the letters,
// both in pixels of the picture.
export function Tag({ kind, at: [x, y], size }) {
  const text = kind.tag.length * LETTER * size;
  const width = text + size * 2.1;
  const height = size * 1.5;
  return html`<g class="tag" transform=${`translate(${x - width / 2} ${y - height / 2})`}>
    <rect width=${width} height=${height} rx=${height / 2} fill=${kind.ink} />
    <path
      d=${SYMBOLS[kind.symbol]}
      fill=${kind.on}
      fill-rule="evenodd"
      transform=${`translate(${size * 0.95} ${height / 2}) scale(${size / 108})`}
    />
    <text x=${size * 1.6} y=${height / 2} font-size=${size} fill=${kind.on}>${kind.tag}</text>
  </g>`;
}
