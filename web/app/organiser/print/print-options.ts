// Options for printing, stored in this browser and sent with each request for a file or an image.

import type { FullGameModel, PrintFileModel, PrintFilesModel, RunModel } from "../../../api";
import { Problem, request } from "../../shared/http";
import { texts } from "../../shared/i18n";

const STORAGE_KEY = "haggle-print";

const PAPERS = ["a4", "letter"] as const;
export const BACKS = ["none", "long", "short", "fold"] as const;
export const MARKS = ["crop", "lines", "none"] as const;
export const ORDERS = ["envelope", "stack", "kind"] as const;

export type Paper = (typeof PAPERS)[number];
export type NumberOption = keyof typeof BOUNDS;

// Options; numbers are texts, as typed.
export type Choices = Record<NumberOption | "second" | "labels" | "stick" | "stickers", string> & {
  paper: Paper;
  backs: (typeof BACKS)[number];
  marks: (typeof MARKS)[number];
  order: (typeof ORDERS)[number];
};

export const DEFAULTS: Choices = {
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

type Bounds = [least: number, most: number];
const SHIFT: Bounds = [-10, 10];
const SCALE: Bounds = [90, 110];
const SKIP: Bounds = [0, 200];
export const BOUNDS = {
  gutter: [0, 20] as Bounds,
  bleed: [0, 5] as Bounds,
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

// Formats of label sheets with the size of a label in millimetres. Labels on plain paper are cut.
type Formats = Record<Paper, Record<string, string>>;
const LABELS: Formats = {
  a4: { l7163: "14, 99 × 38", l7165: "8, 99 × 68", l7160: "21, 63 × 38", l7159: "24, 63 × 34", 3664: "24, 70 × 34" },
  letter: { 5163: "10, 102 × 51", 5164: "6, 102 × 85" },
};
const STICKERS: Formats = {
  a4: { l7651: "65, 38 × 21", 3666: "65, 38 × 21", l7654: "40, 46 × 25", l7120: "35, 35 × 35", l7159: "24, 63 × 34" },
  letter: { 5160: "30, 67 × 25" },
};

export const papers = () => PAPERS.map((value) => ({ value, title: texts.print.papers[value] }));
export const labelsOn = (paper: Paper): [name: string, size: string][] => [["cut", ""], ...Object.entries(LABELS[paper])];
export const stickersOn = (paper: Paper) => Object.entries(STICKERS[paper]);

// Return options with changes. Other paper has other labels.
export function withChanges(choices: Choices, changes: Partial<Choices>): Choices {
  const next = { ...choices, ...changes };
  const fits = (list: [string, string][], name: string) => list.some(([known]) => known === name);
  if (!fits(labelsOn(next.paper), next.labels)) next.labels = "cut";
  if (!fits(stickersOn(next.paper), next.stickers)) next.stickers = stickersOn(next.paper)[0]?.[0] ?? "";
  return next;
}

// Return the errors by name.
export function errorsIn(choices: Choices): Partial<Record<string, string>> {
  const wrong: Partial<Record<string, string>> = {};
  for (const [name, [least, most]] of Object.entries(BOUNDS) as [NumberOption, Bounds][]) {
    const number = choices[name].trim() === "" ? NaN : Number(choices[name]);
    if (!(number >= least && number <= most)) wrong[name] = texts.print.number({ least, most, whole: false });
    else if (WHOLE.includes(name) && !Number.isInteger(number)) wrong[name] = texts.print.number({ least, most, whole: true });
  }
  return wrong;
}

// Return the options that differ from the defaults for the API, without invalid ones.
export function toParameters(choices: Choices): Record<string, string | number> {
  const wrong = errorsIn(choices);
  const other = Object.entries(choices).filter(([name, value]) => value !== DEFAULTS[name as keyof Choices] && !wrong[name]);
  return Object.fromEntries(other.map(([name, value]) => [name, name in BOUNDS ? Number(value) : value]));
}

// Return an address with the options and further parameters.
export function withOptions(address: string, choices: Choices, more: Record<string, string | number> = {}): string {
  const given = Object.entries({ ...toParameters(choices), ...more });
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query ? `${address}?${query}` : address;
}

// Return the problem for options that cannot be printed. The server names the cause, in English.
type Refused = Pick<PrintFileModel, "problem" | "cause">;
const printProblem = ({ problem, cause }: Refused) =>
  new Problem("cannot-print", { status: 422, body: { detail: problem ?? "", ...cause } });
export const obstacleOf = (refused: Refused) => printProblem(refused).detail;

// Return the stored options for a game. A started sheet is another one the next time, and a second language belongs to one
// game.
export function storedOptions(game: string): Choices {
  const kept = { ...read(), second: read().seconds?.[game] };
  const known = Object.entries(kept).filter(
    ([name, value]) => name in DEFAULTS && !WHOLE.includes(name) && typeof value === "string",
  );
  return withChanges(DEFAULTS, Object.fromEntries(known));
}

export function storeOptions(game: string, { second, ...choices }: Choices) {
  const kept = Object.entries(choices).filter(([name]) => !WHOLE.includes(name));
  const seconds = { ...read().seconds, [game]: second };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...Object.fromEntries(kept), seconds }));
  } catch {
    // They are not stored then.
  }
}

type Stored = Record<string, unknown> & { seconds?: Record<string, string> };

function read(): Stored {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}

const CHECK_TIMEOUT = 60_000; // milliseconds; the server renders samples
const CHECK_WIDTH = 100; // pixels

// Check options before they are saved; rejects with a Problem if the game's cards or labels, or the files of a print run,
// cannot be printed.
export async function checkPrintable(game: FullGameModel, run: RunModel | undefined, choices: Choices): Promise<void> {
  const base = `/api/v1/games/${game.id}`;
  // Kinds printed on stickers are not on the sheet, which would otherwise be empty.
  const sheet = withOptions(`${base}/sample/sheet.png`, { ...choices, stick: "" }, { width: CHECK_WIDTH });
  const label = withOptions(`${base}/sample/label.png`, choices, { width: CHECK_WIDTH });
  const wanted = [request(sheet, { as: "blob", timeout: CHECK_TIMEOUT })];
  if (choices.labels !== DEFAULTS.labels) wanted.push(request(label, { as: "blob", timeout: CHECK_TIMEOUT }));
  await Promise.all(wanted);
  if (!run) return;
  const { parts } = await request<PrintFilesModel>(withOptions(`${base}/runs/${run.number}/pages`, choices));
  const needed = ["sheets.pdf", "labels.pdf", ...(choices.stick ? ["stickers.pdf"] : [])];
  const refused = parts.find(({ name, problem }) => problem && needed.includes(name));
  if (refused) throw printProblem(refused);
}
