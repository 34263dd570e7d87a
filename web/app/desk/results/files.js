import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Icon } from "../../shared/icon.js";
import { LANGUAGES, language, texts } from "../../shared/texts.js";

// The files of a count, and the whole game as one.
export function Files({ game, version }) {
  const [tongue, setTongue] = useState(game.languages.includes(language()) ? language() : game.language);
  const [paper, setPaper] = useState("a4");
  const words = texts.results.files;
  const at = `/api/v1/games/${game.id}/results/${version}`;
  const rows = [
    ["pdf", `${at}/results.pdf?language=${tongue}&paper=${paper}`],
    ["ranking", `${at}/ranking.csv`],
    ["matrix", `${at}/matrix.csv?language=${tongue}`],
    ["replay", `${at}/replay.json`],
    ["whole", `/api/v1/games/${game.id}/export`],
    ["plain", `/api/v1/games/${game.id}/export?photos=false`],
  ];
  return html`<section class="panel" aria-labelledby="files-title">
    <h2 id="files-title">${words.title}</h2>
    <div class="files-choice">
      <label>
        ${words.language}
        <select value=${tongue} onChange=${(event) => setTongue(event.currentTarget.value)}>
          ${game.languages.map((code) => html`<option value=${code} selected=${code === tongue}>${LANGUAGES[code] ?? code}</option>`)}
        </select>
      </label>
      <label>
        ${words.paper}
        <select value=${paper} onChange=${(event) => setPaper(event.currentTarget.value)}>
          <option value="a4" selected=${paper === "a4"}>A4</option>
          <option value="letter" selected=${paper === "letter"}>Letter</option>
        </select>
      </label>
    </div>
    <ul class="files">
      ${rows.map(
        ([name, href]) => html`<li key=${name}>
          <a href=${href} download><${Icon} name="download" /><b>${words[name].title}</b></a>
          <small>${words[name].text}</small>
        </li>`,
      )}
    </ul>
  </section>`;
}
