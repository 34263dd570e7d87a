// A form that others may save at the same time.

import { useEffect, useRef, useState } from "preact/hooks";
import { changedFields, type FieldName, isEqual, type Values } from "./settings";

type MergedForm = { base: Values; values: Values; theirs: FieldName[] };

const unsavedForms = new Map<string, MergedForm>();

// State of a form that others may save at the same time: { values, set, base, theirs, take, keep }. `now` are the server's
// values. Untouched fields follow the server; fields that both have changed are listed in `theirs` until the organiser takes
// the other value or keeps their own. Unsaved values are kept under `key` until the page is closed, also while another tab of
// the game is shown.
export function useMergedForm(now: Values, key: string) {
  const [state, setState] = useState<MergedForm>(unsavedForms.get(key) ?? { base: now, values: now, theirs: [] });
  const seen = useRef(state.base);
  unsavedForms.set(key, state);
  useEffect(() => {
    if (isEqual(seen.current, now)) return;
    seen.current = now;
    setState(({ base, values, theirs }) => {
      const changed = changedFields(now, base);
      const touched = changedFields(values, base);
      const both = changed.filter((name) => touched.includes(name) && !isEqual(values[name], now[name]));
      const followed = changed.filter((name) => !touched.includes(name));
      const next = { ...values, ...Object.fromEntries(followed.map((name) => [name, now[name]])) };
      return {
        base: now,
        values: next,
        theirs: [...new Set([...theirs, ...both])].filter((name) => !isEqual(next[name], now[name])),
      };
    });
  });
  const set = (changes: Partial<Values>) => setState((before) => ({ ...before, values: { ...before.values, ...changes } }));
  const keep = (name: FieldName) =>
    setState((before) => ({ ...before, theirs: before.theirs.filter((other) => other !== name) }));
  const take = (name: FieldName) => {
    set({ [name]: now[name] });
    keep(name);
  };
  return { ...state, set, take, keep };
}
