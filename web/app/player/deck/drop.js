import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog.js";
import { Notice } from "../../shared/notice.js";
import { go } from "../../shared/router.js";
import { texts } from "../../shared/texts.js";
import { dropDeck } from "../calls.js";
import { outbox } from "../outbox/outbox.js";
import { usePlace } from "../place.js";

// Throw a deck away, with its pictures and what waits for it; `local` is one that the server does not know yet.
export function Drop({ deck, local }) {
  const { seat, again } = usePlace();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState(null);
  const words = texts.deck;
  const drop = async () => {
    try {
      if (!local) await dropDeck(seat.token, deck);
      await outbox.dropDeck({ token: seat.token, deck });
      if (!local) await again();
      go("/");
    } catch (error) {
      setProblem(error);
    }
  };
  return html`<p class="deck-drop"><button type="button" class="plain" onClick=${() => setAsking(true)}>${words.drop}</button></p>
    ${asking &&
    html`<${Dialog} title=${words.dropTitle} onClose=${() => setAsking(false)}>
      <p>${words.dropDetail}</p>
      ${problem && html`<${Notice} problem=${problem} small />`}
      <div class="pair">
        <button type="button" class="secondary" onClick=${() => setAsking(false)}>${texts.cancel}</button>
        <button type="button" onClick=${drop}>${words.dropYes}</button>
      </div>
    <//>`}`;
}
