import { html } from "htm/preact";
import { texts } from "./texts.js";

// A problem in words with what to do; `onAgain` adds a button that tries once more. `small` stands beside a field.
export function Notice({ problem, onAgain, small = false, children }) {
  return html`<div class=${small ? "notice notice-small" : "notice"} role="alert">
    ${small ? html`<strong>${problem.title}</strong>` : html`<h2>${problem.title}</h2>`}
    <p>${problem.detail}</p>
    ${onAgain && html`<button type="button" onClick=${onAgain}>${texts.again}</button>`}
    ${children}
  </div>`;
}

// What stands where something will stand, in about its size, until it has come.
export function Skeleton({ rows = 3 }) {
  return html`<div class="skeletons" role="group" aria-busy="true" aria-label=${texts.loading}>
    ${Array.from({ length: rows }, () => html`<div class="skeleton"></div>`)}
  </div>`;
}
