import { html } from "htm/preact";
import { ask } from "../../shared/http.js";
import { texts } from "../../shared/i18n.js";
import { say } from "../../shared/notices.js";
import { Confirm } from "../forms.js";

// Deletes a game after its id has been typed.
export function DeleteGame({ game, onClose, onGone }) {
  const words = texts.games.list;
  const remove = async () => {
    await ask(`/api/v1/games/${game.id}`, { method: "DELETE" });
    say(words.deleted(game.name));
    onGone();
  };
  return html`<${Confirm} title=${words.deleteTitle(game.name)} confirm=${words.delete} danger typed=${game.id} onConfirm=${remove} onClose=${onClose}>
    <p>${words.deleteText}</p>
    <p><a href=${`/api/v1/games/${game.id}/export`} download>${words.exportAll}</a></p>
  <//>`;
}
