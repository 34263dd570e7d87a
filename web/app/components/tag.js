import { html } from "htm/preact";
import { SYMBOLS } from "../symbols.js";

const LETTER = 0.64; // usual width of a letter, as a share of its height
const TIGHT = 1.08; // how much wider than its card a tag may be

// A card's short name on a pill of its colour, with its symbol; on a card too small for the name the symbol stands
// alone. `at` is the middle, `size` the height of the letters and `room` the width of the card, in pixels of the picture.
export function Tag({ kind, at: [x, y], size, room }) {
  const symbol = kind.number ? 0 : size * 1.3;
  const text = kind.tag.length * LETTER * size;
  const whole = symbol + text + size * 0.9;
  const named = kind.number || whole <= room * TIGHT;
  const height = size * 1.55;
  const width = named ? whole : height;
  const left = named ? size * 0.4 : (width - symbol) / 2;
  return html`<g class="tag" transform=${`translate(${x - width / 2} ${y - height / 2})`}>
    <rect width=${width} height=${height} rx=${height / 2} fill=${kind.ink} />
    ${!kind.number &&
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
