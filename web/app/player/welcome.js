import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Notice } from "../shared/notice.js";
import { View } from "../shared/view.js";
import { texts } from "../shared/texts.js";
import { changeMe } from "./calls.js";
import { Sentence } from "./home/state.js";
import { NameFields, canName, wishOf } from "./name-fields.js";
import { usePlace } from "./place.js";
import { Ticket } from "./ticket.js";

// The first sight of a game: whose envelope this phone has opened, and how others see the player.
export function Welcome() {
  const { seat, me, put } = usePlace();
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const words = texts.welcome;
  const join = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      put(await changeMe(seat.token, wishOf(event.currentTarget, me)));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return html`<${View} title=${words.title} name="welcome">
    <${Ticket} me=${me} />
    <form onSubmit=${join}>
      ${canName(me) ? html`<${NameFields} me=${me} problem=${problem} />` : html`<${Sentence} me=${me} />`}
      ${problem && !["wrong-name", "name-taken"].includes(problem.slug) && html`<${Notice} problem=${problem} small />`}
      <button type="submit" class="action" aria-busy=${busy} disabled=${busy}>${words.join}</button>
      <p class="aside">${words.private}</p>
    </form>
  <//>`;
}
