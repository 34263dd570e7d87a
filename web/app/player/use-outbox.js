import { useEffect, useRef, useState } from "preact/hooks";
import { go } from "../shared/router.js";
import { say } from "../shared/said.js";
import { texts } from "../shared/texts.js";
import { outbox } from "./outbox/outbox.js";
import { usePlace } from "./place.js";

const LULL = 600; // milliseconds between two things, or before the first, that are no waiting yet

// What waits to be sent for a player; `onChange` hears of each thing that arrives or is refused.
export function useOutbox(token, onChange = () => {}) {
  const [items, setItems] = useState(() => outbox.items(token));
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const take = (change = {}) => {
      setItems(outbox.items(token));
      latest.current(change);
    };
    const end = outbox.subscribe(take);
    outbox.start().then(() => setItems(outbox.items(token)));
    return end;
  }, [token]);
  return items;
}

// Once a hand-in has got through: the receipt, on the first page. For pages alone: the news of a hand-in may come before its
// own answer, and takes whatever asked for it from the screen.
export function useReceipt() {
  const { seat, again } = usePlace();
  return useOutbox(seat.token, ({ sent }) => {
    if (sent?.kind !== "hand-in") return;
    say(texts.receipt.title, { shown: false });
    again().then(() => location.pathname === "/" || go("/"));
  });
}

// Whether none of these is being sent, and has not been for a while, as when the server has put them off.
export function useStuck(items) {
  const idle = items.length > 0 && !items.some(({ state }) => state === "sending");
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    setLasts(false);
    const clock = idle && setTimeout(setLasts, LULL, true);
    return () => clearTimeout(clock);
  }, [idle]);
  return idle && lasts;
}

// Whether a hand-in is among what waits.
export const handsIn = (items) => items.some(({ kind, state }) => kind === "hand-in" && state !== "refused");
