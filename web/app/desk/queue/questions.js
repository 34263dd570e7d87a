import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Notice, Skeleton } from "../../shared/notice.js";
import { texts } from "../../shared/texts.js";
import { Question } from "./question.js";
import { useKinds } from "./cards.js";
import { envelopeText } from "./words.js";

// What is asked about each hand before the count: one form an envelope, and after an answer the next one that is open.
export function Questions({ game, questions }) {
  const { data, problem, again, put } = questions;
  const kinds = useKinds(game.id);
  const [chosen, setChosen] = useState(null);
  if (problem && !data) return html`<${Notice} problem=${problem} onAgain=${again} />`;
  if (!data) return html`<${Skeleton} rows=${3} />`;
  if (!data.questions.length) {
    return html`<p class="panel">${game.state === "open" ? texts.queue.questions.notYet : texts.queue.questions.none}</p>`;
  }
  const all = data.questions.length;
  const open = data.questions.filter((question) => question.open);
  const current = data.questions.find((question) => question.envelope === chosen) ?? open[0] ?? null;
  const answered = (told) => {
    const later = [...open.filter(({ envelope }) => envelope > told.envelope), ...open].find(({ envelope }) => envelope !== told.envelope);
    put((before) => {
      const found = before.questions.map((one) => (one.envelope === told.envelope ? told : one));
      return { questions: found, open: found.filter((one) => one.open).length };
    });
    again();
    setChosen(told.open ? told.envelope : (later?.envelope ?? null));
  };
  return html`<div class="questions">
    <div class="settled-count">
      <label for="questions-progress">${texts.queue.questions.progress(all - open.length, all)}</label>
      <progress id="questions-progress" max=${all} value=${all - open.length}></progress>
    </div>
    <div class="doubts-body">
      <nav class="doubt-list" aria-label=${texts.queue.questions.list}>
        <ol>
          ${data.questions.map(
            (question) => html`<li key=${question.envelope}>
              <button type="button" aria-current=${question === current ? "true" : undefined} onClick=${() => setChosen(question.envelope)}>
                <span><strong>${envelopeText(question.envelope, question.player)}</strong><small>${question.open ? texts.queue.questions.open : texts.queue.questions.answered}</small></span>
              </button>
            </li>`,
          )}
        </ol>
      </nav>
      <div class="doubt">
        ${current
          ? html`<${Question} key=${current.envelope} game=${game} kinds=${kinds} question=${current} onAnswered=${answered} again=${again} />`
          : html`<div class="panel all-clear"><h2>${texts.queue.questions.done}</h2></div>`}
      </div>
    </div>
  </div>`;
}
