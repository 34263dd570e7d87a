import { html } from "htm/preact";
import { Fan } from "../shared/fan.js";
import { kindsOf } from "../shared/kinds.js";
import { texts } from "../shared/texts.js";

// Colours of the edition that the demo is played with, for names as small as on a phone.
const INKS = [
  ["red", "#c2242b", "heart"],
  ["blue", "#163a86", "drop"],
  ["green", "#1f7a49", "clover"],
  ["orange", "#f0821d", "sun"],
  ["yellow", "#f6cf3b", "star"],
];

// What this is, and how far the game is that is being played. The lines have their places before they are known.
export function Hero({ demo }) {
  const words = texts.demo;
  const names = words.colours.split(", ");
  const kinds = kindsOf({ kinds: INKS.map(([slug, ink, symbol], place) => ({ slug, ink, symbol, category: "colour", name: names[place] })) });
  const playing = demo?.playing;
  const { made, all } = demo?.pictures ?? { made: 0, all: 0 };
  return html`<section class="start demo-hero">
    <${Fan} kinds=${kinds} />
    <div class="start-words">
      <h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      <p class="demo-state" aria-live="polite">
        <b>${playing ? playing.name : "\u00a0"}</b>
        <span>${playing ? words.state(playing.handed_in, playing.envelopes) : "\u00a0"}</span>
      </p>
      <p class="demo-making">
        ${made < all && html`<progress value=${made} max=${all} aria-label=${words.making}></progress><small>${words.made(made, all)}</small>`}
      </p>
    </div>
  </section>`;
}
