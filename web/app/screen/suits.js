import { html } from "htm/preact";
import { Symbol } from "../shared/symbol.js";

const SUITS = { heart: "red", drop: "blue", clover: "green", sun: "orange", star: "yellow", flower: "pink" };

// The six suits, for the eye alone.
export function Suits() {
  return html`<span class="suits" aria-hidden="true">
    ${Object.entries(SUITS).map(([symbol, suit]) => html`<${Symbol} name=${symbol} class=${`suit suit-${suit}`} />`)}
  </span>`;
}
