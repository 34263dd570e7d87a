import { html } from "htm/preact";
import { useRef } from "preact/hooks";

const PARTS = 4;

// Reads out how far something is that goes on in many small steps: at each quarter, and at its end. `words` is what is said
// then. What stands there when the page opens is not read out.
export function Quarters({ done, all, words }) {
  const now = all ? Math.floor((done / all) * PARTS) : 0;
  const heard = useRef({ at: now, said: "" });
  if (heard.current.at !== now) heard.current = { at: now, said: words };
  return html`<p class="unseen" role="status">${heard.current.said}</p>`;
}
