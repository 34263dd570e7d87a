// How somebody prints: most of it kept in this browser, all of it sent with every file and picture that is asked for.

import { Problem, ask } from "../../shared/http.js";
import { texts } from "../../shared/i18n.js";

const KEPT = "haggle-print";

// What nobody has chosen otherwise. Numbers are held as they are typed.
export const USUAL = {
  paper: "a4",
  backs: "none",
  marks: "crop",
  order: "envelope",
  second: "",
  gutter: "0",
  bleed: "0",
  shift_x: "0",
  shift_y: "0",
  back_x: "0",
  back_y: "0",
  scale_x: "100",
  scale_y: "100",
  skip: "0",
  labels: "cut",
  labels_skip: "0",
  stick: "",
  stickers: "l7651",
  stickers_skip: "0",
};

const SHIFT = [-10, 10];
const SCALE = [90, 110];
const SKIP = [0, 200];
export const BOUNDS = {
  gutter: [0, 20],
  bleed: [0, 5],
  shift_x: SHIFT,
  shift_y: SHIFT,
  back_x: SHIFT,
  back_y: SHIFT,
  scale_x: SCALE,
  scale_y: SCALE,
  skip: SKIP,
  labels_skip: SKIP,
  stickers_skip: SKIP,
};
const WHOLE = ["skip", "labels_skip", "stickers_skip"];

const PAPERS = ["a4", "letter"];
export const BACKS = ["none", "long", "short", "fold"];
export const MARKS = ["crop", "lines", "none"];
export const ORDERS = ["envelope", "stack", "kind"];
// Formats that are sold, with labels on a sheet and their size in millimetres; those of plain paper are cut.
const LABELS = {
  a4: { l7163: "14, 99 × 38", l7165: "8, 99 × 68", l7160: "21, 63 × 38", l7159: "24, 63 × 34", 3664: "24, 70 × 34" },
  letter: { 5163: "10, 102 × 51", 5164: "6, 102 × 85" },
};
const STICKERS = {
  a4: { l7651: "65, 38 × 21", 3666: "65, 38 × 21", l7654: "40, 46 × 25", l7120: "35, 35 × 35", l7159: "24, 63 × 34" },
  letter: { 5160: "30, 67 × 25" },
};

export const papers = () => PAPERS.map((value) => ({ value, ...texts.print.papers[value] }));
export const labelsOn = (paper) => [["cut", ""], ...Object.entries(LABELS[paper])];
export const stickersOn = (paper) => Object.entries(STICKERS[paper]);

// Choices with some of them changed. Other paper comes with other labels.
export function changed(choices, changes) {
  const next = { ...choices, ...changes };
  const fits = (list, name) => list.some(([known]) => known === name);
  if (!fits(labelsOn(next.paper), next.labels)) next.labels = "cut";
  if (!fits(stickersOn(next.paper), next.stickers)) next.stickers = stickersOn(next.paper)[0][0];
  return next;
}

// What is wrong, by name.
export function mistakes(choices) {
  const wrong = {};
  for (const [name, [least, most]] of Object.entries(BOUNDS)) {
    const number = choices[name].trim() === "" ? NaN : Number(choices[name]);
    if (!(number >= least && number <= most)) wrong[name] = texts.print.setup.bounds(least, most);
    else if (WHOLE.includes(name) && !Number.isInteger(number)) wrong[name] = texts.print.number(least, most);
  }
  return wrong;
}

// What is chosen otherwise than usual, as the server takes it; what is wrong is left out.
export function wanted(choices) {
  const wrong = mistakes(choices);
  const other = Object.entries(choices).filter(([name, value]) => value !== USUAL[name] && !wrong[name]);
  return Object.fromEntries(other.map(([name, value]) => [name, name in BOUNDS ? Number(value) : value]));
}

// An address with the choices, and with more that is asked for.
export function withChoices(address, choices, more = {}) {
  const query = new URLSearchParams({ ...wanted(choices), ...more }).toString();
  return query ? `${address}?${query}` : address;
}

// Why something cannot be printed, in words. The server names the cause where it is one of printing, and says all in English.
const refusalOf = ({ problem, cause }) => new Problem("cannot-print", { status: 422, body: { detail: problem, ...cause } });
export const whyNot = (refused) => refusalOf(refused).detail;

// What was chosen in this browser, for a game. A sheet that is begun is another one the next time, and a second language
// is a matter of one game alone.
export function keptChoices(game) {
  const kept = { ...read(), second: read().seconds?.[game] };
  const known = Object.entries(kept).filter(([name, value]) => name in USUAL && !WHOLE.includes(name) && typeof value === "string");
  return changed(USUAL, Object.fromEntries(known));
}

export function keepChoices(game, { second, ...choices }) {
  const kept = Object.entries(choices).filter(([name]) => !WHOLE.includes(name));
  const seconds = { ...read().seconds, [game]: second };
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...Object.fromEntries(kept), seconds }));
  } catch {
    // They are chosen anew the next time.
  }
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

// Whether something can be printed as it is chosen, before the choice is taken.

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
