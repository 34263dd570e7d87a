// The welcome screen.

import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { texts } from "../shared/i18n";
import { Notice } from "../shared/notices";
import { View } from "../shared/router";
import { StateMessage, changeMe, usePlayerState } from "./player-state";
import { NameFields, Ticket, canName, changesIn } from "./ticket";

// The first screen of a game: whose envelope this is, and how others will see the player.
export function Welcome() {
  const { player, me, put } = usePlayerState();
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const words = texts.welcome;
  const join = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      put(await changeMe(player.token, changesIn(event.currentTarget, me)));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return html`<${View} title=${words.title} name="welcome">
    <${Ticket} me=${me} />
    <form onSubmit=${join}>
      ${canName(me) ? html`<${NameFields} me=${me} problem=${problem} />` : html`<${StateMessage} me=${me} />`}
      ${problem && !["wrong-name", "name-taken"].includes(problem.slug) && html`<${Notice} problem=${problem} small />`}
      <button type="submit" class="action" aria-busy=${busy} disabled=${busy}>${words.join}</button>
      <p class="aside">${words.private}</p>
    </form>
  <//>`;
}
