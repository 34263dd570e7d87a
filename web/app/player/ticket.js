import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { Countdown } from "./countdown.js";

// The own envelope, drawn like its label: number, game, name, and the time that is left. `onName` makes the name a button.
export function Ticket({ me, onName }) {
  const { game, envelope } = me;
  return html`<section class="ticket" aria-label=${texts.ticket.about}>
    <p class="ticket-game">${game.name}</p>
    <p class="ticket-edition">${game.edition}</p>
    <p class="ticket-number"><span>${texts.ticket.envelope}</span> <strong>${envelope.number}</strong></p>
    <div class="ticket-side">
      ${onName &&
      html`<p class="ticket-name">
        <button type="button" onClick=${onName}>
          <span>${envelope.name ?? texts.ticket.nameless}</span> <small>${envelope.hidden ? texts.ticket.hidden : texts.ticket.change}</small>
        </button>
      </p>`}
      <${Countdown} game=${game} />
    </div>
  </section>`;
}
