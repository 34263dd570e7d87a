import { html } from "htm/preact";
import { useRef } from "preact/hooks";
import { useWidth } from "../width.js";
import { texts } from "../texts.js";
import { Tag } from "./tag.js";

const UNCOUNTED = new Set(["other-game", "forged", "foreign"]);
const LETTERS = 12; // height of the letters on the screen, in its pixels

const shape = (corners) => corners.map((corner) => corner.join(",")).join(" ");
const centre = (corners) => [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
const side = ([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1]);
const narrow = (corners) => Math.min(side(corners), side(corners.slice(1)));

// Over the picture, in its own pixels: a polygon and a short name for every card, a dashed one with a question mark for
// every doubt, and a cross for codes that do not count.
export function Outlines({ scan, kinds }) {
  const drawing = useRef(null);
  const width = useWidth(drawing);
  const letters = (LETTERS * scan.width) / (width || scan.width / 4);
  return html`<svg
    ref=${drawing}
    class="outlines"
    viewBox=${`0 0 ${scan.width} ${scan.height}`}
    aria-hidden="true"
    focusable="false"
    style=${{ "--mark": letters }}
  >
    ${scan.seen.map(
      ({ kind, outline }) => html`<g class="seen" data-kind=${kind} style=${{ "--ink": kinds.get(kind).ink }}>
        <polygon class="casing" points=${shape(outline)} />
        <polygon class="outline" points=${shape(outline)} />
      </g>`,
    )}
    ${scan.seen.map(
      ({ kind, outline }) =>
        html`<${Tag} kind=${kinds.get(kind)} at=${centre(outline)} size=${letters} room=${narrow(outline)} />`,
    )}
    ${scan.doubts.map(({ quad }) => html`<${Mark} class="doubt" quad=${quad} sign=${texts.tags.doubt} size=${letters} />`)}
    ${scan.codes
      .filter(({ status }) => UNCOUNTED.has(status))
      .map(({ quad }) => html`<${Mark} class="uncounted" quad=${quad} sign=${texts.tags.notCounted} size=${letters} />`)}
  </svg>`;
}

function Mark({ class: name, quad, sign, size }) {
  const [x, y] = centre(quad);
  return html`<g class=${name}>
    <polygon class="casing" points=${shape(quad)} />
    <polygon class="outline" points=${shape(quad)} />
    <circle cx=${x} cy=${y} r=${size * 0.8} />
    <text x=${x} y=${y} font-size=${size}>${sign}</text>
  </g>`;
}
