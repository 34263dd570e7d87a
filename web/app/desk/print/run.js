import { html } from "htm/preact";
import { Icon } from "../../shared/icon.js";
import { points, texts } from "../../shared/texts.js";
import { moment } from "../../shared/times.js";

// One print run with its files; `plain` where its pages are shown anyway.
export function Run({ game, run, paper, plain = false, onPages }) {
  const words = texts.print.run;
  const file = (name) => `/api/v1/games/${game.id}/runs/${run.number}/${name}?paper=${paper}`;
  const last = run.first + run.envelopes - 1;
  const replaces = run.envelopes === 0;
  return html`<li class="run">
    <h2>${replaces ? words.replaced(run.cards) : words.envelopes(run.first, last)}</h2>
    <p class="run-facts">
      ${words.number(run.number)} · ${words.cards(run.cards)}${run.spare > 0 && ` · ${words.spare(run.spare, last - run.spare + 1, last)}`} · ${moment(run.created, game.timezone)}
    </p>
    ${run.spread !== null && html`<p class=${run.reached ? "run-even" : "run-even run-uneven"}>${words.spread(points(run.spread), run.even, run.reached, run.tries)}</p>`}
    ${!replaces && html`<p class="run-join">${run.join ? html`${words.join} <code>${run.join}</code>` : words.noJoin}</p>`}
    <div class="row-actions">
      <a class="as-button" href=${file("sheets.pdf")} download><${Icon} name="download" /> ${words.sheets}</a>
      ${!replaces && html`<a class="as-button" href=${file("labels.pdf")} download><${Icon} name="download" /> ${words.labels}</a>`}
      ${!plain && html`<button type="button" class="secondary" onClick=${() => onPages("sheets")}><${Icon} name="zoom" /> ${words.showSheets}</button>`}
      ${!plain && !replaces && html`<button type="button" class="secondary" onClick=${() => onPages("labels")}><${Icon} name="zoom" /> ${words.showLabels}</button>`}
      <a class="as-button secondary" href=${file("cards.csv")} download><${Icon} name="list" /> ${words.list}</a>
    </div>
  </li>`;
}
