import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Notice, Skeleton } from "../../shared/notice.js";
import { duration, serverNow } from "../../shared/times.js";
import { points, texts } from "../../shared/texts.js";
import { check } from "../calls.js";
import { useLeft } from "../countdown.js";
import { usePlace } from "../place.js";
import { hasAsked, noteAsked } from "./asked.js";
import { Told } from "./told.js";

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
