import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";

// The picture that was sent, with whatever is drawn over it. Where the browser cannot show the picture, a blank sheet
// of its shape takes its place, with the words `blank`.
export function Photo({ photo, width, height, label, blank, children }) {
  const [hidden, setHidden] = useState(false);
  const shape = width && height ? { aspectRatio: `${width} / ${height}`, "--shape": width / height } : {};
  return html`<figure class=${`photo ${hidden ? "photo-blank" : ""}`} style=${shape}>
    ${hidden
      ? html`<figcaption>${blank ?? texts.working.noPreview}</figcaption>`
      : html`<img src=${photo.url} alt=${label ?? texts.working.picture} width=${width} height=${height} onError=${() => setHidden(true)} />`}
    ${children}
  </figure>`;
}
