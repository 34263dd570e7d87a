import { html } from "htm/preact";
import { gain, texts } from "../../shared/texts.js";

// The lines of a hand in few words: rule, sentence, points. A void line stays, struck, with the rule that voided it.
export function HandLines({ lines, class: extra = "" }) {
  const words = texts.results.lines;
  if (!lines.length) return html`<p>${texts.lines.none}</p>`;
  return html`<ol class=${`hand-lines ${extra}`}>
    ${lines.map(
      (line) => html`<li class=${line.void ? "hand-line-void" : ""}>
        <b>${line.rule === null ? words.worth : texts.lines.rule(line.rule)}</b>
        <span>${line.void ? html`<s>${line.text}</s> <em>${texts.lines.void(line.voided_by)}</em>` : line.text}</span>
        <strong>${line.void ? html`<s>${gain(line.points)}</s>` : gain(line.points)}</strong>
      </li>`,
    )}
  </ol>`;
}
