import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Dialog } from "../shared/dialog.js";
import { Notice } from "../shared/notice.js";
import { texts } from "../shared/texts.js";
import { Field } from "./fields.js";
import { useSending } from "./sending.js";

// Asks once more before something that matters.
//   confirm    what the button says                     children  what will happen
//   reason     "needed" or "optional" asks why          typed     a text that has to be typed first
//   onConfirm  gets the reason and returns a promise; where it fails, the dialog stays and says why
export function Confirm({ title, confirm, danger = false, reason, typed, onConfirm, onClose, children }) {
  const [why, setWhy] = useState("");
  const [copy, setCopy] = useState("");
  const [asked, setAsked] = useState(false);
  const { send, busy, problem } = useSending();
  const words = texts.desk.confirm;
  const needsWhy = reason === "needed" && !why.trim();
  const needsCopy = typed !== undefined && copy.trim() !== typed;
  const submit = async (event) => {
    event.preventDefault();
    setAsked(true);
    if (needsWhy || needsCopy) return event.currentTarget.querySelector("[aria-invalid], input")?.focus();
    if (await send(() => onConfirm(why.trim()))) onClose();
  };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <form onSubmit=${submit} novalidate>
      ${children}
      ${typed !== undefined &&
      html`<${Field} label=${words.type(typed)} wrong=${asked && needsCopy && words.typeWrong(typed)}>
        ${(more) => html`<input ...${more} value=${copy} onInput=${(event) => setCopy(event.currentTarget.value)} autocomplete="off" />`}
      <//>`}
      ${reason &&
      html`<${Field} label=${reason === "needed" ? words.why : words.whyOptional} hint=${words.whyHint} wrong=${asked && needsWhy && words.whyMissing}>
        ${(more) => html`<input ...${more} value=${why} maxlength="500" onInput=${(event) => setWhy(event.currentTarget.value)} />`}
      <//>`}
      ${problem && html`<${Notice} problem=${problem} small />`}
      <div class="dialog-actions">
        <button type="button" class="secondary" onClick=${onClose}>${texts.cancel}</button>
        <button class=${danger ? "danger" : ""} aria-busy=${busy ? "true" : undefined}>${confirm}</button>
      </div>
    </form>
  <//>`;
}
