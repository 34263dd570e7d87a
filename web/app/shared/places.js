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

export const boxAt = ([x, y], width, height) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
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
export function places(cards, taken, size) {
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
