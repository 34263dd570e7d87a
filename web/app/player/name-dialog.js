import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Dialog } from "../shared/dialog.js";
import { texts } from "../shared/i18n.js";
import { Notice, say } from "../shared/notices.js";
import { changeMe, usePlace } from "./player-state.js";
import { NameFields, canName, wishOf } from "./ticket.js";

// How others see the player, to change.
export function Name({ onClose }) {
  const { seat, me, put } = usePlace();
  const [problem, setProblem] = useState(null);
  const save = async (event) => {
    event.preventDefault();
    try {
      put(await changeMe(seat.token, wishOf(event.currentTarget, me)));
      say(texts.name.saved);
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
