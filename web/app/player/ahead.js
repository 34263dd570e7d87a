// What the screen of the opened address will ask for, asked for before that screen is there: on a slow network a question
// that waits for the answer to another one costs half a second.

const FRESH = 10_000; // milliseconds that an answer waits for its screen

const asked = new Map();

// Begin `load`; whoever asks by this name first gets its promise.
export function ahead(name, load) {
  const found = { answer: load(), came: Infinity };
  const came = () => (found.came = performance.now());
  found.answer.then(came, came);
  asked.set(name, found);
}

// What was begun by a name, else what `load` gives.
export function aheadOr(name, load) {
  const found = asked.get(name);
  asked.delete(name);
  return found && !(performance.now() - found.came > FRESH) ? found.answer : load();
}
