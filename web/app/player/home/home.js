import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { View } from "../../shared/view.js";
import { speak, texts } from "../../shared/texts.js";
import { lazy } from "../lazy.js";
import { usePlace } from "../place.js";
import { TakePictures } from "../take-pictures.js";
import { Ticket } from "../ticket.js";
import { handsIn, useReceipt } from "../use-outbox.js";
import { Decks } from "./decks.js";
import { Receipt, ReceiptWaits } from "./receipt.js";
import { Sentence, isPlaying, takesPictures } from "./state.js";

const Name = lazy(() => import("./name.js").then(({ Name }) => Name), { small: true });
const OwnPlace = lazy(() => Promise.all([import("./own-place.js"), speak("result")]).then(([{ OwnPlace }]) => OwnPlace));
const HandInOnly = lazy(() => Promise.all([import("./hand-in-only.js"), speak("deck")]).then(([{ HandInOnly }]) => HandInOnly));

// What a player sees first: the own envelope, where the game stands, and the one thing to do next.
export function Home() {
  const { me } = usePlace();
  const [naming, setNaming] = useState(false);
  const waits = handsIn(useReceipt()) && !me.receipt;
  const takes = takesPictures(me, waits);
  return html`<${View} title=${texts.home.title(me.envelope.number)} name="home">
    <${Ticket} me=${me} onName=${() => setNaming(true)} />
    <div class="home-main">
      <${Sentence} me=${me} waits=${waits} />
      ${me.game.state === "published" && html`<${OwnPlace} />`}
      ${takes && html`<${TakePictures} first=${!me.decks.length} />`}
      ${!takes && isPlaying(me, waits) && html`<${HandInOnly} />`}
      ${waits && ["open", "closed"].includes(me.game.state) && html`<${ReceiptWaits} />`}
      ${me.receipt && html`<${Receipt} receipt=${me.receipt} game=${me.game} />`}
      <${Decks} />
    </div>
    ${naming && html`<${Name} onClose=${() => setNaming(false)} />`}
  <//>`;
}
