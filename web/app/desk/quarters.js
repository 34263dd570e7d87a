import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";

const PARTS = 4;
const STEADY = 2500; // milliseconds: what comes in bit by bit is at its end again and again

// Reads out how far something is that goes on in many small steps: at each quarter that it comes to, and once it is over for
// good. `words` is what is said then. What stands there when the page opens is not read out.
export function Quarters({ done, all, over, words }) {
  const quarter = all ? Math.floor((done / all) * PARTS) : 0;
  const [said, setSaid] = useState("");
  const known = useRef({ quarter, end: over ? words : "" });
  useEffect(() => {
    const before = known.current.quarter;
    known.current.quarter = quarter;
    if (!over && quarter > before) setSaid(words);
    if (!over || known.current.end === words) return undefined;
    const clock = setTimeout(() => {
      known.current.end = words;
      setSaid(words);
    }, STEADY);
    return () => clearTimeout(clock);
  }, [quarter, over, words]);
  return html`<p class="unseen" role="status">${said}</p>`;
}
