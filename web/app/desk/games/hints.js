import { html } from "htm/preact";
import { ask } from "../../shared/ask.js";
import { useFetched } from "../../shared/fetched.js";
import { Icon } from "../../shared/icon.js";
import { Link } from "../../shared/router.js";
import { language, texts } from "../../shared/texts.js";

// What an organiser should know before going on; nothing of it stops anybody.
export function Hints({ game }) {
  const { data } = useFetched((signal) => ask(`/api/v1/editions?language=${language()}`, { signal }), "editions");
  const edition = data?.editions.find(({ slug }) => slug === game.edition);
  const hints = edition ? hintsOn(game, edition) : [];
  if (!hints.length) return null;
  return html`<aside class="game-hints" aria-labelledby="game-hints">
    <h2 id="game-hints"><${Icon} name="light" />${texts.games.hints.title}</h2>
    <ul>${hints.map((hint) => html`<li>${hint}</li>`)}</ul>
    <p><${Link} href=${`/desk/games/${game.id}/settings`}>${texts.games.hints.settings}<//></p>
  </aside>`;
}

function hintsOn(game, edition) {
  const words = texts.games.hints;
  const hints = edition.settings
    .filter(({ name, confirm }) => confirm && !game.confirmed.includes(name))
    .map((setting) => words.unconfirmed(setting.label, game.settings[setting.name], setting.text));
  if (game.players < edition.players_min || game.players > edition.players_max) hints.push(words.players(edition, game.players));
  if (["draft", "printed", "open"].includes(game.state) && !game.deadline) hints.push(words.noDeadline);
  return hints;
}
