// The envelopes that this phone has opened, in the browser's storage. Each has a token, from the link on its label; the one
// last used is first. A tab keeps its own active envelope.

import { navigate } from "../shared/router";

const STORAGE_KEY = "haggle-seats";
const SESSION_KEY = "haggle-seat"; // of this tab
const TOKEN = /^([0-9A-Z]{4})\.(\d{1,9})\.(\d{1,9})\.[\w-]{8,160}$/;
const CHANGED = "haggle-seats";

// An envelope of this phone. `name` is the game's once it is known, `former` the previous token while the outbox may hold items
// for it.
export type StoredEnvelope = {
  id: string;
  token: string;
  game: string;
  envelope: number;
  name?: string;
  former?: string | undefined;
};

// For browsers without storage: until the page is closed.
let memory: StoredEnvelope[] = [];

// The active envelope of this tab, also after a reload, while other tabs may use others.
let activeId = readActiveId();

// Return the envelopes, the active one first.
export function storedEnvelopes(): StoredEnvelope[] {
  const all = readEnvelopes();
  const active = all.find(({ id }) => id === activeId) ?? all[0];
  if (active && active.id !== activeId) setActiveId(active.id);
  return active ? [active, ...all.filter((entry) => entry !== active)] : all;
}

function readEnvelopes(): StoredEnvelope[] {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") ?? memory;
  } catch {
    return memory;
  }
}

// Return the token in a label's link, or in a text with such a link; null if there is none.
export function tokenIn(text: string): string | null {
  const last = text.trim().split(/[#\s]/).pop() ?? "";
  return TOKEN.test(last) ? last : null;
}

// Add an envelope by its token and make it the active one. A new token replaces the previous one.
export function addEnvelope(token: string) {
  const [, game = "", envelope] = TOKEN.exec(token) ?? [];
  const id = `${game}.${envelope}`;
  const before = readEnvelopes().find((entry) => entry.id === id);
  setActiveId(id);
  const former = before && before.token !== token ? before.token : before?.former;
  writeEnvelopes([{ ...before, id, token, former, game, envelope: Number(envelope) }, ...allBut(id)]);
}

// Forget an envelope's previous token: no item of the outbox uses it.
export const forgetFormerToken = (id: string) =>
  writeEnvelopes(readEnvelopes().map((entry) => (entry.id === id ? { ...entry, former: undefined } : entry)));

// Make another envelope the active one.
export function switchEnvelope(id: string) {
  const chosen = readEnvelopes().find((entry) => entry.id === id);
  if (!chosen) return;
  setActiveId(id);
  writeEnvelopes([chosen, ...allBut(id)]);
}

// Store the name of an envelope's game.
export function rememberGameName(id: string, name: string) {
  if (readEnvelopes().some((entry) => entry.id === id && entry.name !== name)) {
    writeEnvelopes(readEnvelopes().map((entry) => (entry.id === id ? { ...entry, name } : entry)));
  }
}

// Remove an envelope from this phone. Nothing changes on the server.
export const removeEnvelope = (id: string) => writeEnvelopes(allBut(id));

// Call `onChange` when the envelopes change, also in another tab; returns a function to stop.
export function watchEnvelopes(onChange: () => void): () => void {
  const elsewhere = (event: StorageEvent) => event.key === STORAGE_KEY && onChange();
  addEventListener(CHANGED, onChange);
  addEventListener("storage", elsewhere);
  return () => {
    removeEventListener(CHANGED, onChange);
    removeEventListener("storage", elsewhere);
  };
}

const allBut = (id: string) => readEnvelopes().filter((entry) => entry.id !== id);

function writeEnvelopes(next: StoredEnvelope[]) {
  memory = next;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // Keep it in memory until the page is closed.
  }
  dispatchEvent(new Event(CHANGED));
}

function readActiveId() {
  try {
    return sessionStorage.getItem(SESSION_KEY);
  } catch {
    return null;
  }
}

function setActiveId(id: string) {
  activeId = id;
  try {
    sessionStorage.setItem(SESSION_KEY, id);
  } catch {
    // After a reload the newest envelope is active.
  }
}

// True if the page was opened by a link that is not a label's, such as a truncated one.
let badLink = false;
export const openedByBadLink = () => badLink;

export function openLink() {
  if (location.pathname !== "/j") return;
  const token = tokenIn(location.hash);
  badLink = !token && location.hash.length > 1;
  if (token) addEnvelope(token);
  navigate("/", { replace: true });
}

// The decks whose provisional score was requested on this phone while tries were counted: the same request is free.
const REQUESTED_KEY = "haggle-asked";

function requestedDecks(): string[] {
  try {
    return JSON.parse(localStorage.getItem(REQUESTED_KEY) ?? "[]");
  } catch {
    return [];
  }
}

export const wasScoreRequested = (deck: string) => requestedDecks().includes(deck);

export function noteScoreRequest(deck: string) {
  try {
    localStorage.setItem(REQUESTED_KEY, JSON.stringify([...new Set([deck, ...requestedDecks()])].slice(0, 100)));
  } catch {
    // The next visit asks before it spends a try, and the server returns the same score for free.
  }
}

// Forget them when an envelope is removed. For other envelopes the phone asks again, which is free.
export function forgetScoreRequests() {
  try {
    localStorage.removeItem(REQUESTED_KEY);
  } catch {
    // Nothing was stored.
  }
}
