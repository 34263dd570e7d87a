import { html } from "htm/preact";
import { texts } from "../texts.js";
import { Photo } from "./photo.js";

// The picture while it is sent and read.
export function Working({ photo, share, onCancel }) {
  const percent = Math.round(share * 100);
  const sending = share < 1;
  return html`<section class="working">
    <${Photo} photo=${photo} width=${photo.sample?.width} height=${photo.sample?.height}>
      <div class=${sending ? "veil" : "veil veil-reading"}></div>
    <//>
    <div class="working-state">
      <h1 tabindex="-1" data-focus>${sending ? texts.working.sending(percent) : texts.working.reading}</h1>
      <progress value=${sending ? percent : undefined} max="100" aria-label=${texts.working.reading}></progress>
      <button type="button" class="plain" onClick=${onCancel}>${texts.working.cancel}</button>
    </div>
  </section>`;
}
