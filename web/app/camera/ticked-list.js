import { html } from "htm/preact";
import { Symbol } from "../shared/symbol.js";
import { texts } from "../shared/texts.js";
import { byKind } from "./ticked.js";

// What was ticked off, by kind, with the numbers of the copies: they are printed on the cards, so that one sees which are done.
export function Ticked({ cards, kinds, slugs }) {
  const held = byKind(cards, slugs);
  return html`<ul class="ticked" aria-label=${texts.camera.ticked} tabindex="0">
    ${[...held].map(([slug, copies]) => {
      const kind = kinds.get(slug);
      return html`<li key=${slug} data-kind=${slug} style=${{ "--ink": kind.ink, "--on": kind.on }}>
        <span class="kind-symbol">${kind.number ? html`<b aria-hidden="true">${kind.number}</b>` : html`<${Symbol} name=${kind.symbol || "gem"} />`}</span>
        <span class="ticked-words">
          <strong>${texts.cards.count(copies.length)} ${kind.title}</strong>
        </span>
      </li>`;
    })}
  </ul>`;
}
