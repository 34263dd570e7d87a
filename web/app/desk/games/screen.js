import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Icon } from "../../shared/icon.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";

// The link of the big screen. Whoever has it sees the countdown, and the results once they are published.
export function Screen({ game }) {
  const words = texts.games.screen;
  const address = `${location.origin}/screen#${game.projector}`;
  const [byHand, setByHand] = useState(false);
  const show = () => {
    setByHand(true);
    say(words.notCopied);
  };
  // Over plain http browsers let no page copy anything.
  const copy = () => navigator.clipboard?.writeText(address).then(() => say(words.copied), show) ?? show();
  return html`<section class="panel" aria-labelledby="screen-title">
    <h2 id="screen-title">${words.title}</h2>
    <p>${words.text}</p>
    <div class="row-actions">
      <a class="as-button secondary" href=${address} target="_blank" rel="noopener"><${Icon} name="screen" /> ${words.open}</a>
      <button type="button" class="secondary" onClick=${copy}><${Icon} name="link" /> ${words.copy}</button>
    </div>
    ${byHand && html`<input type="text" readonly value=${address} aria-label=${words.address} onFocus=${(event) => event.currentTarget.select()} />`}
  </section>`;
}
