import { html } from "htm/preact";
import { SYMBOLS } from "./symbols.js";

// A drawing of the printed cards in the colour of the text around it. It always stands beside words.
export function Symbol({ name, class: extra = "" }) {
  return html`<svg class=${`symbol ${extra}`} viewBox="-50 -50 100 100" aria-hidden="true" focusable="false">
    <path d=${SYMBOLS[name] ?? ""} fill="currentColor" fill-rule="evenodd" />
  </svg>`;
}
