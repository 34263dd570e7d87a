import { expect, test } from "vitest";
import { cardsOfTemplate, nextValue, sizeOf, valuesOf, withPack } from "./similar-cards";
import { blocksOf, textOf } from "./toml-document";

const EDITION = 'slug = "mine"\n\n[[cards]]\nslug = "red"\n';
const NUMBERS = {
  kind: "numbers" as const,
  category: "card",
  colours: ["Red", "Sea green"],
  first: 1,
  last: 3,
  inks: ["#C2242B"],
  symbols: ["heart"],
};

test("A pack of playing cards is two lists of values, a group for each, and a template", () => {
  const pack = { kind: "playing" as const, category: "card", lowest: 2 };
  const blocks = blocksOf(textOf(withPack(blocksOf(EDITION), pack, ["en", "de"])));
  expect(blocks.map(({ kind }) => kind)).toEqual(["", "values", "cards", "cards", "groups", "groups"]);
  expect(blocks[3]?.data?.name).toEqual({ en: "{rank} of {suit}", de: "{suit} {rank}" });
  expect(valuesOf(blocks).suit?.[2]).toEqual({ slug: "hearts", en: "hearts", de: "Herz", motif: "coeur" });
  expect(cardsOfTemplate(String(blocks[3]?.data?.slug), valuesOf(blocks))).toEqual({ first: "clubs-ace", count: 52 });
  expect([2, 7].map((lowest) => sizeOf({ ...pack, lowest }))).toEqual([52, 32]);
});

test("A second pack has names of its own", () => {
  const once = withPack(blocksOf(EDITION), NUMBERS, ["en"]);
  const blocks = blocksOf(textOf(withPack(blocksOf(textOf(once)), NUMBERS, ["en"])));
  const values = valuesOf(blocks);
  expect(Object.keys(values)).toEqual(["colour", "number", "colour2", "number2"]);
  expect(values.colour2?.map((value) => (value as { slug: string }).slug)).toEqual(["red-3", "sea-green-2"]);
  expect(blocks.filter(({ kind }) => kind === "cards").map(({ data }) => data?.slug)).toEqual([
    "red",
    "{colour}-{number}",
    "{colour2}-{number2}",
  ]);
});

test("Colours begin with the looks that no card has", () => {
  const edition = '[[cards]]\nslug = "red"\nink = "#C2242B"\nsymbol = "heart"\n';
  const pack = { ...NUMBERS, inks: ["#C2242B", "#163A86"], symbols: ["heart", "drop"] };
  const looks = valuesOf(withPack(blocksOf(edition), pack, ["en"])).colour as { ink: string; symbol: string }[];
  expect(looks.map(({ ink, symbol }) => [ink, symbol])).toEqual([
    ["#163A86", "drop"],
    ["#C2242B", "heart"],
  ]);
});

test("A further value is like the last one", () => {
  expect(nextValue([1, 2])).toBe(3);
  expect(nextValue([{ slug: "red", worth: 2 }])).toEqual({ slug: "red-2", worth: 2 });
});
