import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { Countdown } from "./countdown.js";
import { canName } from "./name-fields.js";

// The own envelope, drawn like its label: number, game, name, and the time that is left. `onName` makes the name a button.
export function Ticket({ me, onName }) {
  const { game, envelope } = me;
  const { nameless, unnamed, hidden, change, shown } = texts.ticket;
  const free = canName(me);
  return html`<section class="ticket" aria-label=${texts.ticket.about}>
    <p class="ticket-game">${game.name}</p>
    <p class="ticket-edition">${game.edition}</p>
    <p class="ticket-number"><span>${texts.ticket.envelope}</span> <strong>${envelope.number}</strong></p>
    <div class="ticket-side">
      ${onName &&
      html`<p class="ticket-name">
        <button type="button" onClick=${onName}>
          <span>${envelope.name ?? (free ? nameless : unnamed)}</span> <small>${envelope.hidden ? hidden : free ? change : shown}</small>
        </button>
      </p>`}
      <${Countdown} game=${game} />
    </div>
  </section>`;
}
