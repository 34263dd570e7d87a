import { html } from "htm/preact";
import { Link } from "../../shared/router.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { points, texts } from "../../shared/texts.js";
import { readResult } from "../calls.js";
import { useFresh } from "../place.js";

// After publication: the own place, and the way to all the rest.
export function OwnPlace() {
  const { data, problem, again } = useFresh(readResult, "result");
  if (problem && !data) return html`<${Notice} problem=${problem} onAgain=${again} />`;
  if (!data) return html`<${Skeleton} rows=${1} />`;
  const { own, ranking } = data;
  return html`<${Link} class="own-place" href="/p/result">
    ${own
      ? html`<span class="own-rank">${texts.own.place(own.rank, ranking.length)}</span>
          <span class="own-score">${own.eliminated ? texts.own.eliminated : html`<strong>${points(own.score)}</strong> ${texts.score.points(points(own.score))}`}</span>`
      : html`<span class="own-rank">${texts.own.none}</span>`}
    <span class="own-more">${texts.own.more}</span>
  <//>`;
}
