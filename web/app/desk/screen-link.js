import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../shared/icon.js";
import { say } from "../shared/said.js";
import { texts } from "../shared/texts.js";

// Opens the big screen or copies its link. `open` are words for opening it, children are more buttons of the row.
export function ScreenLink({ game, open, quiet, children }) {
  const words = texts.desk.screenLink;
  const address = `${location.origin}/screen#${game.projector}`;
  const [byHand, setByHand] = useState(false);
  const field = useRef(null);
  useEffect(() => field.current?.focus(), [byHand]);
  const show = () => {
    setByHand(true);
    field.current?.focus();
    say(words.notCopied);
  };
  // Over plain http browsers let no page copy anything.
  const copy = () => navigator.clipboard?.writeText(address).then(() => say(words.copied), show) ?? show();
  return html`<div class="row-actions">
      <a class=${quiet ? "as-button secondary" : "as-button"} href=${address} target="_blank" rel="noopener"><${Icon} name="screen" /> ${open ?? words.open}</a>
      <button type="button" class="secondary" onClick=${copy}><${Icon} name="link" /> ${words.copy}</button>
      ${children}
    </div>
    ${byHand && html`<input ref=${field} type="text" readonly value=${address} aria-label=${words.address} onFocus=${(event) => event.currentTarget.select()} />`}`;
}
