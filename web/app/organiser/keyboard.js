// The desk's own keys, and the list of all keys that the help dialog shows.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

const WRITING = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const PATIENCE = 1500; // milliseconds between the two keys of a pair such as g e

const groups = new Set();

// Have the help dialog list these keys while the component is shown: rows are pairs such as [["j", "↓"], "next"].
export function useHelp(title, rows) {
  const group = useRef();
  group.current = { title, rows };
  useEffect(() => {
    groups.add(group);
    return () => groups.delete(group);
  }, []);
}

// All groups that are listed just now: { title, rows }.
export const listed = () => [...groups].map(({ current }) => current);

// What is shown has keys, what was shown last first. All share the first key of a pair.
const shown = [];
let first = "";
let clock;

function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest?.(WRITING) || document.querySelector("dialog[open]")) return;
  if (event.key === "Shift") return;
  const pressed = first ? `${first} ${event.key}` : event.key;
  clearTimeout(clock);
  first = "";
  const keys = Object.assign({}, ...shown.map(({ current }) => current));
  const call = keys[pressed];
  if (!call && !Object.keys(keys).some((name) => name.startsWith(`${pressed} `))) return;
  event.preventDefault();
  if (call) return call(event);
  first = pressed;
  clock = setTimeout(() => (first = ""), PATIENCE);
}

// Call what belongs to a key, or to two in a row such as "g e", that is pressed anywhere on the page. Not while somebody
// writes in a field, nor below an open dialog. A key that does something here does nothing else.
export function useDeskKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  // With what is shown, not after it is painted: a key pressed at once counts.
  useLayoutEffect(() => {
    if (!shown.length) addEventListener("keydown", press, true);
    shown.push(latest);
    return () => {
      shown.splice(shown.indexOf(latest), 1);
      if (!shown.length) removeEventListener("keydown", press, true);
    };
  }, []);
}

// Where what has the focus goes away, such as the button that began something, or the row of what was deleted, browsers
// leave the focus nowhere, and screen readers say nothing. Then it goes to the uppermost dialog, or to the view's title.
export function keepFocus() {
  let last = null;
  addEventListener("focusin", ({ target }) => (last = target));
  // Who points elsewhere leaves the focus on purpose.
  addEventListener("pointerdown", () => (last = null));
  const look = () => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    const next = dialog ? dialog.querySelector("button") : document.querySelector("main h1[tabindex]");
    next?.focus({ preventScroll: true });
  };
  // Views that know better where to go on do so right after they are drawn.
  new MutationObserver(() => last && !last.isConnected && requestAnimationFrame(() => setTimeout(look))).observe(document.body, { childList: true, subtree: true });
}
