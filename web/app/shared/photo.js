import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { texts } from "./texts.js";

// The picture that was sent, with whatever is drawn over it. Where the browser cannot show the picture, or has none, a blank
// sheet of its shape takes its place, with the words `blank` below it.
export function Photo({ photo, width, height, label, blank, children }) {
  const [broken, setBroken] = useState(null);
  const hidden = !photo.url || photo.url === broken;
  const shape = width && height ? { aspectRatio: `${width} / ${height}`, "--shape": width / height } : {};
  const name = label ?? texts.photo.name;
  return html`
    <figure class=${`photo ${hidden ? "photo-blank" : ""}`} style=${shape} role=${hidden ? "img" : undefined} aria-label=${hidden ? name : undefined}>
      ${!hidden && html`<img src=${photo.url} alt=${name} width=${width} height=${height} onError=${() => setBroken(photo.url)} />`}
      ${children}
    </figure>
    ${hidden && html`<p class="photo-note">${blank ?? texts.photo.noPreview}</p>`}
  `;
}
