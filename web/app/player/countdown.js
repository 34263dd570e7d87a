import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { duration, moment, serverNow } from "../shared/times.js";
import { texts } from "../shared/texts.js";
import { usePlace } from "./place.js";

const SPREAD = 3000; // milliseconds

// The time until something, in milliseconds by the server's clock, anew each second.
export function useLeft(time) {
  const [left, setLeft] = useState(() => new Date(time) - serverNow());
  useEffect(() => {
    const count = () => setLeft(new Date(time) - serverNow());
    count();
    const clock = setInterval(count, 1000);
    return () => clearInterval(clock);
  }, [time]);
  return left;
}

// When the game ends, and how long that still is, while it is played.
export function Countdown({ game }) {
  if (game.state !== "open") return null;
  if (!game.deadline) return html`<p class="countdown countdown-none">${texts.countdown.none}</p>`;
  return html`<${Running} game=${game} />`;
}

function Running({ game }) {
  const left = useLeft(game.deadline);
  const { again } = usePlace();
  const over = left <= 0;
  useEffect(() => {
    if (!over) return undefined;
    // The game closes now. Not all phones ask at the same moment.
    const clock = setTimeout(again, SPREAD * Math.random() + 500);
    return () => clearTimeout(clock);
  }, [over]);
  return html`<p class="countdown">
    <span>${left > 0 ? texts.countdown.left : texts.countdown.over}</span>
    <strong role="timer">${duration(left)}</strong>
    <small>${moment(game.deadline, game.timezone)}</small>
  </p>`;
}
