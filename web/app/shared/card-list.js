import { html } from "htm/preact";
import { texts } from "./texts.js";
import { Symbol } from "./symbol.js";

// The deck by kind, with counts.
export function CardList({ cards, kinds }) {
  const held = [...kinds.values()].filter((kind) => cards[kind.slug]);
  if (!held.length) return null;
  return html`<section class="cards" aria-labelledby="cards-title">
    <h2 id="cards-title">${texts.cards.title}</h2>
    <ul>
      ${held.map(
        (kind) => html`<li class="kind" key=${kind.slug} data-kind=${kind.slug} style=${{ "--ink": kind.ink, "--on": kind.on }}>
          <span class="kind-symbol">
            ${kind.number ? html`<b aria-hidden="true">${kind.number}</b>` : html`<${Symbol} name=${kind.symbol} />`}
          </span>
          <span class="kind-count">${texts.cards.count(cards[kind.slug])}</span>
          <span class="kind-name">${kind.title}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}
