// Prints that were begun in this tab and are not saved yet, though their button has gone: a dialog was closed, or the page left.

const left = new Map(); // by id: { game, job, ours }
const listeners = new Set();

export function leave(game, job) {
  const print = { game, job, ours: true };
  left.set(job.id, print);
  for (const hear of listeners) hear(print);
}

// It has been saved, or it comes no more.
export const settled = (id) => left.delete(id);

export const leftOf = (game) => [...left.values()].filter((print) => print.game === game);

// Hear of each that is left from now on; returns what ends it.
export function onLeft(hear) {
  listeners.add(hear);
  return () => listeners.delete(hear);
}
