import { html } from "htm/preact";
import { Symbol } from "./symbol.js";

const SUITS = [
  ["heart", "red"],
  ["drop", "blue"],
  ["clover", "green"],
  ["sun", "orange"],
  ["star", "yellow"],
  ["flower", "pink"],
];

// The six suits in a row, for the eye alone.
export function Suits() {
  return html`<p class="suits" aria-hidden="true">
    ${SUITS.map(([symbol, suit]) => html`<${Symbol} name=${symbol} class=${`suit suit-${suit}`} />`)}
  </p>`;
}
