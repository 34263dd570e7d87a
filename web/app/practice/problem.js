import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { Chooser } from "../shared/chooser.js";
import { Icon } from "../shared/icon.js";
import { Photo } from "../shared/photo.js";

// What went wrong, in words with what to do. The picture stays, and can be sent again.
export function Problem({ photo, problem, onRetry, onChoose, onRestart }) {
  return html`<section class="problem">
    <div class="problem-words" role="alert">
      <h1 tabindex="-1" data-focus>${problem.title}</h1>
      <p>${problem.detail}</p>
      ${problem.passing && html`<p class="kept">${texts.problem.kept}</p>`}
      <div class="actions">
        ${problem.passing &&
        html`<button type="button" class="action" onClick=${onRetry}><${Icon} name="again" />${texts.again}</button>`}
        <${Chooser} label=${texts.problem.take} icon="camera" capture="environment" secondary=${problem.passing} onChoose=${onChoose} />
        <${Chooser} label=${texts.problem.other} icon="picture" secondary onChoose=${onChoose} />
      </div>
      ${photo.sample && html`<button type="button" class="plain" onClick=${onRestart}>${texts.result.again}</button>`}
    </div>
    <${Photo} photo=${photo} blank=${texts.problem.noPreview(photo.name)} />
  </section>`;
}
