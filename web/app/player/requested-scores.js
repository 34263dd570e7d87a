// The decks whose score this phone has asked for where tries are counted: asking again for the same costs nothing.

const KEPT = "haggle-asked";

function asked() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? [];
  } catch {
    return [];
  }
}

export const hasAsked = (deck) => asked().includes(deck);

export function noteAsked(deck) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...new Set([deck, ...asked()])].slice(0, 100)));
  } catch {
    // The next visit asks whether to spend a try, and the server gives the old answer for nothing.
  }
}

// Forget them, with an envelope that is taken off this phone. Other envelopes are asked once more, which costs nothing.
export function forgetAsked() {
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // Then nothing was kept.
  }
}
