import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Dialog } from "../shared/dialog.js";
import { LanguageChoice, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { go } from "../shared/router.js";
import { forget, use } from "./envelopes.js";
import { outbox } from "./offline/offline-queue.js";
import { forgetAsked } from "./requested-scores.js";

// What is seldom needed: another of this phone's games, the language, taking the envelope off this phone.
export function Menu({ seat, others, onClose }) {
  const [sure, setSure] = useState(false);
  const change = (id) => {
    onClose();
    use(id);
    go("/");
  };
  const takeOff = async () => {
    onClose();
    await leave(seat);
    go("/");
  };
  return html`<${Dialog} title=${texts.menu.title} onClose=${onClose}>
    ${others.length > 0 &&
    html`<section class="menu-part">
      <h3>${texts.menu.games}</h3>
      <ul class="games">
        ${[seat, ...others].map(
          (one) => html`<li key=${one.id}>
            <button type="button" class="game-choice" aria-current=${one === seat ? "true" : undefined} onClick=${() => change(one.id)}>
              <span><strong>${one.name ?? texts.menu.game(one.game)}</strong> <small>${texts.envelope(one.envelope)}</small></span>
              ${one === seat && html`<span class="game-active"><${Icon} name="check" />${texts.menu.active}</span>`}
            </button>
          </li>`,
        )}
      </ul>
    </section>`}
    <section class="menu-part menu-row">
      <h3>${texts.language}</h3>
      <${LanguageChoice} />
    </section>
    ${seat &&
    html`<section class="menu-part">
      ${sure
        ? html`<p>${texts.menu.leaveSure}</p>
            ${outbox.items(seat.token).length > 0 && html`<p><strong>${texts.menu.leaveWaiting}</strong></p>`}
            <div class="pair">
              <button type="button" class="secondary" onClick=${() => setSure(false)}>${texts.cancel}</button>
              <button type="button" onClick=${takeOff}>${texts.menu.leaveYes}</button>
            </div>`
        : html`<button type="button" class="plain" onClick=${() => setSure(true)}>${texts.menu.leave}</button>`}
    </section>`}
    <p class="menu-part"><a href="/desk">${texts.menu.desk}</a></p>
  <//>`;
}

// Takes an envelope off this phone, with all that lies here of its player. Nothing of it changes on the server.

export async function leave(seat) {
  const forgetPlayer = () => outbox.forget(seat.token).catch(() => {}); // where the browser keeps nothing
  await forgetPlayer();
  forget(seat.id);
  forgetAsked();
  await globalThis.caches?.delete("haggle-shared").catch(() => {});
  // What the page was still asking the server has come to its end by now.
  await forgetPlayer();
}
