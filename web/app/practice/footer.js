import { html } from "htm/preact";
import { LanguageChoice } from "../shared/language-choice.js";
import { texts } from "../shared/texts.js";

export function Footer() {
  return html`<footer class="foot">
    <p>${texts.footer.privacy}</p>
    <p>${texts.footer.practice}</p>
    <${LanguageChoice} />
  </footer>`;
}
