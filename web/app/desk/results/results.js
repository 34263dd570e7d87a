import { html } from "htm/preact";
import { ask } from "../../shared/ask.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { go, useRoute } from "../../shared/router.js";
import { texts } from "../../shared/texts.js";
import { View } from "../../shared/view.js";
import { useSteady } from "../steady.js";
import { Count } from "./count.js";
import { Version } from "./version.js";
import { Versions } from "./versions.js";
import { Wall } from "./wall.js";

// From the closed game to the ranking on the wall: what is open, the counts, one of them in full, the files, the big screen.
export default function Results({ game, again }) {
  const [, , , , wanted] = useRoute();
  const load = (signal) => ask(`/api/v1/games/${game.id}/results`, { signal });
  const { data, problem, again: look } = useSteady(load, `results ${game.id}`, ["game", "envelopes", "photos", "queue", "results"]);
  const fresh = () => Promise.all([look(), again()]);
  const versions = data?.versions ?? [];
  const shown = versions.find(({ version }) => String(version) === wanted) ?? versions[0];
  const choose = (version) => go(`/desk/games/${game.id}/results/${version}`, { replace: true });
  return html`<${View} name="results" title=${texts.desk.tabs.results}>
    ${problem && !data && html`<${Notice} problem=${problem} onAgain=${look} />`} ${!data && !problem && html`<${Skeleton} rows=${4} />`}
    ${data &&
    html`<div class="results-top">
        <div>
          <${Count} game=${game} results=${data} again=${fresh} onCounted=${choose} />
          ${versions.length > 0 && html`<${Versions} game=${game} versions=${versions} shown=${shown.version} onChoose=${choose} again=${fresh} />`}
        </div>
        <${Wall} game=${game} />
      </div>
      ${shown && html`<${Version} key=${shown.version} game=${game} version=${shown.version} versions=${versions} />`}`}
  <//>`;
}
