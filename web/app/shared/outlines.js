import { html } from "htm/preact";
import { useMemo, useRef } from "preact/hooks";
import { boxAt, centre, places } from "./places.js";
import { useWidth } from "./width.js";
import { texts } from "./texts.js";
import { Tag, tagShapes } from "./tag.js";

const UNCOUNTED = new Set(["other-game", "forged", "foreign"]);
const LETTERS = 12; // height of the letters on the screen, in its pixels
const MARK = 0.8; // radius of a mark's disc, in heights of the letters

const shape = (corners) => corners.map((corner) => corner.join(",")).join(" ");

// Over the picture, in its own pixels: a polygon and a short name for every card, a dashed one with a question mark for
// every doubt, and a cross for codes that do not count. `zoom` says how much larger than its layout it is seen, so that
// letters keep their size; with `buttons` something else marks the doubts.
export function Outlines({ scan, kinds, zoom = 1, buttons = false }) {
  const drawing = useRef(null);
  const width = useWidth(drawing);
  // Until it is known how large the picture is on the screen, nothing has letters.
  const letters = width && (LETTERS * scan.width) / width / zoom;
  const uncounted = scan.codes.filter(({ status }) => UNCOUNTED.has(status));
  const placed = useMemo(() => {
    if (!letters) return [];
    const marks = [...scan.doubts, ...uncounted].map(({ quad }) => boxAt(centre(quad), 2 * MARK * letters, 2 * MARK * letters));
    const cards = scan.seen.map((card) => ({ ...card, shapes: tagShapes(kinds.get(card.kind), letters) }));
    return places(cards, marks, letters);
  }, [scan, letters]);
  return html`<svg
    ref=${drawing}
    class="outlines"
    viewBox=${`0 0 ${scan.width} ${scan.height}`}
    aria-hidden="true"
    focusable="false"
    data-zoom=${zoom.toFixed(2)}
    style=${{ "--mark": letters }}
  >
    ${scan.seen.map(
      ({ kind, outline }) => html`<g class="seen" data-kind=${kind} style=${{ "--ink": kinds.get(kind).ink }}>
        <polygon class="casing" points=${shape(outline)} />
        <polygon class="outline" points=${shape(outline)} />
      </g>`,
    )}
    ${scan.seen.map(
      ({ kind }, at) => placed[at] && html`<${Tag} kind=${kinds.get(kind)} ...${placed[at]} size=${letters} />`,
    )}
    ${scan.doubts.map(({ quad }) => html`<${Mark} class="doubt" quad=${quad} sign=${buttons ? null : texts.tags.doubt} size=${letters} />`)}
    ${uncounted.map(({ quad }) => html`<${Mark} class="uncounted" quad=${quad} sign=${texts.tags.notCounted} size=${letters} />`)}
  </svg>`;
}

function Mark({ class: name, quad, sign, size }) {
  const [x, y] = centre(quad);
  return html`<g class=${name}>
    <polygon class="casing" points=${shape(quad)} />
    <polygon class="outline" points=${shape(quad)} />
    ${sign &&
    html`<circle cx=${x} cy=${y} r=${size * MARK} />
      <text x=${x} y=${y} font-size=${size}>${sign}</text>`}
  </g>`;
}
