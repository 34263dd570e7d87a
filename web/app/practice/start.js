import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { Chooser } from "../shared/chooser.js";
import { Downloads } from "./downloads.js";
import { Fan } from "../shared/fan.js";
import { Samples } from "./samples.js";

export function Start({ game, kinds, onChoose, onSample }) {
  return html`<section class="start">
      <${Fan} kinds=${kinds} />
      <div class="start-words">
        <h1 tabindex="-1" data-focus>${texts.start.title}</h1>
        <p class="lead">${texts.start.lead}</p>
        <div class="actions">
          <${Chooser} label=${texts.start.take} icon="camera" capture="environment" onChoose=${onChoose} />
          <${Chooser} label=${texts.start.choose} icon="picture" secondary onChoose=${onChoose} />
        </div>
        <p class="drop-note">${texts.start.drop}</p>
        <ul class="tips">
          ${texts.start.tips.map((tip) => html`<li>${tip}</li>`)}
        </ul>
      </div>
    </section>
    ${game.samples.length > 0 && html`<${Samples} samples=${game.samples} onSample=${onSample} />`}
    ${game.downloads.length > 0 && html`<${Downloads} downloads=${game.downloads} />`}`;
}
