import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { LANGUAGES, texts } from "../../shared/texts.js";
import { Field } from "../fields.js";
import { withChoices } from "./choices.js";
import { Download } from "./download.js";

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
      <${Download} kind="secondary" address=${file("handout.pdf", { language })} title=${words.handout} />
      <${Download} kind="secondary" address=${file("calibration.pdf")} title=${words.calibration} />
    </div>
  </section>`;
}
