import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { nameOf, scoreOf } from "./names.js";

const STANDS = [2, 1, 3]; // as they stand, from the left
const NAMES = 3; // that fit on a stand

// The three stands, with whoever is on them by now.
export function Podium({ stands, count }) {
  const whole = stands[1];
  return html`<h1 class="group-title">${whole ? texts.screen.winner(whole.length) : texts.screen.podium}</h1>
    <ol class="podium">
      ${STANDS.filter((rank) => rank <= count).map((rank) => html`<${Stand} rank=${rank} places=${stands[rank]} gone=${whole && !stands[rank]} />`)}
    </ol>`;
}

// A stand nobody comes to, since a better place is shared, stays empty.
function Stand({ rank, places, gone }) {
  const more = places ? places.length - NAMES : 0;
  return html`<li class=${`stand stand-${rank} ${places ? "stand-taken" : ""}`}>
    <div class="stand-who">
      ${places?.slice(0, NAMES).map((place) => html`<b class="stand-name">${nameOf(place)}</b>`)}
      ${more > 0 && html`<span>${texts.screen.more(more)}</span>`}
      ${places && html`<span class="stand-score">${scoreOf(places[0])}</span>`} ${!places && !gone && html`<span class="stand-wait">?</span>`}
    </div>
    <div class="stand-block"><span aria-label=${texts.screen.place(rank)}>${rank}</span></div>
  </li>`;
}
