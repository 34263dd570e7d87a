// What the server has taken but not told yet stands where it will stand: else a network that breaks just then would make
// a picture that has arrived look lost.

import { amend } from "./kept.js";

const FRESH = { confirmed: null, digest: null };
const NOTHING = { ...FRESH, state: "open", photos: [], kinds: [], cards: [], total: 0, pending: 0, ahead: 0, dead: 0 };

// A deck with a picture that has just arrived, to be read. `deck` is what is known of it, if anything is.
export function withPicture(deck, photo, id) {
  const before = deck ?? { ...NOTHING, id };
  if (before.photos.some((other) => other.id === photo.id)) return before;
  return { ...before, photos: [...before.photos, photo], pending: before.pending + 1 };
}

// Keep that a deck was made.
export const noteDeck = (token, { id, created }) =>
  amend(`me ${token}`, (me) => {
    if (!me || me.decks.some((other) => other.id === id)) return null;
    return { ...me, decks: [...me.decks, { ...FRESH, id, created, state: "open", cards: null }] };
  });

// Keep that a picture has arrived.
export const notePicture = (token, id, photo) => amend(`deck ${token} ${id}`, (deck) => withPicture(deck, photo, id));
