import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { useFetched } from "../../shared/fetched.js";
import { texts } from "../../shared/texts.js";
import { moment } from "../../shared/times.js";
import { useOn } from "../live.js";
import { ScreenLink } from "../screen-link.js";

const HERE_ONLY = ["localhost", "127.0.0.1", "[::1]"];

// The big screen: its link, what it shows just now, and how the ceremony goes.
export function Wall({ game }) {
  const [code, setCode] = useState(false);
  const words = texts.results.wall;
  return html`<section class="panel wall" aria-labelledby="wall-title">
    <h2 id="wall-title">${words.title}</h2>
    <${Preview} game=${game} />
    <p>${words.texts[game.state] ?? words.texts.other}</p>
    <${ScreenLink} game=${game} open=${game.state === "frozen" ? words.begin : undefined}>
      <button type="button" class="secondary" aria-expanded=${code ? "true" : "false"} onClick=${() => setCode(!code)}>${words.code}</button>
    <//>
    ${code &&
    html`<figure class="wall-code">
      <img src=${`/api/v1/games/${game.id}/screen.svg`} width="240" height="240" alt=${words.codeOf} />
      <figcaption>${HERE_ONLY.includes(location.hostname) ? words.hereOnly : words.codeText}</figcaption>
    </figure>`}
  </section>`;
}

// What everybody sees there, asked for as the screen does.
function Preview({ game }) {
  const words = texts.results.wall;
  const { data, again } = useFetched((signal) => ask("/api/v1/projector", { token: game.projector, signal }), `wall ${game.id}`);
  useOn(["game", "envelopes"], again);
  const [head, line] = data ? shown(data, words.shows) : ["", ""];
  return html`<div class="wall-preview" role="img" aria-label=${`${words.now}: ${head} ${line}`}>
    <span>${data?.name}</span>
    <b>${head}</b>
    <small>${line}</small>
  </div>`;
}

function shown(screen, words) {
  const line = words.handIns(screen.hand_ins, screen.envelopes);
  if (["draft", "printed"].includes(screen.state)) return [words.soon, screen.deadline ? moment(screen.deadline, screen.timezone) : ""];
  if (screen.state === "open") return [screen.deadline ? words.until(moment(screen.deadline, screen.timezone)) : words.playing, line];
  if (screen.state === "published") return [words.reveal, words.version(screen.version)];
  return [words.over, line];
}
