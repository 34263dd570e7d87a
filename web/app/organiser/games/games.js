import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Symbol } from "../../shared/cards.js";
import { ask, freshKey, useFetched } from "../../shared/http.js";
import { moment, texts } from "../../shared/i18n.js";
import { Icon } from "../../shared/icon.js";
import { Notice, Skeleton, say } from "../../shared/notices.js";
import { Link, View, go } from "../../shared/router.js";
import { useSending } from "../forms.js";
import { State } from "../game-bar.js";
import { useDeskKeys, useHelp } from "../keyboard.js";
import { Menu } from "../layout.js";
import { DeleteGame } from "./delete-game.js";

const LONG = 15 * 60_000; // milliseconds that a whole game may take to come in
const DELETABLE = ["draft", "printed", "published"];
const PLAYED = ["open", "closed", "frozen", "published"];

// All games of this server.
export function Games() {
  const { data, problem, again } = useFetched((signal) => ask("/api/v1/games", { signal }), "games");
  const words = texts.games.list;
  useEffect(() => {
    const look = () => document.hidden || again();
    addEventListener("visibilitychange", look);
    return () => removeEventListener("visibilitychange", look);
  }, [again]);
  useDeskKeys({ n: () => go("/desk/games/new") });
  useHelp(texts.desk.games, [["n", words.create]]);
  return html`<${View} name="games" title=${texts.desk.games}>
    <div class="games-head">
      <${Link} class="as-button action games-new" href="/desk/games/new"><${Icon} name="add" />${words.create}<//>
      <${Import} />
    </div>
    ${problem && html`<${Notice} problem=${problem} onAgain=${again} />`}
    ${!data && !problem && html`<${Skeleton} />`}
    ${data?.games.length === 0 && html`<${Empty} />`}
    <ul class="games">${data?.games.map((game) => html`<${Card} key=${game.id} game=${game} again=${again} />`)}</ul>
  <//>`;
}

function Empty() {
  const words = texts.games.list;
  return html`<div class="panel games-none">
    <p class="games-none-suits" aria-hidden="true">${["heart", "drop", "clover"].map((name) => html`<${Symbol} name=${name} />`)}</p>
    <h2>${words.none}</h2>
    <p>${words.noneText}</p>
  </div>`;
}

function Card({ game, again }) {
  const [deleting, setDeleting] = useState(false);
  const words = texts.games.list;
  const { counts } = game;
  return html`<li class="game-card">
    <div class="game-card-head">
      <h2><${Link} href=${`/desk/games/${game.id}`}>${game.name}<//></h2>
      <${Menu} icon="menu" name=${words.more(game.name)} end>
        <${Link} href=${`/desk/games/${game.id}/settings`}><${Icon} name="gear" />${texts.desk.tabs.settings}<//>
        <a href=${`/api/v1/games/${game.id}/export`} download><${Icon} name="download" />${words.exportAll}</a>
        <a href=${`/api/v1/games/${game.id}/export?photos=false`} download><${Icon} name="download" />${words.exportPlain}</a>
        <p class="menu-note">${words.exportNote}</p>
        ${DELETABLE.includes(game.state)
          ? html`<button type="button" class="menu-danger" onClick=${() => setDeleting(true)}><${Icon} name="bin" />${words.delete}</button>`
          : html`<p class="menu-note">${words.notDeleted}</p>`}
      <//>
    </div>
    <p class="game-card-facts"><${State} state=${game.state} /> <span class="game-id">${game.id}</span></p>
    <p class="game-card-when">
      <${Icon} name="clock" />${game.deadline ? moment(game.deadline, game.timezone) : texts.desk.bar.noDeadline}
    </p>
    <p class="game-card-when"><${Icon} name="people" />${words.players(game.players)}</p>
    ${PLAYED.includes(game.state) &&
    html`<dl class="game-card-counts">
      ${["joined", "claimed", "received"].map((name) => html`<div><dt>${texts.games.counts[name]}</dt><dd>${counts[name]}</dd></div>`)}
    </dl>`}
    ${deleting && html`<${DeleteGame} game=${game} onClose=${() => setDeleting(false)} onGone=${again} />`}
  </li>`;
}

// Takes in a whole game from its file.
function Import() {
  const input = useRef(null);
  const { send, busy, problem } = useSending();
  const words = texts.games.list;
  const take = async ({ currentTarget }) => {
    const [file] = currentTarget.files;
    if (!file) return;
    const key = freshKey();
    const body = new Blob([file], { type: "application/zip" });
    await send(async () => {
      const { game } = await ask("/api/v1/games/import", { method: "POST", body, key, patience: LONG });
      say(words.imported);
      go(`/desk/games/${game}`);
    });
    currentTarget.value = "";
  };
  return html`<input ref=${input} type="file" accept=".zip,application/zip" hidden onChange=${take} aria-label=${words.import} />
    <button type="button" class="action secondary games-import" aria-busy=${busy ? "true" : undefined} onClick=${() => input.current.click()}>
      <${Icon} name="download" />${busy ? words.importing : words.import}
    </button>
    ${problem && html`<${Notice} problem=${problem} small />`}`;
}
