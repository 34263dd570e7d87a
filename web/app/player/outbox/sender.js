// Sends what waits, one thing at a time and in order, until nothing waits or the network fails.

import { ask, upload } from "../../shared/ask.js";
import { language } from "../../shared/texts.js";
import { noteDeck, notePicture } from "./arrived.js";
import { LOCAL, allDecks, allItems, changeItem, mapDeck, removeItem } from "./store.js";

const DECKS = "/api/v1/me/decks";
const PAUSE = 30; // seconds before something on which the server has failed is sent again

// Go once over all that waits. `tell` hears of each step:
//   { sending: id, progress }, { sent: { id, kind, deck, answer } }, { refused: id }, { mapped: local, deck }
// `stop(id)` returns a signal that ends the sending of an item. `later(deck, seconds)` hears that a deck has to wait, and
// `early(deck)` tells whether it has to wait still. Returns the problem that ended it, such as no network, else null.
export async function sendAll({ tell, stop, early, later }) {
  for (;;) {
    const items = await allItems();
    const next = items.find((item) => !item.refused && !early(deckKey(item)));
    if (!next) return null;
    const held = next.kind === "hand-in" && items.find((item) => item.refused && item.kind === "confirm" && deckKey(item) === deckKey(next));
    const problem = held ? { slug: "confirm-first", status: 409, passing: false } : await sendOne(next, { tell, stop });
    if (!problem) continue;
    if (!problem.passing && !problem.wait) {
      await changeItem(next.place, { refused: plain(problem) });
      tell({ refused: next.id });
    } else if (isOfOne(problem)) {
      later(deckKey(next), problem.wait || PAUSE);
    } else {
      return problem;
    }
  }
}

// Whether other decks may fare better: a list that is still being read, or a mistake of the server's.
const isOfOne = ({ status }) => status === 409 || status === 500;

async function sendOne(item, { tell, stop }) {
  tell({ sending: item.id, progress: 0 });
  try {
    const signal = stop(item.id);
    const deck = await serversDeck(item, { tell, signal });
    const answer = await put(item, deck, { tell, signal });
    if (item.kind === "picture") await notePicture(item.token, deck, answer);
    await removeItem(item.place);
    tell({ sent: { id: item.id, kind: item.kind, deck, answer } });
    return null;
  } catch (problem) {
    if (problem.name === "AbortError") return null;
    if (problem.slug) return problem;
    throw problem;
  }
}

// The server's id of an item's deck, which is made there if it only exists here. Its id here is the key: it is made once.
async function serversDeck({ deck, token }, { tell, signal }) {
  if (!deck.startsWith(LOCAL)) return deck;
  const known = (await allDecks()).find((one) => one.local === deck);
  if (known) return known.id;
  const made = await ask(DECKS, { method: "POST", token, key: deck, signal });
  signal.throwIfAborted();
  await mapDeck(deck, token, made.id);
  await noteDeck(token, made);
  tell({ mapped: deck, deck: made.id });
  return made.id;
}

function put({ id, kind, token, file, digest, counted }, deck, { tell, signal }) {
  const at = `${DECKS}/${deck}`;
  if (kind === "picture") {
    return upload(`${at}/photos`, file, { token, key: id, signal, onProgress: (progress) => tell({ sending: id, progress }) });
  }
  const more = { method: "POST", token, key: id, signal };
  return kind === "confirm" ? ask(`${at}/confirm?language=${language()}`, { ...more, body: { digest, counted } }) : ask(`${at}/hand-in`, more);
}

const deckKey = ({ token, deck }) => `${token} ${deck}`;
const plain = ({ slug, status, title, detail, body }) => ({ slug, status, title, detail, body });
