// Pictures that were shared with the installed app. The service worker has put them aside; here they get into a deck, but
// never by themselves: any page may send some here.

import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog.js";
import { go } from "../../shared/router.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { takesPictures } from "../home/state.js";
import { shared } from "../opened-by.js";
import { handsIn } from "../use-outbox.js";
import { outbox } from "./outbox.js";

const SHARED = "haggle-shared";
const MOST = 20; // pictures at once

// Ask whether the shared pictures are to go into the player's deck, where any may go into one now. Whatever the answer is, none is left afterwards.
export function AskShared({ seat, me, onDone }) {
  const [files, setFiles] = useState(null);
  const words = texts.outbox.shared;
  const end = async () => {
    await caches.delete(SHARED);
    onDone();
  };
  useEffect(() => {
    look();
  }, []);
  const look = async () => {
    await outbox.start();
    const takes = takesPictures(me, handsIn(outbox.items(seat.token)));
    if (!takes) say(texts.outbox.sharedNot);
    const found = takes ? await sharedFiles(me.game.photo_bytes) : [];
    if (found.length) setFiles(found);
    else end();
  };
  const take = async () => {
    const taken = files;
    setFiles(null);
    const deck = await put(taken, seat.token, me.decks);
    await end();
    go(`/p/deck/${deck}`, { replace: true });
  };
  if (!files) return null;
  return html`<${Dialog} title=${words.title(files.length)} onClose=${end}>
    ${shared === "some" && html`<p>${words.some(MOST, me.game.photo_bytes)}</p>`}
    <p>${words.detail}</p>
    <div class="pair">
      <button type="button" class="secondary" onClick=${end}>${words.no}</button>
      <button type="button" onClick=${take}>${words.yes}</button>
    </div>
  <//>`;
}

async function sharedFiles(most) {
  const cache = await caches.open(SHARED);
  const kept = await Promise.all((await cache.keys()).slice(0, MOST).map((request) => cache.match(request)));
  const files = await Promise.all(kept.map(asFile));
  return files.filter(({ type, size }) => type.startsWith("image/") && size <= most);
}

async function asFile(kept) {
  const name = decodeURIComponent(kept.headers.get("X-Name") ?? "");
  return new File([await kept.blob()], name || "photo.jpg", { type: kept.headers.get("Content-Type") });
}

// Put pictures into the newest open deck of a player, or into a new one. Returns the deck.
async function put(files, token, decks) {
  const open = decks.filter(({ state }) => state === "open").pop();
  const waiting = outbox.items(token).filter(({ kind }) => kind === "picture").pop();
  const deck = waiting?.deck ?? open?.id ?? outbox.newDeck();
  for (const file of files) await outbox.addPicture({ token, deck, file });
  return outbox.deckOf(deck) ?? deck;
}
