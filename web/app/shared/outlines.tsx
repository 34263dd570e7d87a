// Outlines and tags of cards over a photo.

import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type CardKind, symbolPath } from "./cards";
import { texts } from "./i18n";

export type Point = [x: number, y: number];
export type Corners = Point[];
export type Doubt = { quad: Corners; reason: string };

// What was read in a photo, in its pixels: cards with the quads of their codes, other codes, and doubtful places.
export type Scan = {
  width: number;
  height: number;
  seen: { kind: string; outline: Corners; quads: Corners[] }[];
  codes: { quad: Corners; status: string }[];
  doubts: Doubt[];
};

const UNCOUNTED = new Set(["other-game", "forged", "foreign"]);
const LETTER_SIZE = 12; // height of the letters in pixels of the screen
const MARK_RADIUS = 0.8; // radius of a mark's disc, in heights of the letters

const pointsOf = (corners: Corners) => corners.map((corner) => corner.join(",")).join(" ");

// Drawn over a photo, in its own pixels: an outline and a tag for every card, a dashed outline with a question mark for
// every doubt, and a cross for codes that do not count. `zoom` is the factor by which the layout is enlarged, so that letters
// keep their size. With `buttons` doubts have no question marks, since buttons mark them.
type OutlinesProps = { scan: Scan; kinds: Map<string, CardKind>; zoom?: number; buttons?: boolean };

export function Outlines({ scan, kinds, zoom = 1, buttons = false }: OutlinesProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const width = useWidth(drawing);
  // Letters need the size of the photo on the screen.
  const letters = width && (LETTER_SIZE * scan.width) / width / zoom;
  const uncounted = scan.codes.filter(({ status }) => UNCOUNTED.has(status));
  const placed = useMemo(() => {
    if (!letters) return [];
    const marks = [...scan.doubts, ...uncounted].map(({ quad }) =>
      boxAt(centre(quad), 2 * MARK_RADIUS * letters, 2 * MARK_RADIUS * letters),
    );
    const cards = scan.seen.map((card) => ({ ...card, shapes: tagShapes(kinds.get(card.kind), letters) }));
    const named = placeTags(cards, marks, letters);
    // Where a card has no room for its name, all cards with symbols show only these.
    if (named.every((one, at) => one?.shape === cards[at]?.shapes[0])) return named;
    const short = ({ shapes }: TaggedCard) => (shapes.some(({ form }) => form === "symbol") ? shapes.slice(1) : shapes);
    return placeTags(
      cards.map((card) => ({ ...card, shapes: short(card) })),
      marks,
      letters,
    );
  }, [scan, letters]);
  return (
    <svg
      ref={drawing}
      class="outlines"
      viewBox={`0 0 ${scan.width} ${scan.height}`}
      aria-hidden="true"
      focusable="false"
      data-zoom={zoom.toFixed(2)}
      style={{ "--mark": letters }}
    >
      {scan.seen.map(({ kind, outline }) => (
        <g class="seen" data-kind={kind} style={{ "--ink": kinds.get(kind)?.ink }}>
          <polygon class="casing" points={pointsOf(outline)} />
          <polygon class="outline" points={pointsOf(outline)} />
        </g>
      ))}
      {scan.seen.map(({ kind: slug }, at) => {
        const kind = kinds.get(slug);
        const place = placed[at];
        return kind && place && <Tag kind={kind} {...place} size={letters} />;
      })}
      {scan.doubts.map(({ quad }) => (
        <Mark class="doubt" quad={quad} sign={buttons ? null : texts.tags.doubt} size={letters} />
      ))}
      {uncounted.map(({ quad }) => (
        <Mark class="uncounted" quad={quad} sign={texts.tags.notCounted} size={letters} />
      ))}
    </svg>
  );
}

type MarkProps = { class: string; quad: Corners; sign: string | null; size: number };

function Mark({ class: name, quad, sign, size }: MarkProps) {
  const [x, y] = centre(quad);
  return (
    <g class={name}>
      <polygon class="casing" points={pointsOf(quad)} />
      <polygon class="outline" points={pointsOf(quad)} />
      {sign && (
        <>
          <circle cx={x} cy={y} r={size * MARK_RADIUS} />
          <text x={x} y={y} font-size={size}>
            {sign}
          </text>
        </>
      )}
    </g>
  );
}

const LETTER_WIDTH = 0.64; // usual width of a letter, as a fraction of its height

// Return the shapes that a kind's tag may have, best first, for letters of this height in pixels of the photo: the short
// name on a pill with the symbol, the symbol alone, and a dot. A name without a symbol may stick out of its card.
type Shape = {
  form: "named" | "symbol" | "dot";
  width: number;
  height: number;
  symbol: number;
  text: number;
  whole: boolean;
};

function tagShapes(kind: CardKind | undefined, size: number): Shape[] {
  if (!kind) return [];
  const symbol = kind.number || !kind.symbol ? 0 : size * 1.3;
  const text = kind.tag.length * LETTER_WIDTH * size;
  const height = size * 1.55;
  const named: Shape = { form: "named", width: symbol + text + size * 0.9, height, symbol, text, whole: !kind.number };
  const alone: Shape = { form: "symbol", width: height, height, symbol, text: 0, whole: false };
  const dot: Shape = { form: "dot", width: size * 0.7, height: size * 0.7, symbol: 0, text: 0, whole: false };
  return symbol ? [named, alone, dot] : [named, dot];
}

// A card's tag in one of these shapes, in the card's colour, centred at `at`.
type TagProps = { kind: CardKind; at: Point; shape: Shape; size: number };

function Tag({ kind, at: [x, y], shape: { form, width, height, symbol, text }, size }: TagProps) {
  if (form === "dot")
    return (
      <g class="tag">
        <circle cx={x} cy={y} r={width / 2} fill={kind.ink} />
      </g>
    );
  const named = form === "named";
  const left = named ? size * 0.4 : (width - symbol) / 2;
  return (
    <g class="tag" transform={`translate(${x - width / 2} ${y - height / 2})`}>
      <rect width={width} height={height} rx={height / 2} fill={kind.ink} />
      {symbol > 0 && (
        <path
          d={symbolPath(kind.symbol)}
          fill={kind.on}
          fill-rule="evenodd"
          transform={`translate(${left + symbol / 2 - (named ? size * 0.08 : 0)} ${height / 2}) scale(${size / 100})`}
        />
      )}
      {named && (
        <text x={left + symbol + text / 2} y={height / 2} font-size={size} fill={kind.on}>
          {kind.tag}
        </text>
      )}
    </g>
  );
}

// Placement of the tags so that none covers another. All lengths are in pixels of the photo.

const COLUMNS = 11;
const ROWS = 15; // of the grid of positions tried on a card
const TAG_CORE: Point = [0.46, 0.3]; // part of a tag that must be on its card, as fractions of width and height: its ends are round
const MAX_DISTANCE = 0.3; // maximum distance of a whole tag from the middle, in widths of the card; beyond it a smaller one is better
const GAP = 0.15; // between two tags, in heights of the letters
// Costs of a position, added to its distance from the middle of the visible part, in widths of the card.
const COVERS_CODE_COST = 3; // for a tag that covers codes with its whole area
const OUTSIDE_COST = 1; // for each corner outside
const UNSURE_COST = 2;

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
// Return the advice of a hint of the scanner, undefined if there is none. Those on cards are the same as those on doubts.
export function hintText(slug: string): string | undefined {
  const about = (texts.doubtWords as Record<string, { title: string; help: string }> | undefined)?.[slug];
  return about
    ? `${about.title} ${about.help}`
    : (texts.hintWords as Record<string, string> | undefined)?.[slug === "stranger" ? "foreign" : slug];
}

export const centre = (corners: Corners): Point => [mean(corners.map(([x]) => x)), mean(corners.map(([, y]) => y))];
const distance = ([ax, ay]: Point, [bx, by]: Point) => Math.hypot(bx - ax, by - ay);
const cardWidth = ([a, b, c]: Corners) => (a && b && c ? Math.min(distance(a, b), distance(b, c)) : 1);

type Box = [left: number, top: number, right: number, bottom: number];

const boxAt = ([x, y]: Point, width: number, height: number): Box => [
  x - width / 2,
  y - height / 2,
  x + width / 2,
  y + height / 2,
];
const overlaps = (a: Box, b: Box, gap = 0) => a[0] < b[2] + gap && b[0] < a[2] + gap && a[1] < b[3] + gap && b[1] < a[3] + gap;

const overlapArea = (a: Box, b: Box) =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

const cornersOf = ([x, y]: Point, { width, height }: Shape): Corners => {
  const [dx, dy] = [TAG_CORE[0] * width, TAG_CORE[1] * height];
  return [-1, 1].flatMap((right) => [-1, 1].map((down): Point => [x + right * dx, y + down * dy]));
};

const boundingBox = (corners: Corners): Box => {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

// Return true if a point is inside a convex shape: on the same side of all its edges.
const contains = ([x, y]: Point, corners: Corners) => {
  let least = 0;
  let most = 0;
  let [ax, ay] = corners.at(-1) ?? [0, 0];
  // No arrays are created here, since there are thousands of points.
  for (const [bx, by] of corners) {
    const turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (turn < least) least = turn;
    if (turn > most) most = turn;
    if (least < 0 && most > 0) return false;
    [ax, ay] = [bx, by];
  }
  return true;
};

// Return a grid of points on a card.
const samplePoints = ([a, b, c, d]: Corners) => {
  const spots: Point[] = [];
  if (!a || !b || !c || !d) return spots;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const [u, v] = [(column + 0.5) / COLUMNS, (row + 0.5) / ROWS];
      const along = (axis: 0 | 1) => (1 - v) * ((1 - u) * a[axis] + u * b[axis]) + v * ((1 - u) * d[axis] + u * c[axis]);
      spots.push([along(0), along(1)]);
    }
  }
  return spots;
};

// Return which part of a card is visible. A card whose code was read inside another's outline is above that card; of cards
// that only touch, the order is unknown.
type TaggedCard = Scan["seen"][number] & { shapes: Shape[] };

function visibilityOf(card: TaggedCard, cards: TaggedCard[]) {
  const near = cards.filter((other) => other !== card && overlaps(boundingBox(card.outline), boundingBox(other.outline)));
  const shows = (upper: TaggedCard, lower: TaggedCard) => upper.quads.some((quad) => contains(centre(quad), lower.outline));
  const above = near.filter((other) => shows(other, card) && !shows(card, other));
  const unsure = near.filter((other) => shows(other, card) === shows(card, other));
  const seen = (spot: Point) => contains(spot, card.outline) && !above.some((other) => contains(spot, other.outline));
  const all = samplePoints(card.outline);
  const open = all.filter(seen);
  const spots = open.length ? open : all;
  const middle = centre(spots);
  return { seen, spots: seen(middle) ? [middle, ...spots] : spots, middle, unsure };
}

// Return the position and the shape of each card's tag, null without room for one. `cards` have an `outline`, the `quads` of
// their codes, and `shapes`, best first: `width`, `height`, and `whole` if it must not stick out of the visible part. `taken`
// are boxes to avoid, `size` is the height of the letters.
function placeTags(cards: TaggedCard[], taken: Box[], size: number): ({ at: Point; shape: Shape } | null)[] {
  const codes = cards.flatMap(({ quads }) => quads.map(boundingBox));
  const used = [...taken];
  return cards.map((card) => {
    const { seen, spots, middle, unsure } = visibilityOf(card, cards);
    for (const shape of card.shapes) {
      let best: { cost: number; spot: Point; box: Box } | null = null;
      for (const spot of spots) {
        const box = boxAt(spot, shape.width, shape.height);
        if (used.some((other) => overlaps(box, other, GAP * size))) continue;
        const out = cornersOf(spot, shape).filter((corner) => !seen(corner)).length;
        const far = distance(spot, middle) / cardWidth(card.outline);
        if (shape.whole && (out || far > MAX_DISTANCE)) continue;
        const hidden = codes.reduce((sum, code) => sum + overlapArea(box, code), 0) / (shape.width * shape.height);
        const doubtful = unsure.filter(({ outline }) => contains(spot, outline)).length;
        const cost = far + OUTSIDE_COST * out + COVERS_CODE_COST * hidden + UNSURE_COST * doubtful;
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

// Return the width of an element in pixels of the screen, 0 until it is known.
function useWidth(element: RefObject<Element>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
