import { go } from "../shared/router.js";

// The envelopes that this phone has opened. Each is a token, from the link on a label; the last one in use comes first.

const KEPT = "haggle-seats";
const HERE = "haggle-seat"; // of this tab
const TOKEN = /^([0-9A-Z]{4})\.(\d{1,9})\.(\d{1,9})\.[\w-]{8,160}$/;
const CHANGED = "haggle-seats";

// For browsers that keep nothing: until the page is closed.
let memory = [];

// This tab's envelope stays in view while another tab opens another: it is the active one here as long as the phone has
// it, also after a reload.
let here = fromSession();

// The envelopes of this phone, this tab's first.
export function seats() {
  const all = kept();
  const mine = all.find(({ id }) => id === here) ?? all[0];
  if (mine && mine.id !== here) stay(mine.id);
  return mine ? [mine, ...all.filter((seat) => seat !== mine)] : all;
}

// All envelopes of this phone: { id, token, game, envelope, name, former }, where `name` is the game's once it is
// known, and `former` the token before, as long as something may wait to be sent under it.
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? memory;
  } catch {
    return memory;
  }
}

// Take the token out of a link of a label, or of a text that holds it; null where there is none.
export function tokenIn(text) {
  const last = text.trim().split(/[#\s]/).pop();
  return TOKEN.test(last) ? last : null;
}

// Open an envelope by its token: it is the active one from now on. A new link takes the place of the one before.
export function take(token) {
  const [, game, envelope] = TOKEN.exec(token);
  const id = `${game}.${envelope}`;
  const before = kept().find((seat) => seat.id === id);
  stay(id);
  const former = before && before.token !== token ? before.token : before?.former;
  keep([{ ...before, id, token, former, game, envelope: Number(envelope) }, ...others(id)]);
}

// Nothing waits under an envelope's former token any more.
export const settle = (id) => keep(kept().map((seat) => (seat.id === id ? { ...seat, former: undefined } : seat)));

// Make another of this phone's envelopes the active one.
export function use(id) {
  const chosen = kept().find((seat) => seat.id === id);
  if (!chosen) return;
  stay(id);
  keep([chosen, ...others(id)]);
}

// Keep what the game is called, to tell envelopes apart.
export function remember(id, name) {
  if (kept().some((seat) => seat.id === id && seat.name !== name)) {
    keep(kept().map((seat) => (seat.id === id ? { ...seat, name } : seat)));
  }
}

// Take an envelope off this phone. Nothing of it changes on the server.
export const forget = (id) => keep(others(id));

// Call `onChange` whenever this phone's envelopes change, also in another tab; returns a function that ends it.
export function watchSeats(onChange) {
  const elsewhere = (event) => event.key === KEPT && onChange();
  addEventListener(CHANGED, onChange);
  addEventListener("storage", elsewhere);
  return () => {
    removeEventListener(CHANGED, onChange);
    removeEventListener("storage", elsewhere);
  };
}

const others = (id) => kept().filter((seat) => seat.id !== id);

function keep(next) {
  memory = next;
  try {
    localStorage.setItem(KEPT, JSON.stringify(next));
  } catch {
    // What is in memory does until the page is closed.
  }
  dispatchEvent(new Event(CHANGED));
}

function fromSession() {
  try {
    return sessionStorage.getItem(HERE);
  } catch {
    return null;
  }
}

function stay(id) {
  here = id;
  try {
    sessionStorage.setItem(HERE, id);
  } catch {
    // Then it is forgotten with a reload, after which the newest envelope is shown.
  }
}

// The links on envelopes' labels: /j#TOKEN. The token goes where it is kept, and out of the address.

// Whether the page was opened by a link that is none of a label's, such as one that was cut off.
let wrong = false;
export const openedWrongly = () => wrong;

export function openLink() {
  if (location.pathname !== "/j") return;
  const token = tokenIn(location.hash);
  wrong = !token && location.hash.length > 1;
  if (token) take(token);
  go("/", { replace: true });
}
