import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { Icon } from "../shared/icon.js";

export function Downloads({ downloads }) {
  return html`<section class="downloads" aria-labelledby="downloads-title">
    <h2 id="downloads-title">${texts.downloads.title}</h2>
    <p>${texts.downloads.lead}</p>
    <ul>
      ${downloads.map(
        (file) => html`<li>
          <a class="download" href=${file.url} download>
            <${Icon} name="download" />
            <span>${file.title}</span>
            <small>${texts.downloads.kind}, ${texts.downloads.size(file.bytes)}</small>
          </a>
        </li>`,
      )}
    </ul>
  </section>`;
}
