import { html } from "htm/preact";
import { texts } from "../texts.js";
import { Tag } from "./tag.js";

const UNCOUNTED = new Set(["other-game", "forged", "foreign"]);

const shape = (corners) => corners.map((corner) => corner.join(",")).join(" ");
const centre = (corners) => [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
const side = ([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1]);

// Over the picture, in its own pixels: a polygon and a short name for every card, a dashed one with a question mark for
// every doubt, and a cross for codes that do not count.
export function Outlines({ scan, kinds }) {
  const widths = scan.seen.map(({ outline }) => Math.min(side(outline), side(outline.slice(1)))).sort((a, b) => a - b);
  const usual = widths[widths.length >> 1] ?? Math.min(scan.width, scan.height) / 8;
  const mark = Math.max(usual * 0.24, Math.min(scan.width, scan.height) / 40);
  return html`<svg class="outlines" viewBox=${`0 0 ${scan.width} ${scan.height}`} aria-hidden="true" focusable="false" style=${{ "--mark": mark }}>
    ${scan.seen.map(
      ({ kind, outline }) => html`<g class="seen" key=${`${kind} ${outline[0]}`} style=${{ "--ink": kinds.get(kind).ink }}>
        <polygon class="casing" points=${shape(outline)} />
        <polygon class="outline" points=${shape(outline)} />
        <${Tag} kind=${kinds.get(kind)} at=${centre(outline)} size=${mark} />
      </g>`,
    )}
    ${scan.doubts.map(({ quad }) => html`<${Mark} class="doubt" quad=${quad} sign=${texts.tags.doubt} size=${mark} />`)}
    ${scan.codes
      .filter(({ status }) => UNCOUNTED.has(status))
      .map(({ quad }) => html`<${Mark} class="uncounted" quad=${quad} sign=${texts.tags.notCounted} size=${mark} />`)}
  </svg>`;
}

function Mark({ class: name, quad, sign, size }) {
  const [x, y] = centre(quad);
  return html`<g class=${name}>
    <polygon class="casing" points=${shape(quad)} />
    <polygon class="outline" points=${shape(quad)} />
    <circle cx=${x} cy=${y} r=${size * 0.75} />
    <text x=${x} y=${y} font-size=${size}>${sign}</text>
  </g>`;
}
