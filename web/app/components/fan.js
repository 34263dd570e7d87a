import { html } from "htm/preact";
import { Symbol } from "./symbol.js";

const SHOWN = 5;

// A fan of the game's own cards, for the eye alone.
export function Fan({ kinds }) {
  const cards = [...kinds.values()].filter((kind) => kind.category !== "rule" && kind.category !== "special").slice(0, SHOWN);
  return html`<div class="fan" aria-hidden="true">
    ${cards.map(
      (kind, place) => html`<div class="fan-card" style=${{ "--ink": kind.ink, "--on": kind.on, "--place": place - (cards.length - 1) / 2 }}>
        <i class="fan-code"></i>
        <b>${kind.name}</b>
        <span class="fan-symbol"><${Symbol} name=${kind.symbol} /></span>
        <i class="fan-code fan-twin"></i>
      </div>`,
    )}
  </div>`;
}
