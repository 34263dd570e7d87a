// Photos that were shared with the installed app. The service worker has stored them; here the player decides, since any
// website may share files with the app.

import { useEffect, useState } from "preact/hooks";
import { Dialog, DOUBLE_CLICK_TIME } from "../shared/dialog";
import { formatBytes, texts } from "../shared/i18n";
import { announce } from "../shared/notices";
import { navigate } from "../shared/router";
import type { StoredEnvelope } from "./envelopes";
import { outbox } from "./offline/outbox";
import { hasHandIn, type Me, takesPhotos } from "./player-state";

const SHARED = "haggle-shared";
const NOT_ALL = "/shared/not-all"; // an entry beside the photos if some could not be stored; the service worker uses the same name
const MAX_FILES = 20; // photos at once

// A shared photo; `own` if it needs a deck of its own. `whole` is false if some could not be stored.
type SharedFile = { file: File; own: boolean };
type Found = { files: SharedFile[]; whole: boolean };

// Ask whether to add the shared photos to the player's deck, if that is possible now. They are deleted in any case.
export function SharedFilesDialog({ player, me, onDone }: { player: StoredEnvelope; me: Me; onDone: () => void }) {
  const [found, setFound] = useState<Found | null>(null); // the stored photos, once it is known what may be done with them
  const [takes, setTakes] = useState(false);
  const [busy, setBusy] = useState(false);
  const words = texts.outbox.shared;
  const end = async () => {
    await caches.delete(SHARED);
    onDone();
  };
  const look = async () => {
    await outbox.start();
    const lies = await readSharedFiles();
    if (!lies.files.length) return end();
    const may = takesPhotos(me, hasHandIn(outbox.items(player.token)));
    // The state may be outdated, and the game open by now: keep the photos.
    if (!may && me.asOf) return announce(texts.outbox.sharedKept);
    setTakes(may);
    setFound(lies);
  };
  useEffect(() => {
    if (!found) look();
  }, [me.asOf]);
  const take = async (files: SharedFile[]) => {
    setBusy(true);
    // The second click of a double click must not reach what is below the dialog.
    const pause = new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_TIME));
    const [deck] = await Promise.all([addToDeck(files, player.token, me.decks), pause]);
    await end();
    navigate(`/p/deck/${deck}`, { replace: true });
  };
  if (!found?.files.length) return null;
  if (!takes) return <MessageDialog {...texts.outbox.sharedNot} onClose={end} />;
  return (
    <Dialog title={words.title({ count: found.files.length })} onClose={end}>
      {!found.whole && <p>{words.some({ most: MAX_FILES, size: formatBytes(me.game.photo_bytes) })}</p>}
      {found.files.some(({ own }) => !own) && <p>{words.detail}</p>}
      <div class="pair">
        <button type="button" class="secondary" onClick={end}>
          {texts.cancel}
        </button>
        <button type="button" disabled={busy} onClick={() => take(found.files)}>
          {words.yes}
        </button>
      </div>
    </Dialog>
  );
}

// A message that stays until it is closed.
export function MessageDialog({ title, detail, onClose }: { title: string; detail: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      {detail && <p>{detail}</p>}
      <button type="button" onClick={onClose}>
        {texts.close}
      </button>
    </Dialog>
  );
}

async function readSharedFiles(): Promise<Found> {
  const cache = await caches.open(SHARED);
  const kept = await cache.keys();
  const pictures = kept.filter(({ url }) => !url.endsWith(NOT_ALL));
  const answers = await Promise.all(pictures.map((request) => cache.match(request)));
  const there = answers.filter((answer) => answer !== undefined);
  return { files: await Promise.all(there.map(toFile)), whole: pictures.length === kept.length };
}

async function toFile(kept: Response): Promise<SharedFile> {
  const name = decodeURIComponent(kept.headers.get("X-Name") ?? "");
  const file = new File([await kept.blob()], name || "photo.jpg", { type: kept.headers.get("Content-Type") ?? "" });
  return { file, own: kept.headers.get("X-Deck") === "new" };
}

// Add photos to the player's newest open deck, or to a new one; each sample of the demo gets a deck of its own. Returns the
// deck of the last photo.
async function addToDeck(files: SharedFile[], token: string, decks: Me["decks"]): Promise<string> {
  const open = decks.filter(({ state }) => state === "open").pop();
  const waiting = outbox
    .items(token)
    .filter(({ kind }) => kind === "picture")
    .pop();
  const newest = waiting?.deck ?? open?.id ?? outbox.newDeck();
  let deck = newest;
  for (const { file, own } of files) {
    deck = own ? outbox.newDeck() : newest;
    await outbox.addPhoto({ token, deck, file });
  }
  return outbox.deckOf(deck) ?? deck;
}
