import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../shared/http.js";
import { texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Notice } from "../shared/notices.js";
import { Chooser, usePictureDrop } from "../shared/photo-input.js";
import { go } from "../shared/router.js";
import { outbox } from "./offline/offline-queue.js";
import { usePlace } from "./player-state.js";

// The ways to a picture: the phone's own camera, pictures that are there already, and the live view. Without `deck` the
// first picture begins a new one. Once the game is closed, none of them is the thing to do next.
export function TakePictures({ deck, first = false, more = false }) {
  const { seat, me } = usePlace();
  const [problem, setProblem] = useState(null);
  const box = useRef(null);
  useEffect(() => {
    // The browser lets nobody but people open the camera, so the app's shortcut only leads to the button.
    if (wantsPicture()) box.current.querySelector("button").focus();
  }, []);
  const words = texts.take;
  const add = async (files) => {
    const fitting = files.filter((file) => file.size <= me.game.photo_bytes);
    setProblem(fitting.length < files.length ? new Problem("too-many-bytes", { body: { limit: me.game.photo_bytes } }) : null);
    if (!fitting.length) return;
    const into = deck ?? outbox.newDeck();
    for (const file of fitting) await outbox.addPicture({ token: seat.token, deck: into, file });
    if (!deck) go(`/p/deck/${outbox.deckOf(into) ?? into}`);
  };
  const look = async () => {
    try {
      const { openCamera } = await import("../camera/camera.js");
      await openCamera({ kinds: me.game.kinds, game: me.game.id, envelope: me.envelope.number, onPicture: (file) => add([file]) });
    } catch {
      setProblem(new Problem("network"));
    }
  };
  const dropping = usePictureDrop((file) => add([file]));
  const label = more ? words.more : first ? words.first : words.another;
  return html`<section ref=${box} class=${`take ${dropping ? "dropping" : ""}`} aria-label=${words.title} data-drop=${words.drop}>
    <${Chooser} icon="camera" label=${label} capture="environment" secondary=${more || me.game.state !== "open"} onChoose=${(file) => add([file])} />
    <div class="take-others">
      <${Chooser} icon="picture" label=${words.gallery} secondary multiple onChoose=${add} />
      <button type="button" class="action secondary" onClick=${look}><${Icon} name="zoom" />${words.live}</button>
    </div>
    ${problem && html`<${Notice} problem=${problem} small />`}
  </section>`;
}

// What the page was opened for, as the installed app says it in the address. It is taken out of there: a reload is none.

const asked = new URLSearchParams(location.search);
if (location.search) history.replaceState(null, "", location.pathname + location.hash);

// "lost" where pictures were shared with the app and none could be taken, "yes" where some could; else "".
export const shared = asked.has("shared") ? asked.get("shared") || "yes" : "";

let photograph = asked.has("photograph");

// Whether it was to take a picture; true only once.
function wantsPicture() {
  const wanted = photograph;
  photograph = false;
  return wanted;
}
