import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";

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
