import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Symbol, kindsOf } from "../shared/cards.js";
import { duration, points, serverNow, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Notice, Skeleton } from "../shared/notices.js";
import { Line } from "./breakdown.js";
import { check, usePlace } from "./player-state.js";
import { hasAsked, noteAsked } from "./requested-scores.js";
import { useLeft } from "./ticket.js";

// Whether another press may help.
const mayHelp = ({ slug, passing }) => slug === "conflict" || (passing && !["no-tries", "too-soon"].includes(slug));

const spoken = ({ score }) => (score === null ? texts.told.none : `${texts.told.title}: ${points(score)}`);

// The provisional score of a confirmed deck. What costs nothing is asked for at once; a try only after a clear yes.
// `onSettled` hears when it is there, or will not come by itself.
export function Provisional({ deck, onSettled }) {
  const { seat, me, again } = usePlace();
  const [answer, setAnswer] = useState(null);
  const [problem, setProblem] = useState(null);
  const { mode } = me.provisional;
  const free = mode !== "total" || hasAsked(deck.id);
  const ask = async () => {
    setProblem(null);
    try {
      const given = await check(seat.token, deck.id, mode);
      if (given.mode === "total") noteAsked(deck.id);
      setAnswer(given);
      if (given.spent) again();
    } catch (error) {
      setProblem(error);
      // Tries, pause or mode are others than this phone believed.
      if (error.status === 409 || error.status === 429) again();
    }
  };
  useEffect(() => {
    setAnswer(null);
    setProblem(null);
    if (free) ask();
  }, [deck.id, mode]);
  const settled = answer || problem || !free;
  useEffect(() => {
    if (settled) onSettled();
  }, [Boolean(settled)]);

  return html`<section class="provisional" aria-label=${texts.told.title}>
    <p class="unseen" role="status">${answer && spoken(answer)}</p>
    ${problem && html`<${Notice} problem=${problem} onAgain=${mayHelp(problem) ? ask : undefined} small />`}
    ${answer && html`<${Told} answer=${answer} />`}
    ${!answer && !problem && free && html`<${Skeleton} rows=${6} />`}
    ${mode === "total" && html`<${Tries} tries=${me.provisional} told=${Boolean(answer)} onAsk=${ask} />`}
  </section>`;
}

// How many tries are left, when the next may be spent, and the clear yes to it.
function Tries({ tries, told, onAsk }) {
  const words = texts.told;
  const [until, setUntil] = useState(0);
  useEffect(() => setUntil(serverNow() + tries.wait * 1000), [tries]);
  const left = useLeft(until);
  const spendable = tries.left > 0 && left <= 0;
  return html`<div class="tries">
    <p><strong>${words.left(tries.left)}</strong> ${tries.left > 0 && left > 0 && html`<span>${words.pause} <b role="timer">${duration(left)}</b></span>`}</p>
    ${!told && spendable && html`<button type="button" class="action secondary" onClick=${onAsk}>${words.spend}</button>`}
    ${!told && !spendable && html`<button type="button" class="secondary" onClick=${onAsk}>${words.old}</button>`}
    ${!told && html`<p class="field-help">${spendable ? words.spendHelp : words.oldHelp}</p>`}
  </div>`;
}

// A provisional answer: the score, its reasons as far as the mode tells them, and all that it leaves out.
function Told({ answer }) {
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
