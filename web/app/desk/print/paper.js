// Which paper somebody prints on, and which envelope came with which print run.

import { texts } from "../../shared/texts.js";

const KEPT = "haggle-paper";

export const papers = () => ["a4", "letter"].map((value) => ({ value, ...texts.print.papers[value] }));

// The run in which an envelope was printed.
export const runOf = (runs, number) => runs.find((run) => number >= run.first && number < run.first + run.envelopes);

export function keptPaper() {
  try {
    return localStorage.getItem(KEPT) === "letter" ? "letter" : "a4";
  } catch {
    return "a4";
  }
}

export function keepPaper(paper) {
  try {
    localStorage.setItem(KEPT, paper);
  } catch {
    // It is chosen anew the next time.
  }
}
