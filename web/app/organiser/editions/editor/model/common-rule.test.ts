import { describe, expect, it } from "vitest";
import { filledRule } from "./common-rule";

describe("a common rule", () => {
  it("gets the cards that were chosen, in formulas, keys, lists and texts, and keeps its numbers", () => {
    const rule = {
      name: { en: "Pairs" },
      text: { en: "“{tea}” and “{cake}”: {points}, {rule}", de: "„{tea}“" },
      numbers: { points: 2 },
      worth: { tea: "min(tea, cake) * points" },
      shield: { rules: ["rule"], lines: "cake" },
    };
    const slots = {
      tea: { slug: "mint-tea", name: "Mint", names: { en: "Mint", fr: "Menthe" } },
      cake: { slug: "pie", name: "Pie" },
      rule: { slug: "7", name: "Greedy" },
    };
    expect(filledRule(rule, slots, ["en", "fr"])).toEqual({
      name: { en: "Pairs", fr: "Pairs" },
      text: { en: "“Mint” and “Pie”: {points}, Greedy", fr: "“Menthe” and “Pie”: {points}, Greedy" },
      numbers: { points: 2 },
      worth: { "mint-tea": "min(mint_tea, pie) * points" },
      shield: { rules: ["7"], lines: "pie" },
    });
  });
});
