import { html } from "htm/preact";
import { SYMBOLS } from "../shared/symbols.js";

const REACH = 0.55; // radius of a mark, in sides of the code

const middle = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis] / 4, 0));
const sideOf = ([a, b, c, d]) => (Math.hypot(a[0] - c[0], a[1] - c[1]) + Math.hypot(b[0] - d[0], b[1] - d[1])) / 2 / Math.SQRT2;

// Over the video, in the pixels of a frame: both are cut to the window's shape in the same way ("cover" and "slice").
export function LiveOutlines({ seen, size: [width, height], kinds }) {
  return html`<svg class="camera-outlines" viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
    ${seen.map(({ status, card, quad }) =>
      status === "card" ? html`<${Card} kind=${kinds.get(card.kind)} quad=${quad} />` : status !== "label" && html`<${Stranger} quad=${quad} />`,
    )}
  </svg>`;
}

function Card({ kind, quad }) {
  const [x, y] = middle(quad);
  const radius = sideOf(quad) * REACH * 0.8;
  return html`<g class="live-card" data-kind=${kind.slug} style=${{ "--ink": kind.ink }}>
    <polygon points=${quad.map((corner) => corner.join(",")).join(" ")} />
    <circle cx=${x} cy=${y} r=${radius} />
    ${kind.number || !kind.symbol
      ? html`<text x=${x} y=${y} font-size=${radius} fill=${kind.on}>${kind.tag}</text>`
      : html`<path d=${SYMBOLS[kind.symbol]} fill=${kind.on} fill-rule="evenodd" transform=${`translate(${x} ${y}) scale(${radius / 75})`} />`}
  </g>`;
}

function Stranger({ quad }) {
  const [a, b, c, d] = quad.map((corner) => corner.join(" "));
  return html`<path class="live-stranger" d=${`M${a}L${c}M${b}L${d}`} />`;
}
