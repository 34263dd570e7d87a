import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { Icon } from "../../shared/icon.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { View } from "../../shared/view.js";
import { texts } from "../../shared/texts.js";
import { Field } from "../fields.js";
import { useDeskKeys, useHelp } from "../keys.js";
import { useSteady } from "../steady.js";
import { BeingMade } from "./being-made.js";
import { Deal } from "./deal.js";
import { Pages } from "./pages.js";
import { changed, keepChoices, keptChoices, withChoices } from "./choices.js";
import { Download } from "./download.js";
import { ForAll } from "./for-all.js";
import { Replace } from "./replace.js";
import { Run } from "./run.js";
import { runOf } from "./runs.js";
import { SetUp, inWords } from "./setup.js";

// Print runs: what has been dealt and printed, and how there comes to be more.
export default function Print({ game, again }) {
  const load = (signal) => ask(`/api/v1/games/${game.id}/runs`, { signal });
  const { data, problem, again: fetchRuns } = useSteady(load, game.id, ["envelopes", "game"]);
  const [open, setOpen] = useState(null); // which dialog: { what, run, kind }
  const [choices, setChoices] = useState(keptChoices(game.id));
  const words = texts.print;
  const may = game.allowed.includes("print");
  const deal = () => may && data && setOpen({ what: "deal" });
  useDeskKeys({ n: deal });
  useHelp(texts.desk.tabs.print, [["n", words.deal]]);
  const choose = (value) => {
    keepChoices(game.id, value);
    setChoices(value);
  };
  const dealt = () => {
    fetchRuns();
    again();
  };
  if (!data) return problem ? html`<${Notice} problem=${problem} onAgain=${fetchRuns} />` : html`<${Skeleton} />`;
  const { runs } = data;
  return html`<${View} name="print" title=${texts.desk.tabs.print} lead=${runs.length ? words.lead : words.leadFirst}>
    <div class="row-actions print-actions">
      <button type="button" class="action" disabled=${!may} onClick=${deal}><${Icon} name="print" />${runs.length ? words.dealMore : words.deal}</button>
      ${runs.length > 0 && may && html`<button type="button" class="action secondary" onClick=${() => setOpen({ what: "replace" })}><${Icon} name="again" />${words.replace.open}</button>`}
    </div>
    ${!may && html`<p class="field-hint">${words.notNow}</p>`}
    <section class="panel print-setup" aria-label=${words.setup.title}>
      <p><b>${words.setup.title}</b> <span>${inWords(choices)}</span></p>
      <button type="button" class="secondary" onClick=${() => setOpen({ what: "setup" })}><${Icon} name="gear" /> ${words.setup.open}</button>
    </section>
    <${BeingMade} game=${game} />
    ${runs.length > 0 &&
    html`<ol class="runs">
        ${runs.map(
          (run) => html`<${Run} key=${run.number} game=${game} run=${run} address=${data.address} choices=${choices} onPages=${(kind) => setOpen({ what: "pages", run, kind })} />`,
        )}
      </ol>
      <${OneLabel} game=${game} runs=${runs} choices=${choices} />`}
    <${ForAll} game=${game} choices=${choices} />
    ${open?.what === "deal" && html`<${Deal} game=${game} runs=${runs} address=${data.address} choices=${choices} onPaper=${(paper) => choose(changed(choices, { paper }))} onDealt=${dealt} onClose=${() => setOpen(null)} />`}
    ${open?.what === "replace" && html`<${Replace} game=${game} runs=${runs} onDone=${dealt} onClose=${() => setOpen(null)} />`}
    ${open?.what === "pages" && html`<${Pages} game=${game} run=${open.run} kind=${open.kind} choices=${choices} onClose=${() => setOpen(null)} />`}
    ${open?.what === "setup" && html`<${SetUp} game=${game} run=${runs.find(({ envelopes }) => envelopes > 0)} choices=${choices} onDone=${choose} onClose=${() => setOpen(null)} />`}
  <//>`;
}

// A label alone, for one that was lost or whose link was renewed.
function OneLabel({ game, runs, choices }) {
  const [number, setNumber] = useState("");
  const words = texts.print.label;
  const run = runOf(runs, Number(number));
  const address = run && withChoices(`/api/v1/games/${game.id}/runs/${run.number}/labels.pdf`, choices, { envelope: Number(number) });
  const fetchIt = (event) => {
    event.preventDefault();
    if (address) event.currentTarget.querySelector("a").click();
  };
  return html`<form class="panel one-label" onSubmit=${fetchIt}>
    <h2>${words.title}</h2>
    <p>${words.text}</p>
    <${Field} label=${words.number} wrong=${number && !run && words.none}>
      ${(more) => html`<input ...${more} type="number" min="1" inputmode="numeric" value=${number} onInput=${(event) => setNumber(event.currentTarget.value)} />`}
    <//>
    <div class="row-actions">
      ${run
        ? html`<${Download} kind="secondary" address=${address} title=${words.get(Number(number))} />`
        : html`<button class="secondary" disabled><${Icon} name="download" /> ${words.get("…")}</button>`}
    </div>
  </form>`;
}
