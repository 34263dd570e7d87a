import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { useFetched } from "../../shared/fetched.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { language, texts } from "../../shared/texts.js";
import { Files } from "./files.js";
import { Moves } from "./moves.js";
import { Ranking } from "./ranking.js";

// A count in full: the ranking, what did not count, what moved since another count, and its files.
export function Version({ game, version, versions }) {
  const [since, setSince] = useState("");
  const words = texts.results;
  const path = `/api/v1/games/${game.id}/results/${version}?language=${language()}${since && `&since=${since}`}`;
  const { data, problem, again } = useFetched((signal) => ask(path, { signal }), path);
  const [last, setLast] = useState(null);
  // Another comparison leaves the ranking where it is.
  if (data && data !== last) setLast(data);
  const shown = data ?? last;
  if (!shown) return problem ? html`<${Notice} problem=${problem} onAgain=${again} />` : html`<${Skeleton} rows=${6} />`;
  const beside = shown.left_out.length > 0 || shown.overridden.length > 0 || versions.length > 1;
  return html`<section class="version-full" aria-labelledby="ranking-title">
    <h2 id="ranking-title">${words.ranking.title(version)}</h2>
    <${Ranking} hands=${shown.hands} />
    <p class="results-note">${words.chance}</p>
    <div class=${beside ? "results-bottom" : "results-bottom results-bottom-plain"}>
      ${beside && html`<div>
        ${shown.left_out.length > 0 && html`<${LeftOut} envelopes=${shown.left_out} />`}
        ${shown.overridden.length > 0 && html`<${Overridden} version=${shown.version} />`}
        <${Moves} result=${shown} versions=${versions.filter((one) => one.version !== version)} onSince=${setSince} />
      </div>`}
      <${Files} game=${game} version=${version} />
    </div>
  </section>`;
}

// Envelopes whose hands do not count.
function LeftOut({ envelopes }) {
  const words = texts.results.leftOut;
  return html`<section class="panel" aria-labelledby="left-out-title">
    <h2 id="left-out-title">${words.title(envelopes.length)}</h2>
    <ul class="left-out">
      ${envelopes.map((one) => html`<li><b>${texts.envelope(one.envelope)}</b> ${words.reasons[one.reason] ?? one.reason}</li>`)}
    </ul>
  </section>`;
}

function Overridden({ version }) {
  const words = texts.results.versions;
  return html`<section class="panel" aria-labelledby="overridden-title">
    <h2 id="overridden-title">${words.override}</h2>
    <p><q>${version.override}</q></p>
  </section>`;
}
