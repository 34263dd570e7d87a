import { html } from "htm/preact";
import { LANGUAGES, chooseLanguage, language, texts } from "./texts.js";

// The languages of the page, each by its own name.
export function LanguageChoice() {
  return html`<select class="language" aria-label=${texts.language} value=${language()} onChange=${(event) => chooseLanguage(event.currentTarget.value)}>
    ${Object.entries(LANGUAGES).map(([code, name]) => html`<option value=${code} lang=${code} selected=${code === language()}>${name}</option>`)}
  </select>`;
}
