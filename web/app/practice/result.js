import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { CardList } from "../shared/card-list.js";
import { Hints } from "../shared/hints.js";
import { Icon } from "../shared/icon.js";
import { Lines } from "../shared/lines.js";
import { Outlines } from "../shared/outlines.js";
import { Photo } from "../shared/photo.js";
import { Score } from "./score.js";

export function Result({ photo, scan, kinds, onRestart }) {
  const total = Object.values(scan.cards).reduce((sum, count) => sum + count, 0);
  const names = Object.entries(scan.cards)
    .map(([slug, count]) => `${count} ${kinds.get(slug).title}`)
    .join(", ");
  return html`<section class="result">
    <div class="result-picture">
      <h1 tabindex="-1" data-focus>${texts.result.title(total)}</h1>
      ${scan.labels.length > 0 && html`<p class="label-note">${texts.result.envelope(scan.labels)}</p>`}
      <${Photo} photo=${photo} width=${scan.width} height=${scan.height} label=${texts.result.picture(names)}>
        <${Outlines} scan=${scan} kinds=${kinds} />
      <//>
      <${CardList} cards=${scan.cards} kinds=${kinds} />
      <${Hints} scan=${scan} />
      <button type="button" class="action secondary" onClick=${onRestart}><${Icon} name="camera" />${texts.result.again}</button>
    </div>
    <div class="result-score">
      <${Score} result=${scan.result} />
      <${Lines} result=${scan.result} kinds=${kinds} />
    </div>
  </section>`;
}
