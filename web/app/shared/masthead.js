import { html } from "htm/preact";
import { texts } from "./texts.js";
import { Symbol } from "./symbol.js";

const SUITS = [
  ["heart", "red"],
  ["drop", "blue"],
  ["clover", "green"],
  ["sun", "orange"],
  ["star", "yellow"],
  ["flower", "pink"],
];

export function Masthead({ edition, home, envelope }) {
  return html`<header class="masthead">
    <div class="masthead-inner">
      <a class="brand" href=${home}>
        <span class="brand-name">${texts.brand}</span>
        <span class="brand-edition">${edition}</span>
      </a>
      ${envelope
        ? html`<p class="envelope">${texts.envelope(envelope)}</p>`
        : html`<${Suits} />`}
    </div>
  </header>`;
}

// The six suits in a row, for the eye alone.
export function Suits() {
  return html`<p class="suits" aria-hidden="true">
    ${SUITS.map(([symbol, suit]) => html`<${Symbol} name=${symbol} class=${`suit suit-${suit}`} />`)}
  </p>`;
}
