// What the desk's forms are made of.

import { html } from "htm/preact";
import { useId } from "preact/hooks";

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
