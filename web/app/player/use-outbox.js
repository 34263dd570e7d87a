import { useEffect, useRef, useState } from "preact/hooks";
import { outbox } from "./outbox/outbox.js";

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

// Whether a hand-in is among what waits.
export const handsIn = (items) => items.some(({ kind, state }) => kind === "hand-in" && state !== "refused");
