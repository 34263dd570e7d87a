import { expect, test } from "vitest";
import { argumentsOf, differences } from "./messages.js";

test("all languages have the same texts with the same arguments", () => {
  expect(differences()).toEqual([]);
});

test("arguments have the types that their use demands", () => {
  const message = "{count, plural, one {# card} other {# cards}} of {name}{late, select, true {, late} other {}}";
  expect(argumentsOf(message)).toEqual({ count: "number", name: "string | number", late: "boolean" });
});
