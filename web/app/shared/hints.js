import { html } from "htm/preact";
import { texts } from "./texts.js";
import { helping, hintText } from "./hint-words.js";
import { Icon } from "./icon.js";

// Advice for a better picture, if there is any.
export function Hints({ scan }) {
  const hints = helping(scan.hints, scan.codes.length + scan.doubts.length).map(hintText);
  if (scan.doubts.length) hints.unshift(texts.hints.doubts(scan.doubts.length));
  if (!scan.complete && !scan.hints.some((hint) => hint.slug === "time")) hints.push(texts.hints.incomplete);
  if (!hints.length) return null;
  return html`<aside class="hints">
    <h2><${Icon} name="light" />${texts.hints.title}</h2>
    <ul>
      ${hints.map((hint) => html`<li>${hint}</li>`)}
    </ul>
  </aside>`;
}
