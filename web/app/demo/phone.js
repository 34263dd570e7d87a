import { html } from "htm/preact";
import { texts } from "../shared/texts.js";

const COMMAND = "./haggle demo --host 0.0.0.0";

// How a phone gets here: by a code, or what to do where the demo lets no other machine in.
export function Phone({ demo }) {
  const words = texts.demo.phone;
  const open = demo?.phone;
  return html`<section class="demo-phone" aria-labelledby="demo-phone">
    <div>
      <h2 id="demo-phone">${words.title}</h2>
      ${open ? html`<p>${words.open}</p>` : html`<p>${words.shut}</p><p><code>${COMMAND}</code></p>`}
      ${open && html`<p><a href=${open}>${open}</a></p>`}
      <p class="demo-aside">${open ? words.labels : words.why}</p>
    </div>
    ${open && html`<img src="/demo/phone.svg" width="200" height="200" alt=${words.code(open)} />`}
  </section>`;
}
