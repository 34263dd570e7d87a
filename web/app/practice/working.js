import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { Photo } from "../shared/photo.js";

// The picture while it is sent and read, or, with words about that, while it waits to be sent again.
export function Working({ photo, share, waiting, onCancel }) {
  const percent = Math.round(share * 100);
  const sending = share < 1;
  const title = waiting ? texts.working.busy : sending ? texts.working.sending(percent) : texts.working.reading;
  return html`<section class="working">
    <${Photo} photo=${photo} width=${photo.sample?.width} height=${photo.sample?.height}>
      <div class=${sending ? "veil" : "veil veil-reading"}></div>
    <//>
    <div class="working-state">
      <h1 tabindex="-1" data-focus>${title}</h1>
      ${waiting && html`<p>${waiting}</p>`}
      <progress value=${sending && !waiting ? percent : undefined} max="100" aria-label=${texts.working.reading}></progress>
      <button type="button" class="plain" onClick=${onCancel}>${texts.working.cancel}</button>
    </div>
  </section>`;
}
