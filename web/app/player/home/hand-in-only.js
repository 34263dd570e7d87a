import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { texts } from "../../shared/texts.js";
import { HandInSheet } from "../hand-in/sheet.js";
import { outbox } from "../outbox/outbox.js";

// For games in which phones tell nothing of cards: the hand-in without a list.
export function HandInOnly() {
  const [deck, setDeck] = useState(null);
  return html`<section class="hand-in-only">
    <p>${texts.handIn.onlyLead}</p>
    <button type="button" class="action" onClick=${() => setDeck(outbox.newDeck())}>${texts.handIn.only}</button>
    ${deck && html`<${HandInSheet} deck=${deck} cards=${null} onClose=${() => setDeck(null)} />`}
  </section>`;
}
