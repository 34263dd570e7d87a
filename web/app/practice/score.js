import { html } from "htm/preact";
import { points, texts } from "../shared/texts.js";

export function Score({ result }) {
  const score = result.eliminated ? null : points(result.score);
  return html`<div class="score">
    <h2>${texts.score.title}</h2>
    ${result.eliminated
      ? html`<p class="score-out">${result.verdict}</p>`
      : html`<p class="score-number"><strong>${score}</strong> <span>${texts.score.points(score)}</span></p>`}
    <p class="score-note">${texts.result.note}</p>
  </div>`;
}
