import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../../shared/http.js";
import { moment, speak, texts } from "../../shared/i18n.js";
import { Notice, say } from "../../shared/notices.js";
import { Link, View, useRoute } from "../../shared/router.js";
import { useSteady } from "../live.js";
import { ByHand } from "./card-entry.js";
import { kindOf } from "./issue-text.js";
import { Doubts } from "./issues.js";
import { Questions } from "./questions.js";

await speak("queue");

const MOST = 500; // items that are listed at once

// What has to be settled before the count: doubts, questions, cards by hand, and decisions that have lost their effect.
export function Review({ game, again }) {
  const [, , , , section = "doubts", key] = useRoute();
  const [standing, kind] = useFilter();
  const query = new URLSearchParams({ standing, limit: MOST, ...(kind && { kind }) });
  const queue = useSteady((signal) => ask(`/api/v1/games/${game.id}/queue?${query}`, { signal }), `${game.id}?${query}`, ["queue", "photos", "envelopes", "game"]);
  const questions = useSteady((signal) => ask(`/api/v1/games/${game.id}/questions`, { signal }), game.id, ["queue", "photos", "envelopes", "game"]);
  const base = `/desk/games/${game.id}/queue`;
  const lost = queue.data?.without_effect ?? [];
  const parts = [
    ["doubts", base, queue.data?.open],
    ...(questions.data?.questions.length || section === "questions" ? [["questions", `${base}/questions`, questions.data?.open]] : []),
    ["by-hand", `${base}/by-hand`],
    ...(lost.length || section === "no-effect" ? [["no-effect", `${base}/no-effect`, lost.length]] : []),
  ];
  const current = parts.some(([name]) => name === section) ? section : "doubts";
  return html`<${View} name="queue" title=${texts.queue.title}>
    <nav class="subtabs" aria-label=${texts.queue.title}>
      ${parts.map(
        ([name, href, count]) => html`<${Link} href=${href} aria-current=${name === current ? "page" : undefined}>
          ${texts.queue.parts[name]}${count ? html` <b class="count">${count}</b>` : ""}
        <//>`,
      )}
    </nav>
    ${current === "doubts" && html`<${Doubts} game=${game} queue=${queue} standing=${standing} kind=${kind} wanted=${key} again=${again} />`}
    ${current === "questions" && html`<${Questions} game=${game} questions=${questions} />`}
    ${current === "by-hand" && html`<${ByHand} game=${game} />`}
    ${current === "no-effect" && html`<${NoEffect} game=${game} lost=${lost} again=${queue.again} />`}
  <//>`;
}

// Which items are listed, as the address says: open ones unless it says otherwise.
function useFilter() {
  const asked = new URLSearchParams(location.search);
  const standing = ["open", "ruled", "settled", "all"].includes(asked.get("standing")) ? asked.get("standing") : "open";
  return [standing, asked.get("kind") in texts.queue.kinds ? asked.get("kind") : ""];
}

// Decisions whose item is no more. They do nothing; they can be left or taken back.
function NoEffect({ game, lost, again }) {
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
