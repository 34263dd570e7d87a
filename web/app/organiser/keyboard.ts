// Keyboard shortcuts, their list for the help dialog, and the focus after elements are removed.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

const TEXT_FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const SEQUENCE_TIMEOUT = 1500; // milliseconds between the two keys of a sequence such as g e

// A key or several, and what they do.
export type HelpRow = [keys: string | string[], words: string];
type Group = { title: string; rows: HelpRow[] };
type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

const groups = new Set<RefObject<Group>>();

// List these keys in the help dialog while the component is shown; rows are pairs such as [["j", "↓"], "next"].
export function useShortcutHelp(title: string, rows: HelpRow[]) {
  const group = useRef<Group>(null);
  group.current = { title, rows };
  useEffect(() => {
    groups.add(group);
    return () => void groups.delete(group);
  }, []);
}

// Return the groups that are listed now: { title, rows }.
export const listedShortcuts = () => [...groups].flatMap(({ current }) => current ?? []);

// Components with shortcuts, the last one first. They share the first key of a sequence.
const activeShortcuts: { current: Shortcuts }[] = [];
let first = "";
let timer: ReturnType<typeof setTimeout> | undefined;

function press(event: KeyboardEvent) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if ((event.target instanceof Element && event.target.closest(TEXT_FIELDS)) || document.querySelector("dialog[open]")) return;
  if (event.key === "Shift") return;
  const pressed = first ? `${first} ${event.key}` : event.key;
  clearTimeout(timer);
  first = "";
  const keys: Shortcuts = Object.assign({}, ...activeShortcuts.map(({ current }) => current));
  const call = keys[pressed];
  if (!call && !Object.keys(keys).some((name) => name.startsWith(`${pressed} `))) return;
  event.preventDefault();
  if (call) return call(event);
  first = pressed;
  timer = setTimeout(() => (first = ""), SEQUENCE_TIMEOUT);
}

// Call the function of a key, or of a sequence such as "g e", pressed anywhere on the page, but not in a text field or below
// an open dialog. Other effects of that key are prevented.
export function useShortcuts(keys: Shortcuts) {
  const latest = useRef(keys);
  latest.current = keys;
  // In a layout effect, so that keys pressed at once count.
  useLayoutEffect(() => {
    if (!activeShortcuts.length) addEventListener("keydown", press, true);
    activeShortcuts.push(latest);
    return () => {
      activeShortcuts.splice(activeShortcuts.indexOf(latest), 1);
      if (!activeShortcuts.length) removeEventListener("keydown", press, true);
    };
  }, []);
}

// Restore the focus when the element that has it is removed, such as a deleted row: browsers then focus nothing and screen
// readers say nothing. The focus goes to the topmost dialog or to the screen's title.
export function restoreFocus() {
  let last: Element | null = null;
  addEventListener("focusin", ({ target }) => {
    last = target instanceof Element ? target : null;
  });
  // A click elsewhere removes the focus on purpose.
  addEventListener("pointerdown", () => {
    last = null;
  });
  const moveFocus = () => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    const next = dialog ? dialog.querySelector("button") : document.querySelector<HTMLElement>("main h1[tabindex]");
    next?.focus({ preventScroll: true });
  };
  // Screens that know a better target focus it when they render, which is before this.
  new MutationObserver(() => last && !last.isConnected && requestAnimationFrame(() => setTimeout(moveFocus))).observe(
    document.body,
    { childList: true, subtree: true },
  );
}
