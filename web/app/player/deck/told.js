import { html } from "htm/preact";
import { kindsOf } from "../../shared/kinds.js";
import { Line } from "../../shared/line.js";
import { points, texts } from "../../shared/texts.js";

// A provisional answer: the score, its reasons as far as the mode tells them, and all that it leaves out.
export function Told({ answer }) {
  const words = texts.told;
  const kinds = kindsOf({ kinds: answer.kinds.map((kind) => ({ ...kind, slug: kind.kind })) });
  const score = answer.score === null ? null : points(answer.score);
  return html`
    <div class="score score-provisional">
      <h2>${words.title}</h2>
      ${answer.eliminated
        ? html`<p class="score-out">${texts.score.eliminated}</p>`
        : score !== null
          ? html`<p class="score-number"><strong>${score}</strong> <span>${texts.score.points(score)}</span></p>`
          : html`<p class="score-out">${words.none}</p>`}
      <p class="score-note">${words.note}</p>
    </div>
    ${answer.unknown.length > 0 &&
    html`<p class="told-unknown"><strong>${words.unknown}</strong> ${answer.unknown.map((slug) => kinds.get(slug)?.name ?? slug).join(", ")}. ${words.unknownDetail}</p>`}
    ${answer.lines.length > 0 &&
    html`<section class="lines" aria-labelledby="told-lines">
      <h2 id="told-lines">${texts.lines.title}</h2>
      <ol>
        ${answer.lines.map((line, at) => html`<${Line} key=${at} line=${line} rules=${answer.rules} kinds=${kinds} />`)}
      </ol>
      ${score !== null && html`<p class="sum"><span>${words.sum}</span><strong>${score}</strong></p>`}
    </section>`}
    ${answer.leaves_out.length > 0 &&
    html`<section class="told-left">
      <h3>${words.leavesOut}</h3>
      <ul>
        ${answer.leaves_out.map((slug) => html`<li key=${slug}>${words.leaves[slug] ?? slug}</li>`)}
      </ul>
    </section>`}
  `;
}
