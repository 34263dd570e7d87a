import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import { CardList } from "../../shared/card-list.js";
import { Icon } from "../../shared/icon.js";
import { kindsOf } from "../../shared/kinds.js";
import { Line } from "../../shared/line.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { Link } from "../../shared/router.js";
import { View } from "../../shared/view.js";
import { points, texts } from "../../shared/texts.js";
import { readResult } from "../calls.js";
import { useFresh, usePlace } from "../place.js";
import { NotCounted } from "./not-counted.js";
import { Ranking } from "./ranking.js";
import { Rules } from "./rules.js";

// After publication: the own place and every line of it, the ranking, and all the rules of the game.
export function Result() {
  const { me } = usePlace();
  const { data, problem, again } = useFresh(readResult, "result");
  const rules = useMemo(() => Object.fromEntries((data?.rules ?? []).map((rule) => [rule.key, rule])), [data]);
  const words = texts.result;
  if (!me) return html`<${Skeleton} rows=${4} />`;
  return html`<${View} title=${words.title} name="my-result">
    <p class="back"><${Link} href="/"><${Icon} name="back" />${words.back}<//></p>
    ${problem && !data && html`<${Notice} problem=${problem} onAgain=${again} />`}
    ${!problem && !data && html`<${Skeleton} rows=${4} />`}
    ${data &&
    html`<div class="my-result">
      <div>
        <${Standing} result=${data} />
        ${data.own && html`<${Own} result=${data} rules=${rules} />`}
      </div>
      <div>
        <${Ranking} places=${data.ranking} />
        <${Rules} rules=${data.rules} />
      </div>
    </div>`}
  <//>`;
}

function Standing({ result: { own, ranking, left_out: reason } }) {
  const words = texts.result;
  if (!own) {
    return html`<div class="score">
      <h2>${words.yours}</h2>
      <p class="score-out">${texts.own.none}</p>
      <p class="score-note">${words.leftOut[reason] ?? words.leftOut.other}</p>
    </div>`;
  }
  const score = own.eliminated ? null : points(own.score);
  return html`<div class="score">
    <h2>${texts.own.place(own.rank, ranking.length)}</h2>
    ${own.eliminated
      ? html`<p class="score-out">${own.verdict ?? texts.own.eliminated}</p>`
      : html`<p class="score-number"><strong>${score}</strong> <span>${texts.score.points(score)}</span></p>`}
    ${own.decided_by && html`<p class="score-note">${words.decided(own.decided_by)}</p>`}
  </div>`;
}

function Own({ result: { own, listed }, rules }) {
  const kinds = kindsOf({ kinds: own.kinds.map((kind) => ({ ...kind, slug: kind.kind })) });
  const cards = Object.fromEntries(own.kinds.map(({ kind, count }) => [kind, count]));
  const struck = own.lines.filter((line) => line.void).length;
  return html`
    <${CardList} cards=${cards} kinds=${kinds} />
    <${NotCounted} own=${own.kinds} listed=${listed} />
    <section class="lines" aria-labelledby="lines-title">
      <h2 id="lines-title">${texts.lines.title}</h2>
      ${struck > 0 && html`<p>${texts.result.struck(struck)}</p>`}
      <ol>
        ${own.lines.map((line, at) => html`<${Line} key=${at} line=${line} rules=${rules} kinds=${kinds} />`)}
      </ol>
      <p class="sum"><span>${texts.lines.sum}</span><strong>${own.eliminated ? texts.score.eliminated : points(own.score)}</strong></p>
    </section>
  `;
}
