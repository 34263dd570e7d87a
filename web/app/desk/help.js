import { html } from "htm/preact";
import { Dialog } from "../shared/dialog.js";
import { texts } from "../shared/texts.js";
import { listed } from "./keys.js";

// All keys that do something on this page.
export function Help({ onClose }) {
  return html`<${Dialog} title=${texts.desk.keys.title} onClose=${onClose}>
    ${listed().map(
      ({ title, rows }) => html`<section class="keys">
        <h3>${title}</h3>
        <dl>
          ${rows.map(
            ([keys, words]) => html`<div>
              <dt>${[].concat(keys).map((key, place) => html`${place > 0 && html`<span>${texts.desk.keys.or}</span>`}<${Keys} keys=${key} />`)}</dt>
              <dd>${words}</dd>
            </div>`,
          )}
        </dl>
      </section>`,
    )}
  <//>`;
}

const Keys = ({ keys }) => keys.split(" ").map((key) => html`<kbd>${key}</kbd> `);
