import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { duration, moment, serverNow, texts } from "../shared/i18n.js";
import { usePlace } from "./player-state.js";

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

const SPREAD = 3000; // milliseconds

// The time until something, in milliseconds by the server's clock, anew each second.
export function useLeft(time) {
  const [left, setLeft] = useState(() => new Date(time) - serverNow());
  useEffect(() => {
    const count = () => setLeft(new Date(time) - serverNow());
    count();
    const clock = setInterval(count, 1000);
    return () => clearInterval(clock);
  }, [time]);
  return left;
}

// When the game ends, and how long that still is, while it is played.
function Countdown({ game }) {
  if (game.state !== "open") return null;
  if (!game.deadline) return html`<p class="countdown countdown-none">${texts.countdown.none}</p>`;
  return html`<${Running} game=${game} />`;
}

function Running({ game }) {
  const left = useLeft(game.deadline);
  const { again } = usePlace();
  const over = left <= 0;
  useEffect(() => {
    if (!over) return undefined;
    // The game closes now. Not all phones ask at the same moment.
    const clock = setTimeout(again, SPREAD * Math.random() + 500);
    return () => clearTimeout(clock);
  }, [over]);
  return html`<p class="countdown">
    <span>${left > 0 ? texts.countdown.left : texts.countdown.over}</span>
    <strong role="timer">${duration(left)}</strong>
    <small>${moment(game.deadline, game.timezone)}</small>
  </p>`;
}

const LONGEST = 40;

// Whether the player may choose a name now.
export const canName = ({ game, envelope }) => game.state === "open" && envelope.opened;

// How others see a player: a name, or none at all. `problem` is what the server said against the name; with `fixed` the
// name cannot be changed.
export function NameFields({ me, problem, fixed = false }) {
  const words = texts.name;
  const wrong = problem && ["wrong-name", "name-taken"].includes(problem.slug) ? problem : null;
  return html`<fieldset class="name-fields">
    ${!fixed &&
    html`<label for="name">${words.label}</label>
      <input id="name" name="name" type="text" autocomplete="nickname" maxlength=${LONGEST} defaultValue=${me.envelope.name ?? ""} placeholder=${texts.envelope(me.envelope.number)} aria-invalid=${wrong ? "true" : undefined} aria-describedby="name-help" />`}
    <p id="name-help" class=${wrong ? "field-problem" : "field-help"} role=${wrong ? "alert" : undefined}>
      ${wrong ? `${wrong.title}. ${wrong.detail}` : fixed ? words.fixed : words.help}
    </p>
    <label class="choice"><input type="checkbox" name="hidden" defaultChecked=${me.envelope.hidden} /> <span>${words.hidden}</span></label>
  </fieldset>`;
}

// What a form with these fields asks of the server: only what is another than before, since an empty name is none.
export function wishOf(form, me) {
  const given = new FormData(form);
  const name = String(given.get("name") ?? "").trim();
  const wish = { hidden: given.get("hidden") !== null };
  return name && name !== me.envelope.name ? { ...wish, name } : wish;
}
