// The cached decks, updated with what the server has just accepted, so that nothing seems lost if the network fails now.

import type { DeckModel, DeckPhotoModel, PlayerModel } from "../../../api";
import { updateCache } from "./storage";

const UNCONFIRMED = { confirmed: null, digest: null };
// A deck without photos.
export const emptyDeck = (id: string): DeckModel => ({
  ...UNCONFIRMED,
  id,
  created: new Date().toISOString(),
  state: "open",
  photos: [],
  kinds: [],
  cards: [],
  total: 0,
  pending: 0,
  ahead: 0,
  dead: 0,
  own_label: false,
  other_label: false,
  counted: null,
});

// Return a deck with a new photo that is still to be read. `deck` is the cached one, or null.
export function withPhoto(deck: DeckModel | null, photo: DeckPhotoModel, id: string): DeckModel {
  const before = deck ?? emptyDeck(id);
  if (before.photos.some((other) => other.id === photo.id)) return before;
  return { ...before, photos: [...before.photos, photo], pending: before.pending + 1 };
}

// Add a new deck to the cache.
export const cacheDeck = (token: string, { id, created }: DeckModel) =>
  updateCache<PlayerModel>(`me ${token}`, (me) => {
    if (!me || me.decks.some((other) => other.id === id)) return null;
    return { ...me, decks: [...me.decks, { ...UNCONFIRMED, id, created, state: "open", cards: null }] };
  });

// Add a new photo to the cache.
export const cachePhoto = (token: string, id: string, photo: DeckPhotoModel) =>
  updateCache<DeckModel>(`deck ${token} ${id}`, (deck) => withPhoto(deck, photo, id));
