import { useEffect, useRef, useState } from "preact/hooks";
import { different, same } from "./values.js";

const kept = new Map();

// What somebody types into a form while others may change the same thing: { values, set, base, theirs, take, keep }.
// `now` is how it stands on the server. What was not touched follows it; where both have changed a field, it is among
// `theirs`, until one takes the other's value or keeps one's own. Nothing that was typed is ever lost, not even by looking
// at another part of the desk: it is kept under `key` until the page is closed.
export function useMerged(now, key) {
  const [state, setState] = useState(kept.get(key) ?? { base: now, values: now, theirs: [] });
  const seen = useRef(state.base);
  kept.set(key, state);
  useEffect(() => {
    if (same(seen.current, now)) return;
    seen.current = now;
    setState(({ base, values, theirs }) => {
      const changed = different(now, base);
      const touched = different(values, base);
      const both = changed.filter((name) => touched.includes(name) && !same(values[name], now[name]));
      const followed = changed.filter((name) => !touched.includes(name));
      const next = { ...values, ...Object.fromEntries(followed.map((name) => [name, now[name]])) };
      return { base: now, values: next, theirs: [...new Set([...theirs, ...both])].filter((name) => !same(next[name], now[name])) };
    });
  });
  const set = (changes) => setState((before) => ({ ...before, values: { ...before.values, ...changes } }));
  const keep = (name) => setState((before) => ({ ...before, theirs: before.theirs.filter((other) => other !== name) }));
  const take = (name) => {
    set({ [name]: now[name] });
    keep(name);
  };
  return { ...state, set, take, keep };
}
