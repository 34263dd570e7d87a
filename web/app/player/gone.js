import { html } from "htm/preact";
import { Notice } from "../shared/notice.js";
import { View } from "../shared/view.js";
import { texts } from "../shared/texts.js";
import { leave } from "./leave.js";
import { PasteLink } from "./no-envelope.js";
import { use } from "./seats.js";
import { useOutbox } from "./use-outbox.js";

// The link of this envelope opens nothing any more. The phone's other games stay.
export function Gone({ seat, others, problem }) {
  const words = texts.gone;
  const waiting = useOutbox(seat.token).length > 0;
  return html`<${View} title=${words.title(seat.envelope)} name="gone">
    <${Notice} problem=${problem} />
    <p>${words.todo}</p>
    ${waiting && html`<p><strong>${texts.outbox.newLabel}</strong></p>`}
    <${PasteLink} />
    <div class="stack">
      ${others.map(
        (one) => html`<button key=${one.id} type="button" class="secondary" onClick=${() => use(one.id)}>${words.other(one.name ?? one.game, one.envelope)}</button>`,
      )}
      <button type="button" class="plain" onClick=${() => leave(seat)}>${texts.menu.leave}</button>
    </div>
  <//>`;
}
