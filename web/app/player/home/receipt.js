import { html } from "htm/preact";
import { Icon } from "../../shared/icon.js";
import { clockTime, moment } from "../../shared/times.js";
import { texts } from "../../shared/texts.js";

// That the hand-in has reached the server, and when, by the server's clock.
export function Receipt({ receipt, game }) {
  const words = texts.receipt;
  return html`<section class="receipt" aria-labelledby="receipt-title">
    <p class="receipt-mark" aria-hidden="true"><${Icon} name="check" /></p>
    <h2 id="receipt-title">${words.title}</h2>
    <p class="receipt-time">
      <time datetime=${receipt.at}>${clockTime(receipt.at, game.timezone)}</time>
      <small>${moment(receipt.at, game.timezone)}</small>
    </p>
    <p class=${receipt.late ? "receipt-late" : "receipt-in-time"}>${receipt.late ? words.late : words.inTime}</p>
    <dl>
      <div><dt>${words.cards}</dt><dd>${receipt.cards ?? words.noList}</dd></div>
      <div><dt>${words.code}</dt><dd class="receipt-code">${receipt.code}</dd></div>
    </dl>
    <p class="receipt-help">${words.help}</p>
  </section>`;
}

// What stands there until then.
export function ReceiptWaits() {
  const words = texts.receipt.waits;
  return html`<section class="receipt" aria-labelledby="receipt-title">
    <p class="receipt-mark" aria-hidden="true"><${Icon} name="send" /></p>
    <h2 id="receipt-title">${words.title}</h2>
    <p>${words.detail}</p>
  </section>`;
}
