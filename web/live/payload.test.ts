import { describe, expect, test } from "vitest";
import { classifyCodes, parse } from "./payload.js";

const game = { game: "ABCD", kinds: ["red", "blue"] };
const TAG = "00000000000";

describe("payloads of cards and labels", () => {
  test("a card has a kind and a copy", () => {
    expect(parse(`HABCD0103${TAG}`)).toEqual({ letter: "H", game: "ABCD", kind: 1, copy: 3, envelope: 1027 });
  });

  test("other texts are no payloads", () => {
    for (const text of ["", `HABCD0103${TAG}0`, `habcd0103${TAG}`, `HABCI0103${TAG}`]) expect(parse(text)).toBeNull();
  });

  test.each([
    [`HABCD0103${TAG}`, { status: "card", card: { kind: "blue", copy: 3 } }],
    [`HABCD0203${TAG}`, { status: "forged" }],
    [`HABCE0103${TAG}`, { status: "other-game" }],
    [`EABCD0007${TAG}`, { status: "label", envelope: 7 }],
    ["https://haggle.example/j#ABCD.7.2.abc-_", { status: "label", envelope: 7 }],
    ["https://haggle.example/", { status: "foreign" }],
  ])("%s", (text, meaning) => {
    expect(classifyCodes([{ text }], game)).toEqual([{ text, ...meaning }]);
  });
});
