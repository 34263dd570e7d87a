import { html } from "htm/preact";
import { Photo } from "../../shared/photo.js";
import { texts } from "../../shared/texts.js";
import { useImage } from "../../shared/use-image.js";
import { outbox } from "../outbox/outbox.js";
import { fileOf } from "./own-pictures.js";
import { Remove } from "./picture.js";

// A picture on its way to the server.
export function Upload({ number, item }) {
  const words = texts.picture;
  const { preview, hidden } = useImage({ file: fileOf(item) });
  const percent = Math.round(item.progress * 100);
  const waits = item.state === "waiting";
  return html`<article class="picture" aria-label=${words.name(number)}>
    <div class="picture-frame picture-busy">
      ${preview || hidden
        ? html`<${Photo} photo=${{ url: preview }} label=${words.name(number)} />`
        : html`<div class="picture-empty skeleton"></div>`}
    </div>
    ${item.state !== "refused" &&
    html`<div class="picture-words">
        <p class="picture-state">${waits ? texts.outbox.waiting : words.sending(percent)}</p>
        <${Remove} number=${number} remove=${() => outbox.drop(item.id)} onChange=${() => {}} />
      </div>
      <progress class="picture-progress" max="100" value=${waits ? 0 : percent} aria-label=${words.progress}></progress>`}
    ${item.slow && html`<p class="picture-note" role="status">${texts.outbox.slow}</p>`}
    ${item.unkept && html`<p class="picture-note">${texts.outbox.unkept}</p>`}
  </article>`;
}
