import { html } from "htm/preact";
import { ask } from "../shared/http.js";
import { texts } from "../shared/i18n.js";
import { Link } from "../shared/router.js";
import { useSteady } from "./live.js";

const OWN = ["confirm", "pictures", "question", "missing", "unseen"];
const WHERE = { confirm: "settings", pictures: "pictures", missing: "pictures#missing", unseen: "queue?kind=unseen" };

// What stands between a closed game and its count, with where it is settled.
export function Open({ game }) {
  const load = (signal) => ask(`/api/v1/games/${game.id}/results`, { signal });
  const { data } = useSteady(load, `open ${game.id}`, ["game", "envelopes", "photos", "queue", "results"]);
  const words = texts.games.open;
  if (!data) return html`<p class="next-open">${words.looking}</p>`;
  if (!data.open.length) return html`<p class="next-ready">${words.ready}</p>`;
  return html`<div class="next-open">
    <p><b>${words.title(data.open.length)}</b></p>
    <ul>
      ${Object.entries(counted(data.open)).map(
        ([what, count]) => html`<li key=${what}><${Link} href=${`/desk/games/${game.id}/${WHERE[what] ?? "queue"}`}>${words[what](count)}<//></li>`,
      )}
    </ul>
  </div>`;
}

// The points by what they are: those of the queue's kinds are doubts, but for envelopes that nobody has seen.
function counted(points) {
  const counts = {};
  for (const { slug } of points) {
    const what = OWN.includes(slug) ? slug : "doubts";
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}
