import { html } from "htm/preact";
import { View } from "../../shared/view.js";
import { texts } from "../../shared/texts.js";

// The form for a new game.
export function NewGame() {
  return html`<${View} name="new-game" title=${texts.desk.newGame} />`;
}
