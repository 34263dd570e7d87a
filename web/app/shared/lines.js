import { html } from "htm/preact";
import { points, texts } from "./texts.js";
import { Line } from "./line.js";

// Where the points come from, line by line.
export function Lines({ result, kinds }) {
  return html`<section class="lines" aria-labelledby="lines-title">
    <h2 id="lines-title">${texts.lines.title}</h2>
    ${result.lines.length === 0 && html`<p>${texts.lines.none}</p>`}
    <ol>
      ${result.lines.map((line, place) => html`<${Line} key=${place} line=${line} rules=${result.rules} kinds=${kinds} />`)}
    </ol>
    <p class="sum"><span>${texts.lines.sum}</span><strong>${result.eliminated ? texts.score.eliminated : points(result.score)}</strong></p>
    ${result.settings.length > 0 &&
    html`<aside class="settings">
      <h3>${texts.settings.title}</h3>
      <dl>
        ${result.settings.map(
          (setting) => html`<div>
            <dt>${setting.label}</dt>
            <dd>${setting.value}</dd>
          </div>`,
        )}
      </dl>
    </aside>`}
  </section>`;
}
