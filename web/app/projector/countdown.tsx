// The screens before the ceremony.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ProjectorModel } from "../../api";
import { formatDateTime, serverNow, texts } from "../shared/i18n";

const UPDATE_INTERVAL = 200; // milliseconds between two updates
const POLL_INTERVAL = 2000; // milliseconds between polls until the game is closed
const URGENT_SECONDS = 600; // seconds
const FINAL_SECONDS = 60;
const SPOKEN_SECONDS = [3600, 1800, 600, 300, 60]; // seconds left at which screen readers say the time

// Return the seconds until a time by the server's clock, null without one. At 0 the server is polled until the game is closed.
export function useSecondsLeft(deadline: string | null, onOver: () => void): number | null {
  const seconds = () => (deadline ? Math.ceil((new Date(deadline).getTime() - serverNow()) / 1000) : null);
  const [left, setLeft] = useState(seconds);
  const asked = useRef(0);
  useEffect(() => {
    setLeft(seconds());
    if (!deadline) return undefined;
    const timer = setInterval(() => {
      setLeft(seconds());
      if ((seconds() ?? 0) > 0 || Date.now() - asked.current < POLL_INTERVAL) return;
      asked.current = Date.now();
      onOver();
    }, UPDATE_INTERVAL);
    return () => clearInterval(timer);
  }, [deadline, onOver]);
  const now = seconds();
  return now !== null && now > 0 && (left ?? 0) <= 0 ? now : left;
}

// The countdown, the number of hand-ins, and how to join.
type Screen = { screen: ProjectorModel };

export function Countdown({ screen, left }: Screen & { left: number | null }) {
  const mood = left === null ? "" : left <= FINAL_SECONDS ? "last" : left <= URGENT_SECONDS ? "urgent" : "";
  return (
    <section class={`countdown ${mood && `countdown-${mood}`}`}>
      <h1>{left === null ? texts.screen.playing : texts.screen.left}</h1>
      {left !== null && <Clock left={left} />}
      {screen.deadline && <p>{texts.screen.until({ moment: formatDateTime(screen.deadline, screen.timezone) })}</p>}
      <HandIns screen={screen} />
      <p>{texts.screen.join}</p>
    </section>
  );
}

type Part = [unit: keyof typeof texts.screen.units, count: number];

const partText = ([unit, count]: Part) => `${count} ${texts.screen.units[unit]({ count })}`;

function Clock({ left }: { left: number }) {
  const parts: Part[] = [
    ["days", Math.floor(left / 86_400)],
    ["hours", Math.floor(left / 3600) % 24],
    ["minutes", Math.floor(left / 60) % 60],
    ["seconds", left % 60],
  ];
  // Drop leading zeros.
  while (parts.length > 1 && parts[0]?.[1] === 0) parts.shift();
  const said = useSpokenTime(left);
  return (
    <>
      <p
        class="clock"
        role="timer"
        aria-label={texts.screen.timer({ time: parts.map(partText).join(" ") })}
        data-parts={parts.length}
      >
        {parts.map(([unit, count], place) => (
          <span class="clock-part" aria-hidden="true">
            <b class="number clock-digits">
              {[...String(count).padStart(place ? 2 : 1, "0")].map((digit) => (
                <i>{digit}</i>
              ))}
            </b>
            <small>{texts.screen.units[unit]({ count })}</small>
          </span>
        ))}
      </p>
      <p class="visually-hidden" aria-live="polite">
        {said}
      </p>
    </>
  );
}

// Return a text for screen readers at a few moments.
function useSpokenTime(left: number) {
  const [said, setSaid] = useState("");
  const now = SPOKEN_SECONDS.find((moment) => left === moment);
  useEffect(() => {
    if (now) setSaid(texts.screen.timer({ time: partText(["minutes", now / 60]) }));
  }, [now]);
  return said;
}

// The number of hand-ins, also as a bar.
function HandIns({ screen }: Screen) {
  return (
    <div class="hand-ins">
      <p id="hand-ins">
        <b class="number">{screen.hand_ins}</b> {texts.screen.handedIn({ all: screen.envelopes })}
      </p>
      <progress value={screen.hand_ins} max={Math.max(1, screen.envelopes)} aria-labelledby="hand-ins" />
    </div>
  );
}

// Before the game opens.
export function BeforeGame({ screen }: Screen) {
  return (
    <section class="waiting">
      <h1>{texts.screen.soon}</h1>
      {screen.deadline && <p>{texts.screen.until({ moment: formatDateTime(screen.deadline, screen.timezone) })}</p>}
      <p>{texts.screen.join}</p>
    </section>
  );
}

// After the deadline: pencils down, the results are being prepared.
export function PencilsDown({ screen }: Screen) {
  return (
    <section class="waiting">
      <h1>{texts.screen.over}</h1>
      <p>{screen.state === "frozen" ? texts.screen.ready : texts.screen.counting}</p>
      <HandIns screen={screen} />
    </section>
  );
}
