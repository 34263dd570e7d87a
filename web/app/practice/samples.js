import { html } from "htm/preact";
import { texts } from "../shared/texts.js";

export function Samples({ samples, onSample }) {
  return html`<section class="samples" aria-labelledby="samples-title">
    <h2 id="samples-title">${texts.samples.title}</h2>
    <p>${texts.samples.lead}</p>
    <ul class="strip">
      ${samples.map(
        (sample) => html`<li>
          <button type="button" class="sample" aria-label=${texts.samples.one(sample.title)} onClick=${() => onSample(sample)}>
            <img src=${sample.thumbnail} width=${sample.width} height=${sample.height} alt="" loading="lazy" decoding="async" />
            <span><b>${sample.title}</b>${sample.note}</span>
          </button>
        </li>`,
      )}
    </ul>
  </section>`;
}
