import { html } from "htm/preact";
import { texts } from "../texts.js";
import { Symbol } from "./symbol.js";

// The deck by kind, with counts.
export function CardList({ cards, kinds }) {
  const entries = Object.entries(cards);
  if (!entries.length) return null;
  return html`<section class="cards" aria-labelledby="cards-title">
    <h2 id="cards-title">${texts.cards.title}</h2>
    <ul>
      ${entries.map(([slug, count]) => {
        const kind = kinds.get(slug);
        return html`<li class="kind" key=${slug} data-kind=${slug} style=${{ "--ink": kind.ink, "--on": kind.on }}>
          <span class="kind-symbol"><${Symbol} name=${kind.symbol} /></span>
          <span class="kind-count">${texts.cards.count(count)}</span>
          <span class="kind-name">${kind.title}</span>
        </li>`;
      })}
    </ul>
  </section>`;
}
