import { html } from "htm/preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { SYMBOLS } from "./cards.js";
import { texts } from "./i18n.js";

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

const LETTER = 0.64; // usual width of a letter, as a share of its height

// The shapes that a kind's tag may have, best first, for letters of this height in pixels of the picture: its short name
// on a pill, with its symbol; the symbol alone; and a dot. A name that has no symbol may stick out of its card.
function tagShapes(kind, size) {
  const symbol = kind.number || !kind.symbol ? 0 : size * 1.3;
  const text = kind.tag.length * LETTER * size;
  const height = size * 1.55;
  const named = { form: "named", width: symbol + text + size * 0.9, height, symbol, text, whole: !kind.number };
  const alone = { form: "symbol", width: height, height, symbol };
  const dot = { form: "dot", width: size * 0.7, height: size * 0.7 };
  return symbol ? [named, alone, dot] : [named, dot];
}

// A card's tag in one of these shapes, in the card's colour. `at` is its middle.
function Tag({ kind, at: [x, y], shape: { form, width, height, symbol, text }, size }) {
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

// Finds a place for each card's tag on the picture, so that no tag covers another. All lengths in the picture's pixels.

const COLUMNS = 11;
const ROWS = 15; // places that are tried on a card
const ENDS = [0.46, 0.3]; // what of a tag counts as lying on its card, as shares of width and height: its ends are round
const STRAY = 0.3; // how far a whole tag may be from the middle, in widths of the card; beyond, a smaller one does better
const GAP = 0.15; // free between two tags, in heights of the letters
// What makes a place worse, beside its distance from the middle of what is seen of the card, in widths of the card.
const HIDES_CODE = 3; // for a tag that lies on codes with all of its area
const SPILLS = 1; // for each corner
const UNSURE = 2;

export const centre = (corners) => [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
const side = ([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1]);
const narrow = (corners) => Math.min(side(corners), side(corners.slice(1)));

const boxAt = ([x, y], width, height) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
const meet = (a, b, gap = 0) => a[0] < b[2] + gap && b[0] < a[2] + gap && a[1] < b[3] + gap && b[1] < a[3] + gap;

const shared = (a, b) =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

const cornersOf = ([x, y], { width, height }) => {
  const [dx, dy] = [ENDS[0] * width, ENDS[1] * height];
  return [-1, 1].flatMap((right) => [-1, 1].map((down) => [x + right * dx, y + down * dy]));
};

const boxOf = (corners) => {
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

// Whether a point lies in a convex shape: on the same side of all its edges.
const within = ([x, y], corners) => {
  let least = 0;
  let most = 0;
  let [ax, ay] = corners.at(-1);
  // Thousands of points are looked at, so no lists are made.
  for (const [bx, by] of corners) {
    const turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (turn < least) least = turn;
    if (turn > most) most = turn;
    if (least < 0 && most > 0) return false;
    [ax, ay] = [bx, by];
  }
  return true;
};

// Points all over a card.
const spread = ([a, b, c, d]) => {
  const spots = [];
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const [u, v] = [(column + 0.5) / COLUMNS, (row + 0.5) / ROWS];
      spots.push([0, 1].map((axis) => (1 - v) * ((1 - u) * a[axis] + u * b[axis]) + v * ((1 - u) * d[axis] + u * c[axis])));
    }
  }
  return spots;
};

// What is known of how a card lies among the others. A card whose code was read inside another's outline is not covered
// there, so it lies above it; of cards that only touch, neither is known to be above.
function situation(card, cards) {
  const near = cards.filter((other) => other !== card && meet(boxOf(card.outline), boxOf(other.outline)));
  const shows = (upper, lower) => upper.quads.some((quad) => within(centre(quad), lower.outline));
  const above = near.filter((other) => shows(other, card) && !shows(card, other));
  const unsure = near.filter((other) => shows(other, card) === shows(card, other));
  const seen = (spot) => within(spot, card.outline) && !above.some((other) => within(spot, other.outline));
  const all = spread(card.outline);
  const open = all.filter(seen);
  const spots = open.length ? open : all;
  const middle = centre(spots);
  return { seen, spots: seen(middle) ? [middle, ...spots] : spots, middle, unsure };
}

// For each card the place and the shape of its tag, or null where there is no room for any. `cards` have an `outline`, the
// `quads` of the codes read on them, and `shapes`, the tags they may have, best first: `width`, `height` and `whole` for
// one that may not stick out of the card's visible part. `taken` are boxes to keep clear of, `size` the height of letters.
function places(cards, taken, size) {
  const codes = cards.flatMap(({ quads }) => quads.map(boxOf));
  const used = [...taken];
  return cards.map((card) => {
    const { seen, spots, middle, unsure } = situation(card, cards);
    for (const shape of card.shapes) {
      let best = null;
      for (const spot of spots) {
        const box = boxAt(spot, shape.width, shape.height);
        if (used.some((other) => meet(box, other, GAP * size))) continue;
        const out = cornersOf(spot, shape).filter((corner) => !seen(corner)).length;
        const far = side([spot, middle]) / narrow(card.outline);
        if (shape.whole && (out || far > STRAY)) continue;
        const hidden = codes.reduce((sum, code) => sum + shared(box, code), 0) / (shape.width * shape.height);
        const doubtful = unsure.filter(({ outline }) => within(spot, outline)).length;
        const cost = far + SPILLS * out + HIDES_CODE * hidden + UNSURE * doubtful;
        if (!best || cost < best.cost) best = { cost, spot, box };
      }
      if (best) {
        used.push(best.box);
        return { at: best.spot, shape };
      }
    }
    return null;
  });
}

// The width of an element on the screen, in its pixels; 0 until it is known.
function useWidth(element) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
