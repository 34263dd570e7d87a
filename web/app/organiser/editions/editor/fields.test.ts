import { describe, expect, it } from "vitest";
import { isUnfinished, numberOrText } from "./fields";

describe("a number that is being typed", () => {
  it("is stored when it is complete, and unfinished until then", () => {
    const typed = ["-", "-0", "-0.", "-0,5", "1.", "1.0", "1.05", ".", " "];
    expect(typed.map((text) => (isUnfinished(text) ? "unfinished" : numberOrText(text)))).toEqual([
      "unfinished",
      -0,
      "unfinished",
      -0.5,
      "unfinished",
      1,
      1.05,
      "unfinished",
      undefined,
    ]);
  });

  it("is a text if it is a formula or has a mistake, so that the check can name it", () => {
    expect(["2 * tea", "1.0.5", "--"].map((text) => !isUnfinished(text) && numberOrText(text))).toEqual([
      "2 * tea",
      "1.0.5",
      "--",
    ]);
  });
});
