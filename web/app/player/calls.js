// What the players' page asks of the server, in one place.

import { ask } from "../shared/ask.js";
import { language } from "../shared/texts.js";
import { setClock } from "../shared/times.js";
import { ahead, aheadOr } from "./ahead.js";
import { keep, orKept } from "./outbox/kept.js";
import { outbox } from "./outbox/outbox.js";

const ME = "/api/v1/me";
const at = (deck) => `${ME}/decks/${deck}`;

const meOf = (token) => `me ${token}`;
const deckOf = (token, deck) => `deck ${token} ${deck}`;
const resultOf = (token) => `result ${token} ${language()}`;
const read = (name, load) => aheadOr(name, () => orKept(name, load));

export function readMe(token, signal) {
  return read(meOf(token), async () => {
    const me = await ask(ME, { token, signal });
    setClock(me.now);
    return me;
  });
}

export async function changeMe(token, body) {
  const me = await ask(ME, { method: "PATCH", token, body });
  keep(meOf(token), me);
  return me;
}

export const readDeck = (token, deck, signal) =>
  read(deckOf(token, deck), () => ask(`${at(deck)}?language=${language()}`, { token, signal }));
export const dropDeck = (token, deck) => ask(at(deck), { method: "DELETE", token });
export const dropPicture = (token, deck, photo) => ask(`${at(deck)}/photos/${photo}`, { method: "DELETE", token });
export const pictureOf = (deck, photo) => `${at(deck)}/photos/${photo}/image`;
export const check = (token, deck, mode) => ask(`${at(deck)}/check?language=${language()}&mode=${mode}`, { method: "POST", token });
export const readResult = (token, signal) => read(resultOf(token), () => ask(`${ME}/result?language=${language()}`, { token, signal }));

// Begin to read what is shown at an address, whose parts these are, before anything is drawn.
export function readAhead(token, [section, screen, id]) {
  ahead(meOf(token), () => readMe(token));
  if (section !== "p") return;
  if (screen === "deck" && id && outbox.deckOf(id)) ahead(deckOf(token, id), () => readDeck(token, id));
  if (screen === "result") ahead(resultOf(token), () => readResult(token));
}
