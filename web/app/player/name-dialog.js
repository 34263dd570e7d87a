// The dialog for the player's name.

import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Dialog } from "../shared/dialog";
import { texts } from "../shared/i18n";
import { Notice, announce } from "../shared/notices";
import { changeMe, usePlayerState } from "./player-state";
import { NameFields, canName, changesIn } from "./ticket";

// A dialog to change how others see the player.
export function NameDialog({ onClose }) {
  const { player, me, put } = usePlayerState();
  const [problem, setProblem] = useState(null);
  const save = async (event) => {
    event.preventDefault();
    try {
      put(await changeMe(player.token, changesIn(event.currentTarget, me)));
      announce(texts.name.saved);
      onClose();
    } catch (error) {
      setProblem(error);
    }
  };
  return html`<${Dialog} title=${texts.name.title} onClose=${onClose}>
    <form onSubmit=${save}>
      <${NameFields} me=${me} problem=${problem} fixed=${!canName(me)} />
      ${problem && !["wrong-name", "name-taken"].includes(problem.slug) && html`<${Notice} problem=${problem} small />`}
      <button type="submit" class="action">${texts.name.save}</button>
    </form>
  <//>`;
}
