// Which envelope came with which print run.

export const runOf = (runs, number) => runs.find((run) => number >= run.first && number < run.first + run.envelopes);
