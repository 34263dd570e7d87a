import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog.js";
import { Icon } from "../../shared/icon.js";
import { ask } from "../../shared/ask.js";
import { useFetched } from "../../shared/fetched.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { texts } from "../../shared/texts.js";
import { whyNot, withChoices } from "./choices.js";
import { Preview } from "./preview.js";

const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const WIDTH = 1200; // pixels; codes on it can be read

// The pages of a run's sheets or labels, one after the other.
export function Pages({ game, run, kind, choices, onClose }) {
  const base = `/api/v1/games/${game.id}/runs/${run.number}`;
  const { data, problem, again } = useFetched((signal) => ask(withChoices(`${base}/pages`, choices), { signal }), base);
  const part = data?.parts.find(({ name }) => name === `${kind}.pdf`);
  const words = texts.print.pages;
  return html`<${Dialog} title=${words[kind](run.number)} wide onClose=${onClose}>
    ${problem && html`<${Notice} problem=${problem} small onAgain=${again} />`} ${!data && !problem && html`<${Skeleton} rows=${1} />`}
    ${part?.problem && html`<p class="field-wrong" role="alert">${whyNot(part)}</p>`}
    ${part && !part.problem && html`<${Turned} base=${`${base}/${kind}`} part=${part} choices=${choices} />`}
  <//>`;
}

function Turned({ base, part, choices }) {
  const [page, setPage] = useState(1);
  const words = texts.print.pages;
  const count = part.pages;
  const turn = (to) => setPage(Math.min(count, Math.max(1, to)));
  const by = useRef();
  by.current = (step) => turn(page + step);
  useEffect(() => {
    const press = (event) => {
      if (!STEPS[event.key]) return;
      event.preventDefault();
      by.current(STEPS[event.key]);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const address = withChoices(`${base}/${page}.png`, choices, { width: WIDTH });
  return html`<div class="pages">
      <div class="pages-turn">
        <button type="button" class="secondary" disabled=${page === 1} onClick=${() => turn(page - 1)}><${Icon} name="back" /><span>${words.before}</span></button>
        <p role="status">${words.at(page, count)}</p>
        <button type="button" class="secondary" disabled=${page === count} onClick=${() => turn(page + 1)}><span>${words.after}</span><${Icon} name="next" /></button>
      </div>
      <${Preview} key=${address} address=${address} name=${words.at(page, count)} ratio=${part.width / part.height} zoom />
    </div>`;
}
