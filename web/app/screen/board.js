import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { nameOf, scoreOf } from "./names.js";

const COLUMNS = [
  [10, 1],
  [24, 2],
  [60, 3],
  [100, 4],
];

// All places at once.
export function Board({ reveal, published }) {
  const columns = COLUMNS.find(([most]) => reveal.length <= most)?.[1] ?? 5;
  const rows = Math.ceil(reveal.length / columns);
  return html`<h1 class="group-title">${texts.screen.board}</h1>
    <ol class="board" style=${{ "--columns": columns, "--rows": rows }}>
      ${[...reveal].reverse().map(
        (place) => html`<li class=${place.rank <= 3 ? `board-best board-rank-${place.rank}` : ""}>
          <span class="board-rank">${place.rank}</span>
          <span class="board-name">${nameOf(place)}</span>
          <b class="board-score">${scoreOf(place)}</b>
        </li>`,
      )}
    </ol>
    <p class="board-note">${published && texts.screen.onPhones}</p>`;
}
