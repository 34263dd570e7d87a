import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "./i18n.js";

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

const SAID = "haggle-said";
const NOTHING = { words: "", shown: false };
const SHOWN = 6000; // milliseconds that a short word stays on the screen

// Say something in a few words: shown at the foot of the page for some seconds, and read out. For what happened, never
// for what somebody must not miss. What the screen shows by itself is only read out, with `shown: false`.
export function say(words, { shown = true } = {}) {
  dispatchEvent(new CustomEvent(SAID, { detail: { words, shown } }));
}

// Where it is said; once on each page.
export function Said() {
  const [{ words, shown }, setSaid] = useState(NOTHING);
  useEffect(() => {
    let clock;
    const take = ({ detail }) => {
      clearTimeout(clock);
      setSaid(detail);
      clock = setTimeout(() => setSaid(NOTHING), SHOWN);
    };
    addEventListener(SAID, take);
    return () => {
      clearTimeout(clock);
      removeEventListener(SAID, take);
    };
  }, []);
  return html`<p class=${words && shown ? "said" : "said unseen"} role="status" aria-live="polite">${words}</p>`;
}
