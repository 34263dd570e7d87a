import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { texts } from "../shared/i18n.js";
import { Notice } from "../shared/notices.js";
import { View } from "../shared/router.js";
import { Sentence, changeMe, usePlace } from "./player-state.js";
import { NameFields, Ticket, canName, wishOf } from "./ticket.js";

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
