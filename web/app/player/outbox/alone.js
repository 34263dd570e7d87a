// Lets one tab at a time send.

import { freshKey } from "../../shared/ask.js";

const LOCK = "haggle-outbox";
const LEASE = 20_000; // milliseconds; the tab that sends renews it, and the next one need not wait longer
const PATIENCE = 180_000; // milliseconds without a sign of life after which the tab that sends is no longer waited for

let waiting = () => {};

// The tab that sends has shown that it still does.
export const noteAlive = () => waiting();

// Do something while no other tab does. Browsers have locks only where the page came over https.
export async function alone(work) {
  if (!navigator.locks) return leased(work);
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

const me = freshKey();

// The same by a word in what all tabs keep in common. Should two believe to be alone after all, the keys keep order.
async function leased(work) {
  try {
    while (!(await taken())) await delay(1000);
  } catch {
    return work(); // a browser that keeps nothing
  }
  const clock = setInterval(renew, LEASE / 4);
  addEventListener("pagehide", release);
  try {
    return await work();
  } finally {
    clearInterval(clock);
    removeEventListener("pagehide", release);
    release();
  }
}

async function taken() {
  if (isOthers()) return false;
  renew();
  // Another tab may have done the same in this moment: the later one has it.
  await delay(50 + Math.random() * 50);
  return !isOthers();
}

function isOthers() {
  const [owner, until] = (localStorage.getItem(LOCK) ?? "").split(" ");
  const left = Number(until) - Date.now();
  return owner !== me && left > 0 && left <= LEASE;
}

const renew = () => isOthers() || localStorage.setItem(LOCK, `${me} ${Date.now() + LEASE}`);
const release = () => isOthers() || localStorage.removeItem(LOCK);
const delay = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
