// Lets one tab at a time send.

const LOCK = "haggle-outbox";
const PATIENCE = 180_000; // milliseconds without a sign of life after which the tab that sends is no longer waited for

let waiting = () => {};

// The tab that sends has shown that it still does.
export const noteAlive = () => waiting();

// Do something while no other tab does. Without locks, where the page came over plain http, the keys alone keep order.
export async function alone(work) {
  if (!navigator.locks) return work();
  const patience = new AbortController();
  let clock;
  waiting = () => {
    clearTimeout(clock);
    clock = setTimeout(() => patience.abort(), PATIENCE);
  };
  waiting();
  try {
    await navigator.locks.request(LOCK, { signal: patience.signal }, () => {
      noLonger(clock);
      return work();
    });
  } catch (error) {
    noLonger(clock);
    if (!patience.signal.aborted) throw error;
    await navigator.locks.request(LOCK, { steal: true }, work);
  }
}

function noLonger(clock) {
  clearTimeout(clock);
  waiting = () => {};
}
