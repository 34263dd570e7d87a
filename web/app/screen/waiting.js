import { html } from "htm/preact";
import { texts } from "../shared/texts.js";
import { moment } from "../shared/times.js";

// How many have handed in, as a number and as a bar.
export function HandIns({ screen }) {
  return html`<div class="hand-ins">
    <p><b>${screen.hand_ins}</b> ${texts.screen.handedIn(screen.hand_ins, screen.envelopes)}</p>
    <progress value=${screen.hand_ins} max=${Math.max(1, screen.envelopes)} aria-label=${texts.screen.handIns}></progress>
  </div>`;
}

// Before the game opens.
export function Soon({ screen }) {
  return html`<section class="waiting">
    <h1>${texts.screen.soon}</h1>
    ${screen.deadline && html`<p class="waiting-words">${texts.screen.until(moment(screen.deadline, screen.timezone))}</p>`}
    <p class="countdown-join">${texts.screen.join}</p>
  </section>`;
}

// After the deadline: nobody changes anything, and the results are being made.
export function PencilsDown({ screen }) {
  return html`<section class="waiting">
    <h1>${texts.screen.over}</h1>
    <p class="waiting-words">${screen.state === "frozen" ? texts.screen.ready : texts.screen.counting}</p>
    <${HandIns} screen=${screen} />
  </section>`;
}
