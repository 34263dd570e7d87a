// The value of a game's setting in words.

import { LANGUAGES, texts } from "../../shared/texts.js";

export function told(name, values, edition) {
  const words = texts.games.form;
  const value = values[name];
  if (name === "mode") return words.modes[value].title;
  if (name === "language") return LANGUAGES[value] ?? value;
  if (name === "size") return texts.games.form.sizes[value]?.title ?? value;
  if (name === "deadline") return value ? value.replace("T", " ") : texts.desk.bar.noDeadline;
  if (name === "rules") return texts.games.rules.count((value ?? edition.rules).length, edition.rules.length);
  if (name === "settings") return Object.values(value).join(", ");
  if (name === "confirmed") return value.length ? words.yes : words.no;
  if (name === "expect_dealt") return value ? words.expected : words.notExpected;
  return value;
}
