// Pictures that were shared with the installed app. The service worker has put them aside; here they get into a deck, but
// never by themselves: any page may send some here.

import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../shared/dialog.js";
import { texts } from "../shared/i18n.js";
import { say } from "../shared/notices.js";
import { go } from "../shared/router.js";
import { outbox } from "./offline/offline-queue.js";
import { handsIn, takesPictures } from "./player-state.js";

const SHARED = "haggle-shared";
const NOT_ALL = "/shared/not-all"; // lies there where not all that was shared could be taken; the worker has the same name
const MOST = 20; // pictures at once

// Ask whether the shared pictures are to go into the player's deck, where any may go into one now. Whatever the answer is, none is left afterwards.
export function AskShared({ seat, me, onDone }) {
  const [found, setFound] = useState(null); // what lies there, once it is known what is to be done with it
  const [takes, setTakes] = useState(false);
  const words = texts.outbox.shared;
  const end = async () => {
    await caches.delete(SHARED);
    onDone();
  };
  const look = async () => {
    await outbox.start();
    const lies = await sharedFiles();
    if (!lies.files.length) return end();
    const may = takesPictures(me, handsIn(outbox.items(seat.token)));
    // What was known before the network went is no reason to throw pictures away: the game may be open by now.
    if (!may && me.asOf) return say(texts.outbox.sharedKept);
    setTakes(may);
    setFound(lies);
  };
  useEffect(() => {
    if (!found) look();
  }, [me.asOf]);
  const take = async () => {
    setFound({ files: [] });
    const deck = await put(found.files, seat.token, me.decks);
    await end();
    go(`/p/deck/${deck}`, { replace: true });
  };
  if (!found?.files.length) return null;
  if (!takes) return html`<${Told} ...${texts.outbox.sharedNot} onClose=${end} />`;
  return html`<${Dialog} title=${words.title(found.files.length)} onClose=${end}>
    ${!found.whole && html`<p>${words.some(MOST, me.game.photo_bytes)}</p>`}
    <p>${found.files.every(({ own }) => own) ? words.sample : words.detail}</p>
    <div class="pair">
      <button type="button" class="secondary" onClick=${end}>${words.no}</button>
      <button type="button" onClick=${take}>${words.yes}</button>
    </div>
  <//>`;
}

// Something that nobody must miss: it stays until it is closed.
export function Told({ title, detail, onClose }) {
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <p>${detail}</p>
    <button type="button" onClick=${onClose}>${texts.close}</button>
  <//>`;
}

async function sharedFiles() {
  const cache = await caches.open(SHARED);
  const kept = await cache.keys();
  const pictures = kept.filter(({ url }) => !url.endsWith(NOT_ALL));
  const answers = await Promise.all(pictures.map((request) => cache.match(request)));
  return { files: await Promise.all(answers.map(asFile)), whole: pictures.length === kept.length };
}

async function asFile(kept) {
  const name = decodeURIComponent(kept.headers.get("X-Name") ?? "");
  const file = new File([await kept.blob()], name || "photo.jpg", { type: kept.headers.get("Content-Type") });
  return { file, own: kept.headers.get("X-Deck") === "new" };
}

// Put pictures into the newest open deck of a player, or into a new one; each sample of the demo begins its own deck.
// Returns the deck of the last.
async function put(files, token, decks) {
  const open = decks.filter(({ state }) => state === "open").pop();
  const waiting = outbox.items(token).filter(({ kind }) => kind === "picture").pop();
  const newest = waiting?.deck ?? open?.id ?? outbox.newDeck();
  let deck;
  for (const { file, own } of files) {
    deck = own ? outbox.newDeck() : newest;
    await outbox.addPicture({ token, deck, file });
  }
  return outbox.deckOf(deck) ?? deck;
}
