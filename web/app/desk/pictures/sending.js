import { html } from "htm/preact";
import { useEffect, useMemo, useReducer } from "preact/hooks";
import { Icon } from "../../shared/icon.js";
import { texts } from "../../shared/texts.js";
import { Quarters } from "../quarters.js";

// How far the pictures of this sitting are sent: all together, and each. It is drawn anew whenever the sender has something to
// tell, many times a second; the rest of the page is not.
export function Sending({ sender }) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => sender.subscribe(draw), [sender]);
  const shown = sender.items.filter(({ old }) => !old);
  const asleep = sender.items.filter(({ state }) => state === "asleep");
  if (!shown.length && !asleep.length) return null;
  const count = (state) => shown.filter((item) => item.state === state).length;
  const sent = count("sent");
  const refused = shown.filter(({ state }) => state === "refused");
  const share = shown.reduce((sum, item) => sum + (item.state === "sent" ? 1 : item.progress), 0) / Math.max(1, shown.length);
  const over = !sender.busy;
  const words = texts.pictures.sending;
  const title = over ? words.done(sent) : words.title(sent, shown.length);
  return html`<section class="panel sending" aria-labelledby="sending-title">
    ${shown.length > 0 &&
    html`<div class="sending-head">
        <h2 id="sending-title">${title}</h2>
        ${!over && (sender.paused ? html`<button type="button" onClick=${() => sender.goOn()}>${words.goOn}</button>` : html`<button type="button" class="secondary" onClick=${() => sender.stop()}>${words.pause}</button>`)}
        ${over && !refused.length && html`<button type="button" class="secondary" onClick=${() => sender.clear()}>${words.clear}</button>`}
      </div>
      <progress aria-labelledby="sending-title" max="1" value=${share}></progress>
      <${Quarters} done=${sent} all=${shown.length} over=${over} words=${title} />`}
    ${sender.trouble && html`<${Trouble} sender=${sender} />`}
    ${refused.length > 0 &&
    html`<div class="refused">
      <h3>${words.refused(refused.length)}</h3>
      <ul>
        ${refused.map(
          (item) => html`<li key=${item.id}>
            <p><strong>${item.path}</strong> ${item.problem.title}. ${item.problem.detail}</p>
            <button type="button" class="secondary" onClick=${() => sender.retry(item)}>${texts.again}<span class="unseen">${item.path}</span></button>
            <button type="button" class="secondary" onClick=${() => sender.drop([item])}>${words.leaveOut}<span class="unseen">${item.path}</span></button>
          </li>`,
        )}
      </ul>
    </div>`}
    ${asleep.length > 0 && html`<${Asleep} sender=${sender} items=${asleep} titled=${!shown.length} />`}
    ${shown.length > 0 &&
    html`<details class="each">
      <summary>${words.each}</summary>
      <ol class="each-list" tabindex="0" aria-label=${words.each}>
        ${shown.map((item) => html`<${Row} key=${item.id} path=${item.path} state=${item.twin ? "twin" : item.state} progress=${Math.round(item.progress * 100)} />`)}
      </ol>
    </details>`}
  </section>`;
}

// One file. Hundreds of them are drawn whenever one moves on, so each keeps its drawing while nothing about it changes.
function Row({ path, state, progress }) {
  return useMemo(
    () => html`<li data-state=${state}>
      <span class="each-name">${path}</span>
      <span class="each-state">${texts.pictures.sending.states[state]}${state === "sending" ? ` ${progress} %` : ""}</span>
    </li>`,
    [path, state, progress],
  );
}

function Trouble({ sender }) {
  const { trouble } = sender;
  const words = texts.pictures.sending;
  return html`<div class="notice notice-small" role="status">
    <strong>${trouble.title}</strong>
    <p>${sender.paused ? trouble.detail : words.byItself}</p>
    ${!sender.paused && html`<button type="button" class="secondary" onClick=${() => sender.goOn()}><${Icon} name="again" />${words.now}</button>`}
  </div>`;
}

// Files that were to be sent when the page was loaded anew.
function Asleep({ sender, items, titled }) {
  const words = texts.pictures.sending;
  const held = items.some(({ handle }) => handle);
  return html`<div class="asleep">
    <h3 id=${titled ? "sending-title" : undefined}>${words.asleep(items.length)}</h3>
    <p>${held ? words.wakeLead : words.dropAgain}</p>
    <div class="sending-ends">
      ${held && html`<button type="button" onClick=${() => sender.wake()}>${words.wake}</button>`}
      <button type="button" class="secondary" onClick=${() => sender.drop(items)}>${words.forget}</button>
    </div>
    <details>
      <summary>${words.which}</summary>
      <ul class="each-list" tabindex="0" aria-label=${words.which}>${items.map((item) => html`<li key=${item.id}>${item.path}</li>`)}</ul>
    </details>
  </div>`;
}
