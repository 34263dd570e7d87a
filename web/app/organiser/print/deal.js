import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog.js";
import { ask, freshKey } from "../../shared/http.js";
import { texts } from "../../shared/i18n.js";
import { Notice, say } from "../../shared/notices.js";
import { Choices, Field, Tick, focusWrong, useSending } from "../forms.js";
import { LABEL, Preview, SHEET } from "./preview.js";
import { papers, withChoices } from "./print-options.js";
import { Run, isAddress, isLocal, joinHint, usualAddress } from "./print-run.js";

const LONG = 180_000; // milliseconds; even hands may take a process of their own, on a machine that is busy
const MOST = 600;
const SPARE_SHARE = 0.05;

// Deals a print run. To the left what is wanted, to the right how it will come out. What others deal meanwhile changes
// nothing here: the server refuses it then, and says which envelopes there are.
export function Deal({ game, runs: newest, address, choices, onPaper, onDealt, onClose }) {
  const words = texts.print.dealing;
  const [runs] = useState(newest);
  const first = runs.length === 0;
  const [given, setGiven] = useState({
    envelopes: String(first ? game.players : 0),
    spare: String(first ? Math.max(1, Math.ceil(game.players * SPARE_SHARE)) : 1),
    even: false,
    apart: "25",
    join: runs[0]?.join ?? usualAddress(address),
  });
  const [asked, setAsked] = useState(false);
  const [done, setDone] = useState(null);
  const key = useRef(freshKey());
  const { send, busy, problem } = useSending();
  const wrong = mistakes(given, first);
  const set = (changes) => {
    key.current = freshKey();
    setGiven((before) => ({ ...before, ...changes }));
  };
  const submit = async (event) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(wrong).length) return focusWrong(event.currentTarget);
    await send(async () => {
      const body = {
        number: Math.max(0, ...runs.map(({ number }) => number)) + 1,
        envelopes: Number(given.envelopes),
        spare: Number(given.spare),
        ...(given.even && { even: Number(given.apart) }),
        ...(given.join.trim() && { join: given.join.trim() }),
      };
      try {
        setDone(await ask(`/api/v1/games/${game.id}/runs`, { method: "POST", body, key: key.current, patience: LONG }));
      } catch (error) {
        if (error.slug === "conflict") onDealt();
        throw error;
      }
      say(words.done);
      onDealt();
    });
  };
  const number = (name, label, hint, unit) => html`<${Field} label=${label} hint=${hint} unit=${unit} wrong=${asked && wrong[name]}>
    ${(more) => html`<input ...${more} name=${name} type="number" autofocus=${name === "envelopes"} inputmode="numeric" min="0" value=${given[name]} onInput=${(event) => set({ [name]: event.currentTarget.value })} />`}
  <//>`;
  if (done) return html`<${Dealt} game=${game} run=${done} address=${address} choices=${choices} onClose=${onClose} />`;
  const join = given.join.trim();
  const sample = `/api/v1/games/${game.id}/sample`;
  return html`<${Dialog} title=${first ? texts.print.deal : texts.print.dealMore} wide onClose=${onClose}>
    <form class="deal" onSubmit=${submit} novalidate>
      <div>
        <div class="field-row">
          ${number("envelopes", words.envelopes, first ? words.envelopesHint : words.moreHint)} ${number("spare", words.spare, words.spareHint)}
        </div>
        <${Tick} label=${words.even} text=${words.evenHint} checked=${given.even} onChange=${() => set({ even: !given.even })} />
        ${given.even && number("apart", words.apart, words.apartHint, words.points)}
        <${Field} label=${words.join} hint=${joinHint(join)} wrong=${asked && wrong.join}>
          ${(more) => html`<input ...${more} name="join" type="url" inputmode="url" spellcheck=${false} value=${given.join} onInput=${(event) => set({ join: event.currentTarget.value })} />`}
        <//>
        ${(isLocal(join) || (!join && isLocal(location.origin))) && html`<p class="next-stop" role="alert">${words.local}</p>`}
        <${Choices} legend=${texts.print.paper} name="deal-paper" value=${choices.paper} options=${papers()} onChange=${onPaper} />
        ${first && html`<p class="deal-final"><b>${words.final}</b></p>`}
        ${problem && html`<${Notice} problem=${problem} small />`}
        ${busy && html`<progress class="deal-under-way" aria-label=${words.busy}></progress>`}
        <div class="dialog-actions">
          <button type="button" class="secondary" onClick=${onClose}>${texts.cancel}</button>
          <button aria-busy=${busy ? "true" : undefined}>${busy ? words.busy : words.send(Number(given.envelopes) + Number(given.spare) || 0)}</button>
        </div>
      </div>
      <div class="deal-preview">
        <p class="field-hint">${words.sample}</p>
        <${Preview} address=${`${sample}/label.png?width=700${join && !wrong.join ? `&join=${encodeURIComponent(join)}` : ""}`} name=${words.sampleLabel} ratio=${LABEL} />
        <${Preview} address=${withChoices(`${sample}/sheet.png`, choices, { width: 700 })} name=${words.sampleSheet} ratio=${SHEET[choices.paper]} />
      </div>
    </form>
  <//>`;
}

// What has been dealt, with its files and its first pages.
function Dealt({ game, run, address, choices, onClose }) {
  const words = texts.print.dealing;
  const pages = `/api/v1/games/${game.id}/runs/${run.number}`;
  return html`<${Dialog} title=${words.done} wide onClose=${onClose}>
    <ol class="runs"><${Run} game=${game} run=${run} address=${address} choices=${choices} plain /></ol>
    <p>${words.scale}</p>
    <div class="dealt-pages">
      <${Preview} address=${withChoices(`${pages}/sheets/1.png`, choices, { width: 900 })} name=${words.firstSheet} ratio=${SHEET[choices.paper]} />
      <${Preview} address=${withChoices(`${pages}/labels/1.png`, choices, { width: 900 })} name=${words.firstLabels} ratio=${SHEET[choices.paper]} />
    </div>
    <div class="dialog-actions"><button type="button" onClick=${onClose}>${texts.close}</button></div>
  <//>`;
}

function mistakes(given, first) {
  const words = texts.print.dealing;
  const wrong = {};
  const whole = (text, least, most) => /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
  if (!whole(given.envelopes, first ? 1 : 0, MOST)) wrong.envelopes = texts.print.number(first ? 1 : 0, MOST);
  if (!whole(given.spare, 0, MOST)) wrong.spare = texts.print.number(0, MOST);
  const all = Number(given.envelopes) + Number(given.spare);
  if (!wrong.envelopes && !wrong.spare && (all < 1 || all > MOST)) wrong.spare = words.inAll(MOST);
  if (given.even && !whole(given.apart, 0, 100_000)) wrong.apart = texts.print.number(0, 100_000);
  const join = given.join.trim();
  if (join && !isAddress(join)) wrong.join = words.joinWrong;
  return wrong;
}
