import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { texts } from "../../shared/texts.js";
import { Confirm } from "../confirm.js";
import { change } from "./changes.js";

// Opens or seals all chosen envelopes, one after the other, and says which would not.
export function Bulk({ game, chosen, onChanged, onDone }) {
  const [asking, setAsking] = useState("");
  const [state, setState] = useState({ done: 0, of: 0, failed: [] });
  const words = texts.envelopes.bulk;
  const can = { open: game.allowed.includes("open_envelope"), seal: game.allowed.includes("seal_envelope") };
  async function all(what, reason) {
    const failed = [];
    for (const [done, envelope] of chosen.entries()) {
      setState({ done, of: chosen.length, failed });
      try {
        onChanged(await change(game, envelope.number, { open: what === "open", reason }));
      } catch (problem) {
        failed.push({ number: envelope.number, problem });
      }
    }
    setState({ done: chosen.length, of: 0, failed });
    onDone();
  }
  if (!chosen.length && !state.failed.length && !asking) return null;
  return html`<div class="bulk" role="region" aria-label=${words.title}>
    ${chosen.length > 0 &&
    html`<b>${words.chosen(chosen.length)}</b>
      <div class="row-actions">
        ${["open", "seal"].map((what) => html`<button type="button" class="secondary" disabled=${!can[what]} onClick=${() => setAsking(what)}>${words[what]}</button>`)}
        <button type="button" class="plain" onClick=${onDone}>${words.none}</button>
      </div>`}
    ${state.failed.length > 0 &&
    html`<div role="alert">
      <b>${words.failed(state.failed.length)}</b>
      <ul>${state.failed.map(({ number, problem }) => html`<li>${texts.envelope(number)}: ${problem.title}. ${problem.detail}</li>`)}</ul>
      <button type="button" class="plain" onClick=${() => setState({ done: 0, of: 0, failed: [] })}>${texts.close}</button>
    </div>`}
    ${asking &&
    html`<${Confirm} title=${words.ask[asking](chosen.length)} confirm=${words[asking]} reason="optional" onConfirm=${(reason) => all(asking, reason)} onClose=${() => setAsking("")}>
      <p>${words.numbers(chosen.map(({ number }) => number))}</p>
      <p>${words.text[asking]}</p>
      ${state.of > 0 && html`<progress value=${state.done} max=${state.of} aria-label=${words[asking]}></progress>`}
    <//>`}
  </div>`;
}
