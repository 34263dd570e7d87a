import { html } from "htm/preact";
import { points, texts } from "../texts.js";

export function Score({ result }) {
  const score = points(result.score);
  return html`<div class="score">
    <h2>${texts.score.title}</h2>
    <p class="score-number"><strong>${score}</strong> <span>${texts.score.points(score)}</span></p>
    <p class="score-note">${texts.score.note}</p>
  </div>`;
}
