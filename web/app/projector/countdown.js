import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { moment, serverNow, texts } from "../shared/i18n.js";

const LOOK = 200; // milliseconds between two looks at the clock
const ASK = 2000; // milliseconds until the server is asked again whether the game is closed
const URGENT = 600; // seconds
const LAST = 60;
const SPOKEN = [3600, 1800, 600, 300, 60]; // seconds at which a reader says how long it is

// Seconds until a time by the server's clock, null without one. When they are over the server is asked until it says so.
export function useLeft(deadline, onOver) {
  const seconds = () => (deadline ? Math.ceil((new Date(deadline) - serverNow()) / 1000) : null);
  const [left, setLeft] = useState(seconds);
  const asked = useRef(0);
  useEffect(() => {
    setLeft(seconds());
    if (!deadline) return undefined;
    const clock = setInterval(() => {
      setLeft(seconds());
      if (seconds() > 0 || Date.now() - asked.current < ASK) return;
      asked.current = Date.now();
      onOver();
    }, LOOK);
    return () => clearInterval(clock);
  }, [deadline, onOver]);
  return deadline && seconds() > 0 && left <= 0 ? seconds() : left;
}

// The clock that runs down, how many have handed in, and how to join.
export function Countdown({ screen, left }) {
  const mood = left === null ? "" : left <= LAST ? "last" : left <= URGENT ? "urgent" : "";
  return html`<section class=${`countdown ${mood && `countdown-${mood}`}`}>
    <h1>${left === null ? texts.screen.playing : texts.screen.left}</h1>
    ${left !== null && html`<${Clock} left=${left} />`}
    ${screen.deadline && html`<p class="countdown-until">${texts.screen.until(moment(screen.deadline, screen.timezone))}</p>`}
    <${HandIns} screen=${screen} />
    <p class="countdown-join">${texts.screen.join}</p>
  </section>`;
}

function Clock({ left }) {
  const parts = [
    ["days", Math.floor(left / 86_400)],
    ["hours", Math.floor(left / 3600) % 24],
    ["minutes", Math.floor(left / 60) % 60],
    ["seconds", left % 60],
  ];
  // What is zero at the left is gone.
  while (parts.length > 1 && parts[0][1] === 0) parts.shift();
  const said = useSpoken(left);
  return html`<p class="clock" role="timer" aria-label=${texts.screen.timer(parts)} data-parts=${parts.length}>
      ${parts.map(
        ([unit, count], place) => html`<span class="clock-part" aria-hidden="true">
          <b class="clock-digits">${[...String(count).padStart(place ? 2 : 1, "0")].map((digit) => html`<i>${digit}</i>`)}</b>
          <small>${texts.screen.units[unit](count)}</small>
        </span>`,
      )}
    </p>
    <p class="unseen" aria-live="polite">${said}</p>`;
}

// What a screen reader says, at a few moments only.
function useSpoken(left) {
  const [said, setSaid] = useState("");
  const now = SPOKEN.find((moment) => left === moment);
  useEffect(() => {
    if (now) setSaid(texts.screen.timer([["minutes", now / 60]]));
  }, [now]);
  return said;
}

// How many have handed in, as a number and as a bar.
function HandIns({ screen }) {
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
