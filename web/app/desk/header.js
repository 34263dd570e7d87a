import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../shared/ask.js";
import { Icon } from "../shared/icon.js";
import { LanguageChoice } from "../shared/language-choice.js";
import { Link, go } from "../shared/router.js";
import { say } from "../shared/said.js";
import { Suits } from "../shared/masthead.js";
import { texts } from "../shared/texts.js";
import { ChangePassword } from "./change-password.js";
import { Menu } from "./menu.js";

// Above everything: where one is, and who.
export function Header({ organiser, onOut }) {
  const [changing, setChanging] = useState(false);
  const words = texts.desk.account;
  const signOut = () =>
    ask("/api/v1/session", { method: "DELETE" }).then(
      () => {
        go("/desk");
        onOut();
      },
      (problem) => say(problem.detail),
    );
  return html`<header class="masthead">
    <div class="masthead-inner">
      <${Link} class="brand" href="/desk">
        <span class="brand-name">${texts.brand}</span>
        <span class="brand-edition">${texts.desk.title}</span>
      <//>
      <${Suits} />
      ${organiser
        ? html`<${Menu} label=${organiser} name=${words.menu(organiser)} end>
            <p class="menu-note">${words.note}</p>
            <button type="button" onClick=${() => dispatchEvent(new Event("haggle-help"))}><${Icon} name="question" />${words.keys}</button>
            <button type="button" onClick=${() => setChanging(true)}><${Icon} name="gear" />${words.password}</button>
            <button type="button" onClick=${signOut}><${Icon} name="back" />${words.out}</button>
            <${LanguageChoice} />
          <//>`
        : html`<${LanguageChoice} />`}
    </div>
    ${changing && html`<${ChangePassword} onClose=${() => setChanging(false)} />`}
  </header>`;
}
