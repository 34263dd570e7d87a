// Pictures that were shared with the installed app. The service worker has put them aside; here they get into a deck.

import { outbox } from "./outbox.js";

const SHARED = "haggle-shared";

// Put the shared pictures into the newest open deck of a player, or into a new one. Returns the deck, "" without any.
export async function takeShared({ token, decks }) {
  if (!("caches" in window)) return "";
  const cache = await caches.open(SHARED);
  const found = await cache.keys();
  if (!found.length) return "";
  const open = decks.filter(({ state }) => state === "open").pop();
  const waiting = outbox.items(token).filter(({ kind }) => kind === "picture").pop();
  const deck = waiting?.deck ?? open?.id ?? outbox.newDeck();
  for (const request of found) {
    const kept = await cache.match(request);
    const name = decodeURIComponent(kept.headers.get("X-Name") ?? "");
    const file = new File([await kept.blob()], name || "photo.jpg", { type: kept.headers.get("Content-Type") });
    await outbox.addPicture({ token, deck, file });
    await cache.delete(request);
  }
  return outbox.deckOf(deck) ?? deck;
}
