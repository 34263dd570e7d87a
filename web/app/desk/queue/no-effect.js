import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { Notice } from "../../shared/notice.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { moment } from "../../shared/times.js";
import { kindOf } from "./words.js";

// Decisions whose item is no more. They do nothing; they can be left or taken back.
export function NoEffect({ game, lost, again }) {
  const [problem, setProblem] = useState(null);
  const back = (ruling) => {
    setProblem(null);
    const query = new URLSearchParams({ reason: texts.queue.reasons.noEffect });
    ask(`/api/v1/games/${game.id}/queue/${encodeURIComponent(ruling.key)}/ruling?${query}`, { method: "DELETE", revision: "0" }).then(() => {
      say(texts.queue.takenBack);
      again();
    }, setProblem);
  };
  return html`<section class="no-effect">
    <p>${texts.queue.noEffect}</p>
    ${problem && html`<${Notice} problem=${problem} small />`}
    ${!lost.length && html`<p class="panel">${texts.queue.noneLost}</p>`}
    <ul class="rows">
      ${lost.map(
        (ruling) => html`<li class="panel row" key=${ruling.key}>
          <p><strong>${texts.queue.kinds[kindOf(ruling.key)] ?? ruling.key}</strong> <span>${texts.queue.decidedBy(ruling.who, moment(ruling.at))} <q>${ruling.reason}</q></span></p>
          <button type="button" class="secondary" onClick=${() => back(ruling)}>${texts.queue.takeBack}<span class="unseen">${texts.queue.kinds[kindOf(ruling.key)] ?? ruling.key}, ${moment(ruling.at)}</span></button>
        </li>`,
      )}
    </ul>
  </section>`;
}
