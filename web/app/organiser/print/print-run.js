import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { moment, points, texts } from "../../shared/i18n.js";
import { Icon } from "../../shared/icon.js";
import { Field } from "../forms.js";
import { Download } from "./preview.js";
import { Made } from "./print-jobs.js";
import { wanted, withChoices } from "./print-options.js";

const LONG = 400; // cards; the sheets of more are made beside the server, with progress

// One print run with its files; `plain` where its pages are shown anyway.
export function Run({ game, run, address, choices, plain = false, onPages }) {
  const [given, setGiven] = useState(usualAddress(address));
  const words = texts.print.run;
  const base = `/api/v1/games/${game.id}/runs/${run.number}`;
  const file = (name) => withChoices(`${base}/${name}`, choices);
  const made = (name, title, more) => html`<${Made} game=${game} run=${run} body=${{ ...wanted(choices), name }} title=${title} about=${about} ...${more} />`;
  const link = (name, title, more) => html`<${Download} address=${file(name)} title=${title} about=${about} ...${more} />`;
  const last = run.first + run.envelopes - 1;
  const replaces = run.envelopes === 0;
  const title = replaces ? words.replaced(run.cards) : words.envelopes(run.first, last);
  const about = `${title}, ${words.number(run.number)}`;
  const join = given.trim();
  const linked = !replaces && !run.join && isAddress(join) ? { join } : {};
  const single = replaces ? {} : { kind: "secondary" };
  return html`<li class="run">
    <h2>${title}</h2>
    <p class="run-facts">
      ${words.number(run.number)} · ${words.cards(run.cards)}${run.spare > 0 && ` · ${words.spare(run.spare, last - run.spare + 1, last)}`} · ${moment(run.created, game.timezone)}
    </p>
    ${run.spread !== null && html`<p class=${run.reached ? "run-even" : "run-even run-uneven"}>${words.spread(points(run.spread), run.even, run.reached)}</p>`}
    ${!replaces && html`<p class="run-join">${run.join ? html`${words.join} <code>${run.join}</code>` : words.noJoin}</p>`}
    ${!replaces && !run.join && html`<${WithJoin} about=${about} base=${base} choices=${choices} given=${given} onGiven=${setGiven} />`}
    <div class="row-actions">
      ${!replaces && made("all.zip", words.all, { body: { ...wanted(choices), ...linked, name: "all.zip" } })}
    </div>
    ${!replaces && html`<p class="field-hint run-all">${words.allHint}</p>`}
    <div class="row-actions">
      ${run.cards > LONG ? made("sheets.pdf", words.sheets, { plain: !replaces }) : link("sheets.pdf", words.sheets, single)}
      ${!replaces && link("labels.pdf", words.labels, single)} ${choices.stick && link("stickers.pdf", words.stickers, single)}
      ${!plain && html`<button type="button" class="secondary" onClick=${() => onPages("sheets")}><${Icon} name="zoom" /> ${words.showSheets}<span class="unseen">${about}</span></button>`}
      ${!plain && !replaces && html`<button type="button" class="secondary" onClick=${() => onPages("labels")}><${Icon} name="zoom" /> ${words.showLabels}<span class="unseen">${about}</span></button>`}
    </div>
    <details class="setup-more">
      <summary>${words.more}<span class="unseen">${about}</span></summary>
      <div class="row-actions">
        ${!replaces && link("packing.pdf", words.packing, { kind: "secondary" })}
        ${link("cards.csv", words.list, { kind: "secondary", icon: "list" })}
        ${made("cards.zip", words.service, { body: { ...wanted(choices), name: "cards.zip", form: "png" }, plain: true })}
        ${made("cards.zip", words.servicePdf, { body: { ...wanted(choices), name: "cards.zip", form: "pdf" }, plain: true })}
        <p class="field-hint">${words.serviceHint}</p>
      </div>
    </details>
  </li>`;
}

// The way on where cards were dealt without an address: the same labels, with one.
function WithJoin({ about, base, choices, given, onGiven }) {
  const words = texts.print;
  const join = given.trim();
  return html`<div class="run-address">
    <${Field} label=${words.dealing.join} hint=${join ? joinHint(join) : undefined} wrong=${isLocal(join) && words.dealing.local}>
      ${(more) => html`<input ...${more} type="url" inputmode="url" spellcheck=${false} value=${given} onInput=${(event) => onGiven(event.currentTarget.value)} />`}
    <//>
    <div class="row-actions">
      ${isAddress(join)
        ? html`<${Download} kind="secondary" address=${withChoices(`${base}/labels.pdf`, choices, { join })} title=${words.run.withJoin} about=${about} />`
        : html`<button type="button" class="secondary" disabled><${Icon} name="download" /> ${words.run.withJoin}</button>`}
    </div>
  </div>`;
}

// The address that phones open by the code on a label.

const LONGEST = 100; // a longer one makes the code too fine

export function joinHint(join) {
  const words = texts.print.dealing;
  if (!join) return words.joinNone;
  if (!/^https?:\/\//.test(join)) return words.joinWrong;
  return join.startsWith("http:") ? words.joinPlain : words.joinHint;
}

export const isAddress = (text) => text.length <= LONGEST && /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/.test(text);
export const isLocal = (text) => /^https?:\/\/(localhost|127\.|\[::1\]|[^/]*\.localhost\b)/.test(text);

// What is filled in where no print run has one: none that only this computer opens.
export const usualAddress = (address) => address ?? (isLocal(location.origin) ? "" : location.origin);
