import { html } from "htm/preact";
import { points, texts } from "../../shared/texts.js";

// All places, the own one marked. Who wants no name in the ranking is called "a player".
export function Ranking({ places }) {
  const words = texts.result;
  return html`<section class="ranking" aria-labelledby="ranking-title">
    <h2 id="ranking-title">${words.ranking}</h2>
    <table>
      <thead>
        <tr><th scope="col">${words.place}</th><th scope="col">${words.player}</th><th scope="col">${words.score}</th></tr>
      </thead>
      <tbody>
        ${places.map(
          (one, at) => html`<tr key=${at} class=${one.me ? "me" : ""} aria-current=${one.me ? "true" : undefined}>
            <td><b class=${`rank rank-${one.rank}`}>${one.rank}</b></td>
            <td>
              <span>${one.player ?? words.somebody}</span>
              ${one.me && html` <mark>${words.you}</mark>`}
              ${one.decided_by && html`<small>${words.decided(one.decided_by)}</small>`}
            </td>
            <td>${one.eliminated ? words.eliminated : points(one.score)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
