// What is being edited: its text with undo and redo. It is kept in this browser until it is saved.

import { useCallback, useLayoutEffect, useState } from "preact/hooks";

const MERGE_TIME = 1500; // milliseconds in which changes of the same field are undone together
const MAX_STEPS = 200;

export type History = { past: string[]; text: string; future: string[]; field: string; at: number };

export const startedHistory = (text: string): History => ({ past: [], text, future: [], field: "", at: 0 });

// Return the history after a change of a field at a time in milliseconds.
export function afterChange(history: History, text: string, field: string, at: number): History {
  if (text === history.text) return history;
  const merge = field !== "" && field === history.field && at - history.at < MERGE_TIME;
  const past = merge ? history.past : [...history.past, history.text].slice(-MAX_STEPS);
  return { past, text, future: [], field, at };
}

export function undone({ past, text, future }: History): History {
  const before = past.at(-1);
  if (before === undefined) return { past, text, future, field: "", at: 0 };
  return { past: past.slice(0, -1), text: before, future: [text, ...future], field: "", at: 0 };
}

export function redone({ past, text, future: [after, ...future] }: History): History {
  if (after === undefined) return { past, text, future: [], field: "", at: 0 };
  return { past: [...past, text], text: after, future, field: "", at: 0 };
}

// A saved version of an edition.
export type Source = { title: string; version: number; text: string };
type Kept = { version: number; text: string };

// Return the draft with which the editor opens. A kept one is of another edition that had this slug if it is based on a version
// that does not exist, or that has another text.
export function openedDraft(kept: Stored | null, { version, text }: Source): Stored {
  const ofThis = kept && (kept.base.version < version || (kept.base.version === version && kept.base.text === text));
  return ofThis ? kept : { base: { version, text }, text };
}

// The draft of an edition, with the version on which it is based: another organiser may have saved one since.
export function useDraft(slug: string, source: Source) {
  const name = `haggle-edition-${slug}`;
  const [opened] = useState(() => openedDraft(readKept(name), source));
  const [base, setBase] = useState(opened.base);
  const [history, setHistory] = useState(() => startedHistory(opened.text));
  const { text } = history;
  // Also what is typed while a request to save is under way.
  useLayoutEffect(() => keep(name, text === base.text ? null : { base, text }), [name, base, text]);
  return {
    text,
    base,
    changed: text !== base.text,
    outdated: base.version < source.version,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    setText: useCallback((next: string, field = "") => setHistory((before) => afterChange(before, next, field, Date.now())), []),
    undo: useCallback(() => setHistory(undone), []),
    redo: useCallback(() => setHistory(redone), []),
    // The text of this moment is the one that was sent.
    saved: (version: number) => setBase({ version, text }),
    rebase: () => setBase(source),
    take: (other: Source) => {
      setBase(other);
      setHistory((before) => afterChange(before, other.text, "", Date.now()));
    },
  };
}

type Stored = { base: Kept; text: string };

function readKept(name: string): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

function keep(name: string, stored: Stored | null) {
  try {
    if (stored) localStorage.setItem(name, JSON.stringify(stored));
    else localStorage.removeItem(name);
  } catch {
    // Without storage, or without space, the draft is there as long as the page is.
  }
}
