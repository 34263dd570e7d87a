import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { moment } from "../../shared/times.js";
import { Confirm } from "../confirm.js";

// All counts, the newest first. One is shown in full below; another than the newest can be published from here.
export function Versions({ game, versions, shown, onChoose, again }) {
  const [asking, setAsking] = useState(null);
  const words = texts.results.versions;
  const publish = async (reason) => {
    const body = { act: "publish", version: asking, reason };
    await ask(`/api/v1/games/${game.id}/acts`, { method: "POST", body }).finally(() => void again());
    say(texts.results.count.publish.done(asking));
  };
  const allowed = game.allowed.includes("publish");
  return html`<section class="panel" aria-labelledby="versions-title">
    <h2 id="versions-title">${words.title}</h2>
    <ol class="versions">
      ${versions.map(
        (one) => html`<li key=${one.version} class=${one.version === shown ? "version-shown" : ""}>
          <button type="button" class="version" aria-pressed=${one.version === shown ? "true" : "false"} onClick=${() => onChoose(one.version)}>
            <b>${words.version(one.version)}</b>
            <span>${words.made(moment(one.at, game.timezone), one.who, one.hands)}</span>
            ${one.reason && html`<q>${one.reason}</q>`}
            ${one.override && html`<span class="version-override">${words.override}: <q>${one.override}</q></span>`}
          </button>
          ${one.published
            ? html`<mark class="version-published">${words.published}</mark>`
            : allowed && one.version !== versions[0].version && html`<button type="button" class="plain" onClick=${() => setAsking(one.version)}>${words.publish}<span class="unseen">${words.version(one.version)}</span></button>`}
        </li>`,
      )}
    </ol>
    ${asking &&
    html`<${Confirm} title=${texts.results.count.publish.ask(asking)} confirm=${texts.results.count.publish.button(asking)} reason="optional" onConfirm=${publish} onClose=${() => setAsking(null)}>
      <p>${words.older}</p>
    <//>`}
  </section>`;
}
