import { html } from "htm/preact";
import { points, texts } from "../../shared/texts.js";
import { HandLines } from "./hand-lines.js";

// What moved from an earlier count to this one, envelope by envelope.
export function Moves({ result, versions, onSince }) {
  const words = texts.results.moves;
  if (!versions.length) return null;
  return html`<section class="panel" aria-labelledby="moves-title">
    <h2 id="moves-title">${words.title}</h2>
    <label class="moves-since">
      ${words.since}
      <select value=${result.since ?? ""} onChange=${(event) => onSince(event.currentTarget.value)}>
        ${result.since === null && html`<option value="">–</option>`}
        ${versions.map((one) => html`<option value=${one.version} selected=${one.version === result.since}>${texts.results.versions.version(one.version)}</option>`)}
      </select>
    </label>
    ${result.since !== null && result.moves.length === 0 && html`<p>${words.none}</p>`}
    <ul class="moves">
      ${result.moves.map(
        (move) => html`<li key=${move.envelope}>
          <details>
            <summary>
              <b>${(move.after ?? move.before).player}</b> <small>${texts.envelope(move.envelope)}</small>
              <span>${change(move)}</span>
            </summary>
            ${move.gone.length > 0 && html`<h3>${words.gone}</h3><${HandLines} lines=${move.gone} class="moves-gone" />`}
            ${move.come.length > 0 && html`<h3>${words.come}</h3><${HandLines} lines=${move.come} />`}
          </details>
        </li>`,
      )}
    </ul>
  </section>`;
}

function change({ before, after }) {
  const words = texts.results.moves;
  if (!before) return words.entered(after.rank);
  if (!after) return words.left;
  const told = [];
  if (before.player !== after.player) told.push(words.renamed(before.player));
  if (before.rank !== after.rank) told.push(words.place(before.rank, after.rank));
  if (before.score !== after.score) told.push(words.score(score(before), score(after)));
  return told.join(" · ") || words.lines;
}

const score = (place) => (place.eliminated ? texts.results.ranking.out : points(place.score));
