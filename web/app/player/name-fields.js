import { html } from "htm/preact";
import { texts } from "../shared/texts.js";

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
