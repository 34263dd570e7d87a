import { describe, expect, test } from "vitest";
import { MAX_SPEED, NOT_READY, QUIET_TIME, type Readiness, readiness, STEADY_TIME, type Wait } from "./auto-capture";
import { NEXT_DECK_TIME, NO_CODES, type ReadCode, trackCodes } from "./outline-tracking";

const GAME = { game: "BWJ4", kinds: ["red", "blue"] };
const [RED, BLUE] = ["HBWJ40001AAAAAAAAAAA", "HBWJ40101AAAAAAAAAAA"];
const SIDE = 40;

const code = (text: string, x = 0): ReadCode => ({
  text,
  quad: [
    [x, 0],
    [x + SIDE, 0],
    [x + SIDE, SIDE],
    [x, SIDE],
  ],
});

// Return the state after each frame [milliseconds, ...codes].
function states(...frames: [number, ...ReadCode[]][]): Readiness[] {
  let [tracked, ready] = [NO_CODES, NOT_READY];
  return frames.map(([now, ...codes]) => {
    tracked = trackCodes(tracked, codes, { ...GAME, now });
    ready = readiness(ready, tracked, now);
    return ready;
  });
}
const waits = (...frames: [number, ...ReadCode[]][]): Wait[] => states(...frames).map(({ wait }) => wait);

// Frames every 100 ms from one time to another.
const hold = (from: number, to: number, ...codes: ReadCode[]): [number, ...ReadCode[]][] =>
  Array.from({ length: (to - from) / 100 + 1 }, (_, index) => [from + 100 * index, ...codes]);

describe("automatic capture", () => {
  test("waits until there was no new card for a second", () => {
    const frames = hold(0, 900, code(RED));
    expect(waits([0])).toEqual(["cards"]);
    expect(waits(...frames, [QUIET_TIME - 1, code(RED)]).at(-1)).toBe("quiet");
    expect(waits(...frames, [QUIET_TIME, code(RED)]).at(-1)).toBeNull();
    expect(waits(...frames, [QUIET_TIME, code(RED), code(BLUE, 200)]).at(-1)).toBe("quiet");
  });

  test("waits for every ticked card to be in view", () => {
    const both = hold(0, 500, code(RED), code(BLUE, 200));
    const one = hold(600, 2500, code(RED));
    const after = states(...both, ...one);
    expect(after.at(-1)).toMatchObject({ wait: "view", hidden: 1 });
    expect(waits(...both, ...one, ...hold(2600, 3100, code(RED), code(BLUE, 200))).at(-1)).toBeNull();
  });

  test("accepts one missed frame, not two", () => {
    const before = hold(0, 1500, code(RED), code(BLUE, 200));
    expect(waits(...before, [1600, code(RED)]).at(-1)).toBeNull();
    expect(waits(...before, [1600, code(RED)], [1700, code(RED)]).at(-1)).toBe("sharp");
  });

  test("either code of a card is enough", () => {
    const twin: ReadCode = {
      text: RED,
      quad: [
        [300, 300],
        [260, 300],
        [260, 260],
        [300, 260],
      ],
    };
    expect(waits(...hold(0, 1500, code(RED), twin), ...hold(1600, 2600, twin)).at(-1)).toBeNull();
  });

  test("waits for a steady hand, then for a moment", () => {
    const limit = (MAX_SPEED * SIDE * 100) / 1000; // pixels in 100 ms
    const before = hold(0, 1500, code(RED));
    expect(waits(...before, [1600, code(RED, limit * 0.99)]).at(-1)).toBeNull();
    expect(waits(...before, [1600, code(RED, limit * 1.01)]).at(-1)).toBe("still");
    const moved = [...before, [1600, code(RED, 50)], [1700, code(RED, 50)]] as [number, ...ReadCode[]][];
    expect(waits(...moved, ...hold(1800, 2000, code(RED, 50)), [1699 + STEADY_TIME, code(RED, 50)]).at(-1)).toBe("quiet");
    expect(waits(...moved, ...hold(1800, 2000, code(RED, 50)), [1700 + STEADY_TIME, code(RED, 50)]).at(-1)).toBeNull();
  });

  test("in a series, waits for a label", () => {
    const frames = (...codes: ReadCode[]) => {
      let [tracked, ready] = [NO_CODES, NOT_READY];
      for (const [now] of hold(0, 1500)) {
        tracked = trackCodes(tracked, codes, { ...GAME, now });
        ready = readiness(ready, tracked, now, true);
      }
      return ready.wait;
    };
    expect(frames(code(RED))).toBe("label");
    expect(frames(code(RED), code("EBWJ40002AAAAAAAAAAA", 200))).toBeNull();
  });

  test("in a series, a deck laid on the last one ends the ticks of the last one after a while", () => {
    const label = code("EBWJ40002AAAAAAAAAAA", 200);
    const afterPause = (pause: number, series: boolean, ...next: ReadCode[]) => {
      let [tracked, ready] = [NO_CODES, NOT_READY];
      for (const [now, ...codes] of [...hold(0, 1000, code(RED), label), ...hold(1000 + pause, 3000 + pause, ...next, label)]) {
        tracked = trackCodes(tracked, codes, { ...GAME, now, series });
        ready = readiness(ready, tracked, now, true);
      }
      return [ready.wait, ready.hidden];
    };
    expect(afterPause(NEXT_DECK_TIME, true, code(BLUE))).toEqual([null, 0]);
    expect(afterPause(NEXT_DECK_TIME - 1, true, code(BLUE))).toEqual(["view", 1]);
    expect(afterPause(NEXT_DECK_TIME, false, code(BLUE))).toEqual(["view", 1]);
    expect(afterPause(NEXT_DECK_TIME, true, code(RED), code(BLUE, 100))).toEqual([null, 0]);
    expect(afterPause(NEXT_DECK_TIME, true)).toEqual(["view", 1]);
  });

  test("the first frame after a break is not steady", () => {
    expect(waits(...hold(0, 1500, code(RED)), [2501, code(RED)]).at(-1)).toBe("still");
  });
});
