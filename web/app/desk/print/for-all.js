import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Icon } from "../../shared/icon.js";
import { LANGUAGES, texts } from "../../shared/texts.js";
import { Field } from "../fields.js";
import { withChoices } from "./choices.js";

// What needs no cards: the rules of play for everybody, and the page that measures a printer.
export function ForAll({ game, choices }) {
  const [language, setLanguage] = useState(game.language);
  const words = texts.print.forAll;
  const file = (name, more) => withChoices(`/api/v1/games/${game.id}/${name}`, choices, more);
  return html`<section class="panel for-all">
    <h2>${words.title}</h2>
    <p>${words.text}</p>
    <${Field} label=${words.language}>
      ${(more) => html`<select ...${more} onChange=${(event) => setLanguage(event.currentTarget.value)}>
        ${game.languages.map((code) => html`<option value=${code} lang=${code} selected=${code === language}>${LANGUAGES[code] ?? code}</option>`)}
      </select>`}
    <//>
    <div class="row-actions">
      <a class="as-button secondary" href=${file("handout.pdf", { language })} download><${Icon} name="download" /> ${words.handout}</a>
      <a class="as-button secondary" href=${file("calibration.pdf")} download><${Icon} name="download" /> ${words.calibration}</a>
    </div>
  </section>`;
}
