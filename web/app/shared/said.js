import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";

const SAID = "haggle-said";
const SHOWN = 6000; // milliseconds that a short word stays on the screen

// Say something in a few words: shown at the foot of the page for some seconds, and read out. For what happened, never
// for what somebody must not miss.
export function say(words) {
  dispatchEvent(new CustomEvent(SAID, { detail: words }));
}

// Where it is said; once on each page.
export function Said() {
  const [words, setWords] = useState("");
  useEffect(() => {
    let clock;
    const take = ({ detail }) => {
      clearTimeout(clock);
      setWords(detail);
      clock = setTimeout(() => setWords(""), SHOWN);
    };
    addEventListener(SAID, take);
    return () => {
      clearTimeout(clock);
      removeEventListener(SAID, take);
    };
  }, []);
  return html`<p class=${words ? "said" : "said unseen"} role="status" aria-live="polite">${words}</p>`;
}
