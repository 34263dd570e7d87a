// Outlines that do not flicker. A hand shakes, so of the codes in sight some are read in one frame and not in the next.

const LINGER = 800; // milliseconds for which a code that was read stays outlined
const MISSED = 2; // frames without it that it outlives all the same: a slow phone reads few
const TOLD = 3000; // milliseconds for which it is told of a code that should not be there

// The codes of this frame, and those read a moment ago that are missing in it, moved along with what was read again.
// `now` in milliseconds. Each tells by `at` when it was read last, and in how many frames it was `missed` since.
export function steady(before, read, now) {
  const missing = [...before];
  const pairs = [];
  for (const code of read) {
    const at = missing.findIndex((other) => isSame(other, code));
    if (at >= 0) pairs.push([...missing.splice(at, 1), code]);
  }
  const way = wayOf(pairs);
  const late = missing
    .map((code) => ({ ...code, missed: code.missed + 1, quad: code.quad.map((corner) => corner.map((place, axis) => place + way[axis])) }))
    .filter(({ at, missed }) => missed <= MISSED || now - at <= LINGER);
  return [...read.map((code) => ({ ...code, at: now, missed: 0 })), ...late];
}

// What is to be told, with when it was seen last: that of this frame, and what was seen a moment ago, so that it can be read.
export function recent(before, seen, now) {
  return new Map([...[...before].filter(([, at]) => now - at <= TOLD), ...seen.map((one) => [one, now])]);
}

// A card has its code twice, one turned half round: the upper edges of the two point away from each other.
function isSame(one, other) {
  if (one.text !== other.text) return false;
  const [a, b] = [one, other].map(({ quad: [from, to] }) => [to[0] - from[0], to[1] - from[1]]);
  return a[0] * b[0] + a[1] * b[1] > 0;
}

// How far the picture has moved: most of what was read again went as far as the one in the middle.
function wayOf(pairs) {
  return [0, 1].map((axis) => {
    const ways = pairs.map(([one, other]) => other.quad[0][axis] - one.quad[0][axis]).sort((a, b) => a - b);
    return ways[ways.length >> 1] ?? 0;
  });
}
