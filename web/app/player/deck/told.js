import { html } from "htm/preact";
import { Icon } from "../../shared/icon.js";
import { kindsOf } from "../../shared/kinds.js";
import { Line } from "../../shared/line.js";
import { Symbol } from "../../shared/symbol.js";
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
    <${Silent} answer=${answer} />
    ${answer.leaves_out.length > 0 &&
    html`<section class="told-left">
      <h3>${words.leavesOut}</h3>
      <ul>
        ${answer.leaves_out.map((slug) => html`<li key=${slug}>${words.leaves[slug] ?? slug}</li>`)}
      </ul>
    </section>`}
  `;
}

// The rules in the deck that no line tells of: they are held, and their wordings may be read.
function Silent({ answer: { lines, rules } }) {
  const told = new Set(lines.map(({ rule }) => rule));
  const silent = Object.entries(rules).filter(([key]) => !told.has(key));
  if (!silent.length) return null;
  return html`<section class="lines">
    <h3>${texts.told.silent}</h3>
    <ol>
      ${silent.map(
        ([key, rule]) => html`<li class="line line-quiet" key=${key}>
          <details>
            <summary>
              <span class="line-badge"><${Symbol} name="seal" /><b aria-hidden="true">${rule.number ?? ""}</b></span>
              <span class="line-title"><small>${texts.lines.rule(rule.number ?? key)}</small> ${rule.name}</span>
              <span class="line-open">${texts.lines.wording}<${Icon} name="open" /></span>
            </summary>
            <blockquote><p>${rule.text}</p></blockquote>
          </details>
        </li>`,
      )}
    </ol>
  </section>`;
}
