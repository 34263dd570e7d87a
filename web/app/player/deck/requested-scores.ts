// The decks whose provisional score was requested on this phone while tries were counted: the same request is free.

const STORAGE_KEY = "haggle-asked";

function requestedDecks(): string[] {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
  } catch {
    return [];
  }
}

export const wasScoreRequested = (deck: string) => requestedDecks().includes(deck);

export function noteScoreRequest(deck: string) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...new Set([deck, ...requestedDecks()])].slice(0, 100)));
  } catch {
    // The next visit asks before it spends a try, and the server returns the same score for free.
  }
}

// Forget them when an envelope is removed. For other envelopes the phone asks again, which is free.
export function forgetScoreRequests() {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Nothing was stored.
  }
}
