import { html } from "htm/preact";
import { ask } from "../../shared/ask.js";
import { useFetched } from "../../shared/fetched.js";
import { Link } from "../../shared/router.js";
import { View } from "../../shared/view.js";
import { texts } from "../../shared/texts.js";

// All games of this server.
export function Games() {
  const { data } = useFetched((signal) => ask("/api/v1/games", { signal }), "games");
  return html`<${View} name="games" title=${texts.desk.games}>
    <ul>${data?.games.map((game) => html`<li><${Link} href=${`/desk/games/${game.id}`}>${game.name}<//></li>`)}</ul>
  <//>`;
}
