// What the players' page asks of the server, in one place.

import { ask } from "../shared/ask.js";
import { language } from "../shared/texts.js";
import { setClock } from "../shared/times.js";
import { keep, orKept } from "./outbox/kept.js";

const ME = "/api/v1/me";
const at = (deck) => `${ME}/decks/${deck}`;

export async function readMe(token, signal) {
  return orKept(`me ${token}`, async () => {
    const me = await ask(ME, { token, signal });
    setClock(me.now);
    return me;
  });
}

export async function changeMe(token, body) {
  const me = await ask(ME, { method: "PATCH", token, body });
  keep(`me ${token}`, me);
  return me;
}

export const readDeck = (token, deck, signal) => orKept(`deck ${token} ${deck}`, () => ask(`${at(deck)}?language=${language()}`, { token, signal }));
export const dropDeck = (token, deck) => ask(at(deck), { method: "DELETE", token });
export const dropPicture = (token, deck, photo) => ask(`${at(deck)}/photos/${photo}`, { method: "DELETE", token });
export const pictureOf = (deck, photo) => `${at(deck)}/photos/${photo}/image`;
export const check = (token, deck, mode) => ask(`${at(deck)}/check?language=${language()}&mode=${mode}`, { method: "POST", token });
export const readResult = (token, signal) =>
  orKept(`result ${token} ${language()}`, () => ask(`${ME}/result?language=${language()}`, { token, signal }));
