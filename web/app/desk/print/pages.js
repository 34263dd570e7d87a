import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog.js";
import { Icon } from "../../shared/icon.js";
import { texts } from "../../shared/texts.js";
import { Preview, SHEET } from "./preview.js";

const PER_PAGE = { sheets: 9, labels: 8 };
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const WIDTH = 1200; // pixels; codes on it can be read

// The pages of a run's sheets or labels, one after the other.
export function Pages({ game, run, kind, paper, onClose }) {
  const [page, setPage] = useState(1);
  const words = texts.print.pages;
  const count = Math.ceil((kind === "sheets" ? run.cards : run.envelopes) / PER_PAGE[kind]);
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
  const address = `/api/v1/games/${game.id}/runs/${run.number}/${kind}/${page}.png?width=${WIDTH}&paper=${paper}`;
  return html`<${Dialog} title=${words[kind](run.number)} wide onClose=${onClose}>
    <div class="pages">
      <div class="pages-turn">
        <button type="button" class="secondary" disabled=${page === 1} onClick=${() => turn(page - 1)}><${Icon} name="back" /><span>${words.before}</span></button>
        <p role="status">${words.at(page, count)}</p>
        <button type="button" class="secondary" disabled=${page === count} onClick=${() => turn(page + 1)}><span>${words.after}</span><${Icon} name="next" /></button>
      </div>
      <${Preview} key=${address} address=${address} name=${words.at(page, count)} ratio=${SHEET[paper]} zoom />
    </div>
  <//>`;
}
