import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Symbol } from "../shared/symbol.js";
import { View } from "../shared/view.js";
import { texts } from "../shared/texts.js";
import { openedWrongly } from "./links.js";
import { take, tokenIn } from "./seats.js";

// For phones that hold no envelope yet: what this is, and how to get in.
export function NoEnvelope() {
  const words = texts.noEnvelope;
  return html`<${View} title=${words.title} name="no-envelope" lead=${words.lead}>
    ${openedWrongly() && html`<div class="notice" role="alert"><h2>${words.wrongTitle}</h2><p>${words.wrong}</p></div>`}
    <div class="scan-me">
      <p class="scan-me-drawing" aria-hidden="true">${["heart", "drop", "clover", "sun", "star", "flower"].map((name) => html`<${Symbol} name=${name} class=${`fan-${name}`} />`)}</p>
      <div>
        <h2>${words.how}</h2>
        <p>${words.scan}</p>
      </div>
    </div>
    <${PasteLink} />
    <p class="aside">${words.organiser} <a href="/desk">${words.desk}</a></p>
  <//>`;
}

// A field for a link that came another way than through the camera.
export function PasteLink() {
  const [wrong, setWrong] = useState(false);
  const words = texts.noEnvelope;
  const open = (event) => {
    event.preventDefault();
    const token = tokenIn(new FormData(event.currentTarget).get("link"));
    setWrong(!token);
    if (token) take(token);
  };
  return html`<form class="paste" onSubmit=${open}>
    <label for="link">${words.paste}</label>
    <div class="field-row">
      <input id="link" name="link" type="text" inputmode="url" autocomplete="off" spellcheck=${false} required aria-invalid=${wrong || undefined} aria-describedby=${wrong ? "link-wrong" : undefined} placeholder="https://…/j#…" />
      <button type="submit">${words.open}</button>
    </div>
    ${wrong && html`<p id="link-wrong" class="field-problem" role="alert">${words.pasteWrong}</p>`}
  </form>`;
}
