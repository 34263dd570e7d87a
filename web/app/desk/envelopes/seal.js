import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { texts } from "../../shared/texts.js";
import { Confirm } from "../confirm.js";
import { change } from "./changes.js";

// Seals an envelope whose player does not come. Where its cards have been seen, it asks once more.
export function Seal({ game, envelope, onChanged, onClose }) {
  const [seen, setSeen] = useState(null);
  const words = texts.envelopes.one;
  const { number } = envelope;
  async function seal(reason) {
    try {
      onChanged(await change(game, number, { open: false, reason, insist: Boolean(seen) }));
    } catch (problem) {
      if (problem.slug === "cards-seen" && !seen) setSeen(problem.body.seen);
      throw problem;
    }
  }
  return html`<${Confirm} title=${words.sealAsk(number)} confirm=${seen ? words.sealInsist : words.seal} danger=${Boolean(seen)} reason="optional" onConfirm=${seal} onClose=${onClose}>
    <p>${game.state === "printed" ? words.sealBefore : words.sealText}</p>
    ${seen && html`<ul>${seen.map(({ envelope: where, cards }) => html`<li>${words.seenIn(where, cards.length)}</li>`)}</ul>`}
  <//>`;
}
