import { html } from "htm/preact";
import { Symbol } from "../shared/symbol.js";
import { gain, texts } from "../shared/texts.js";

// What made the difference, line by line: what brought more than one place below, what cost most, what was void.
export function Difference({ place, few }) {
  const most = few ? 1 : 3;
  const parts = [
    ["gains", place.lines.slice(0, most), (line) => gain(line.points)],
    ["losses", place.losses.slice(0, few ? 1 : 2), (line) => gain(line.points)],
    ["void", place.void.slice(0, few ? 0 : 1), (line) => html`<s>${gain(line.points)}</s>`],
  ];
  if (!parts.some(([, lines]) => lines.length)) return null;
  return html`<ul class="difference">
    ${parts.flatMap(([kind, lines, worth]) =>
      lines.map(
        (line, at) => html`<li class=${`difference-${kind}`} style=${{ "--at": at }}>
          <${Badge} rule=${line.rule} />
          <span class="difference-what">
            <b>${line.name ?? texts.screen.plain}</b>
            <span>${kind === "void" ? texts.screen.voided(line.voided_by) : line.rule === null ? "" : line.text}</span>
          </span>
          <strong class="difference-worth">${worth(line)}</strong>
        </li>`,
      ),
    )}
  </ul>`;
}

// The same in a few signs, for a row.
export function Brief({ place }) {
  const lines = [...place.lines.slice(0, 2), ...place.losses.slice(0, 1)];
  return html`<span class="brief">
    ${lines.map(
      (line) => html`<span class=${line.points.startsWith("-") ? "brief-loss" : ""}>
        ${line.rule === null ? texts.screen.plainShort : texts.lines.rule(line.rule)} <b>${gain(line.points)}</b>
      </span>`,
    )}
  </span>`;
}

function Badge({ rule }) {
  return html`<span class="difference-badge" aria-hidden="true">
    <${Symbol} name=${rule === null ? "star" : "seal"} />${rule !== null && html`<b>${rule}</b>`}
  </span>`;
}
