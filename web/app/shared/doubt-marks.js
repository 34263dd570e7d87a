import { html } from "htm/preact";
import { centre } from "./places.js";
import { texts } from "./texts.js";

// Over a picture, a button for every doubt, which says why the card was not read. `picked` is the one that is shown.
export function DoubtMarks({ scan, picked, onPick }) {
  return html`<div class="doubt-marks">
    ${scan.doubts.map((doubt, number) => {
      const [x, y] = centre(doubt.quad);
      return html`<button
        type="button"
        class="doubt-mark"
        aria-label=${texts.closer.doubt(number + 1, scan.doubts.length, wordsOf(doubt).title)}
        aria-pressed=${doubt === picked}
        style=${{ left: `${(100 * x) / scan.width}%`, top: `${(100 * y) / scan.height}%` }}
        onClick=${() => onPick(doubt === picked ? null : doubt)}
      >
        <span aria-hidden="true">${texts.tags.doubt}</span>
      </button>`;
    })}
  </div>`;
}

// Why a place was not read, and what helps.
export function DoubtWords({ doubt }) {
  const { title, help } = wordsOf(doubt);
  return html`<p class="doubt-words" role="status"><strong>${title}</strong> ${help}</p>`;
}

const wordsOf = ({ reason }) => texts.doubtWords[reason] ?? texts.doubtWords.unread;
