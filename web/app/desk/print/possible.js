// Whether something can be printed as it is chosen, before the choice is taken.

import { ask } from "../../shared/ask.js";
import { USUAL, refusalOf, withChoices } from "./choices.js";

const PATIENCE = 60_000; // milliseconds; samples are drawn for it
const WIDTH = 100; // pixels

// Rejects with a Problem where the game's cards or labels, or the files of a run, cannot be printed so.
export async function possible(game, run, choices) {
  const base = `/api/v1/games/${game.id}`;
  // What comes as stickers is left on the sheet: where all cards do, there would be none.
  const sheet = withChoices(`${base}/sample/sheet.png`, { ...choices, stick: "" }, { width: WIDTH });
  const label = withChoices(`${base}/sample/label.png`, choices, { width: WIDTH });
  const wanted = [ask(sheet, { as: "blob", patience: PATIENCE })];
  if (choices.labels !== USUAL.labels) wanted.push(ask(label, { as: "blob", patience: PATIENCE }));
  await Promise.all(wanted);
  if (!run) return;
  const { parts } = await ask(withChoices(`${base}/runs/${run.number}/pages`, choices));
  const needed = ["sheets.pdf", "labels.pdf", ...(choices.stick ? ["stickers.pdf"] : [])];
  const refused = parts.find(({ name, problem }) => problem && needed.includes(name));
  if (refused) throw refusalOf(refused);
}
