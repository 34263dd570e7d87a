import { html } from "htm/preact";
import { Icon } from "../../shared/icon.js";
import { Link } from "../../shared/router.js";
import { View } from "../../shared/view.js";
import { texts } from "../../shared/texts.js";
import { missing } from "../counts.js";
import { NobodyReads } from "../nobody-reads.js";
import { Hints } from "./hints.js";
import { Next } from "./next.js";
import { Screen } from "./screen.js";

const WAY = ["draft", "printed", "open", "closed", "frozen", "published"];

// Where a game stands on its way, what comes next, and how many have come how far.
export default function Overview({ game, again, counts }) {
  return html`<${View} name="overview" title=${texts.desk.tabs.overview}>
    <${Way} state=${game.state} />
    <${NobodyReads} is=${counts.idle} />
    <div class="overview">
      <div>
        <${Next} game=${game} again=${again} counts=${counts} />
        <${Hints} game=${game} />
      </div>
      <div>
        <${Numbers} game=${game} counts=${counts} />
        <${Screen} game=${game} />
      </div>
    </div>
  <//>`;
}

function Way({ state }) {
  const at = WAY.indexOf(state);
  return html`<ol class="way" aria-label=${texts.games.way.title}>
    ${WAY.map(
      (name, place) => html`<li key=${name} class=${place < at ? "way-done" : place === at ? "way-here" : ""} aria-current=${place === at ? "step" : undefined}>
        <i aria-hidden="true">${place < at ? html`<${Icon} name="check" />` : place + 1}</i><span>${texts.desk.states[name]}</span>
      </li>`,
    )}
  </ol>`;
}

// How far the envelopes are; each number leads to where one sees which.
function Numbers({ game, counts }) {
  const words = texts.games.counts;
  const at = (tab, query = "") => `/desk/games/${game.id}/${tab}${query}`;
  const rows = [
    ["envelopes", game.counts.envelopes, at("envelopes")],
    ["open", game.counts.open, at("envelopes", "?show=open")],
    ["joined", game.counts.joined, at("envelopes", "?show=joined")],
    ["claimed", game.counts.claimed, at("envelopes", "?show=claimed")],
    ["received", game.counts.received, at("envelopes", "?show=received")],
    ["missing", game.state === "closed" ? counts.envelopes : missing(game), at("envelopes", "?show=missing")],
    ["reading", counts.pictures ?? 0, at("pictures")],
    ["doubts", counts.queue ?? 0, at("queue")],
  ];
  const shown = ["draft", "printed"].includes(game.state) ? rows.slice(0, 1) : rows;
  return html`<section class="panel numbers" aria-labelledby="numbers-title">
    <h2 id="numbers-title">${texts.games.numbers}</h2>
    <ul>
      ${shown.map(
        ([name, count, href]) => html`<li key=${name} class=${["missing", "doubts"].includes(name) && count ? "numbers-open" : ""}>
          <${Link} href=${href}><b>${count}</b> <span>${words[name]}</span><//>
        </li>`,
      )}
    </ul>
  </section>`;
}
