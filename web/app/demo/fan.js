import { html } from "htm/preact";
import { Symbol } from "../shared/symbol.js";

const SHOWN = 5;
const MODULES = 21;
const FINDER = 8; // a corner square and the gap beside it, in modules

// Something that looks like a code and says nothing.
const code = (seed) => {
  const corner = (x, y) => `M${x} ${y}h7v7h-7zM${x + 1} ${y + 1}v5h5v-5zM${x + 2} ${y + 2}h3v3h-3z`;
  let path = corner(0, 0) + corner(14, 0) + corner(0, 14);
  let state = seed;
  for (let y = 0; y < MODULES; y++) {
    for (let x = 0; x < MODULES; x++) {
      state = (state * 1103515245 + 12345) % 2147483648;
      const left = x < FINDER;
      const top = y < FINDER;
      const finder = (left && (top || y >= MODULES - FINDER)) || (top && x >= MODULES - FINDER);
      if (!finder && state % 65536 > 32768) path += `M${x} ${y}h1v1h-1z`;
    }
  }
  return path;
};

// A fan of the game's own cards, for the eye alone.
export function Fan({ kinds }) {
  const cards = [...kinds.values()].filter((kind) => kind.category !== "rule" && kind.category !== "special").slice(0, SHOWN);
  const patch = (kind, extra) => html`<svg class=${`fan-code ${extra}`} viewBox="-2 -2 25 25">
    <rect x="-2" y="-2" width="25" height="25" rx="1.5" fill="#fff" />
    <path d=${code(kind.slug.length * 97 + kind.slug.charCodeAt(0))} fill="#111" fill-rule="evenodd" shape-rendering="crispEdges" />
  </svg>`;
  return html`<div class="fan" aria-hidden="true">
    ${cards.map(
      (kind, place) => html`<div
        class="fan-card"
        style=${{ "--ink": kind.ink, "--on": kind.on, "--place": place - (cards.length - 1) / 2, zIndex: cards.length - place }}
      >
        ${patch(kind, "")}
        <b>${kind.name}</b>
        <span class="fan-symbol"><${Symbol} name=${kind.symbol} /></span>
        ${patch(kind, "fan-twin")}
      </div>`,
    )}
  </div>`;
}
