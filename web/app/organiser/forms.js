import { html } from "htm/preact";
import { useCallback, useEffect, useId, useRef, useState } from "preact/hooks";
import { Dialog } from "../shared/dialog.js";
import { texts } from "../shared/i18n.js";
import { Notice } from "../shared/notices.js";

// Something that is sent to the server at a press of a button: { send, busy, problem }. `send` takes what makes the
// promise, and gives true if it went well; nothing is sent a second time while it is under way.
export function useSending() {
  const [state, setState] = useState({ busy: false, problem: null });
  const shown = useRef(true);
  const busy = useRef(false);
  useEffect(() => () => (shown.current = false), []);
  const send = useCallback(async (work) => {
    if (busy.current) return false;
    busy.current = true;
    setState({ busy: true, problem: null });
    let problem = null;
    try {
      await work();
    } catch (error) {
      problem = error;
    }
    busy.current = false;
    if (shown.current) setState({ busy: false, problem });
    return !problem;
  }, []);
  const forget = useCallback(() => setState({ busy: false, problem: null }), []);
  return { ...state, send, forget };
}

// What the desk's forms are made of.

// A field with its label, a hint, and what is wrong with it. `children` draws the input from { id, … }.
export function Field({ label, hint, wrong, unit, class: extra = "", children }) {
  const id = useId();
  const told = [wrong && `${id}-wrong`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return html`<div class=${`field ${extra}`}>
    <label for=${id}>${label}</label>
    <div class=${unit ? "field-unit" : ""}>
      ${children({ id, "aria-describedby": told || undefined, "aria-invalid": wrong ? "true" : undefined })}
      ${unit && html`<span>${unit}</span>`}
    </div>
    ${wrong && html`<p class="field-wrong" id=${`${id}-wrong`}>${wrong}</p>`}
    ${hint && html`<p class="field-hint" id=${`${id}-hint`}>${hint}</p>`}
  </div>`;
}

// A group of choices of which one counts: `options` are { value, title, text }.
export function Choices({ legend, name, value, options, onChange, disabled = false, hint }) {
  return html`<fieldset class="choices" disabled=${disabled}>
    <legend>${legend}</legend>
    ${hint && html`<p class="field-hint">${hint}</p>`}
    ${options.map(
      (option) => html`<label class="choice" key=${option.value}>
        <input type="radio" name=${name} value=${option.value} checked=${option.value === value} onChange=${() => onChange(option.value)} />
        <span><b>${option.title}</b>${option.text && html`<small>${option.text}</small>`}</span>
      </label>`,
    )}
  </fieldset>`;
}

// A box to tick, with a sentence that says more.
export function Tick({ label, text, ...rest }) {
  return html`<label class="tick">
    <input type="checkbox" ...${rest} />
    <span>${label}${text && html`<small>${text}</small>`}</span>
  </label>`;
}

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

// Move the focus to the first field of a form that is wrong, once it is marked.
export function focusWrong(form) {
  requestAnimationFrame(() => {
    const first = form.querySelector("[aria-invalid]");
    const folded = first?.closest("details");
    if (folded) folded.open = true;
    (first ?? form.querySelector(".field-wrong"))?.focus();
    (first ?? form.querySelector(".field-wrong"))?.scrollIntoView({ block: "center" });
  });
}
