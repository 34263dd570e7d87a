import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { lazy } from "../lazy.js";
import { shared } from "../opened-by.js";

const SHARED = "haggle-shared"; // the service worker has the same name

const AskShared = lazy(() => import("./shared.js").then(({ AskShared }) => AskShared), { small: true });
const Told = lazy(() => import("./shared.js").then(({ Told }) => Told), { small: true });

// Pictures that were shared with the app, once it is known whose envelope this is and which decks there are.
export function Shared({ seat, me }) {
  const [waiting, setWaiting] = useState(false);
  useEffect(() => {
    if ("caches" in window) caches.has(SHARED).then(setWaiting).catch(() => {});
  }, []);
  return waiting && html`<${AskShared} seat=${seat} me=${me} onDone=${() => setWaiting(false)} />`;
}

// Nothing of what was shared could be kept, whosever envelope this is.
export function SharedLost() {
  const [lost, setLost] = useState(shared === "lost");
  return lost && html`<${Told} ...${texts.outbox.sharedLost} onClose=${() => setLost(false)} />`;
}

// Without an envelope a shared picture waits.
export function sharedLater() {
  if (shared === "yes") say(texts.outbox.sharedLater);
}
