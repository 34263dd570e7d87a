// Automatic capture: the live view takes the photo by itself once all ticked cards are in view, sharp and steady.

import { centre, type Point } from "../shared/outlines";
import { isSameCode, type SeenCode, shortCodeOf, sideOf, type Tracked } from "./outline-tracking";

export const QUIET_TIME = 1000; // milliseconds since the last new card
export const STEADY_TIME = 400; // milliseconds for which all cards have to be sharp and steady
export const MAX_SPEED = 1; // sides of a code per second: two thirds of a module in a thirtieth of a second
export const MAX_MISSED = 1; // frames in a row in which a sharp code may be missed
const MAX_GAP = 1000; // milliseconds between two frames that belong together

// The reason to wait: "next", the cards of the last photo are still there; "cards", none was seen yet; "label", no label is in
// view; "view", some are out of view; "sharp", some cannot be read at the moment;
// "still", the phone moves; "quiet", it was still for too short a time, or there was a new card just now; null, take the photo.
export type Wait = "next" | "cards" | "label" | "view" | "sharp" | "still" | "quiet" | null;

// The state after a frame: `hidden` is the number of cards out of view, `grownAt` the time of the last new card, `steadyAt`
// the time since which everything is sharp and steady.
export type Readiness = {
  wait: Wait;
  hidden: number;
  count: number;
  grownAt: number;
  steadyAt: number | null;
  at: number;
  codes: SeenCode[];
};

export const NOT_READY: Readiness = { wait: "cards", hidden: 0, count: 0, grownAt: 0, steadyAt: null, at: 0, codes: [] };

// Return the state after a frame with the codes that are tracked. `now` is in milliseconds; `labelled` waits for a label, too.
export function readiness(before: Readiness, { cards, seen }: Tracked, now: number, labelled = false): Readiness {
  const codes = seen.filter(({ status }) => status === "card");
  const inView = new Set(codes.map(({ text }) => shortCodeOf(text)));
  const sharp = new Set(codes.filter(({ missed }) => missed <= MAX_MISSED).map(({ text }) => shortCodeOf(text)));
  const hidden = [...cards.keys()].filter((code) => !inView.has(code)).length;
  const count = cards.size;
  const grownAt = count !== before.count ? now : before.grownAt;
  const recent = now - before.at <= MAX_GAP;
  const problem: Wait = !count
    ? "cards"
    : hidden
      ? "view"
      : labelled && !seen.some(({ status }) => status === "label")
        ? "label"
        : sharp.size < count
          ? "sharp"
          : !recent || speedOf(before.codes, codes, now - before.at) > MAX_SPEED
            ? "still"
            : null;
  const steadyAt = problem ? null : (before.steadyAt ?? now);
  const quiet = steadyAt !== null && now - steadyAt >= STEADY_TIME && now - grownAt >= QUIET_TIME;
  return { wait: problem ?? (quiet ? null : "quiet"), hidden, count, grownAt, steadyAt, at: now, codes };
}

// Return the highest speed of the codes that were read in both frames, in sides of a code per second; Infinity without any.
function speedOf(before: SeenCode[], after: SeenCode[], time: number): number {
  const speeds = after.flatMap((code) => {
    const same = code.missed ? undefined : before.find((other) => !other.missed && isSameCode(other, code));
    return same ? [(1000 * distance(centre(same.quad), centre(code.quad))) / (sideOf(code.quad) * time)] : [];
  });
  return speeds.length ? Math.max(...speeds) : Number.POSITIVE_INFINITY;
}

const distance = (one: Point, other: Point) => Math.hypot(one[0] - other[0], one[1] - other[1]);
