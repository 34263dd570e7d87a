// Problems, placeholders, and short announcements.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "./http";
import { texts } from "./i18n";

type NoticeProps = {
  problem: Pick<Problem, "title" | "detail">;
  onRetry?: (() => void) | undefined;
  small?: boolean;
  children?: ComponentChildren;
};

// A problem with advice. `onRetry` adds a button to try again; `small` is for use beside a field.
export function Notice({ problem, onRetry, small = false, children }: NoticeProps) {
  return (
    <div class={small ? "notice notice-small" : "notice"} role="alert">
      {small ? <strong>{problem.title}</strong> : <h2>{problem.title}</h2>}
      {problem.detail && <p>{problem.detail}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {texts.again}
        </button>
      )}
      {children}
    </div>
  );
}

// A placeholder of about the size of what is being loaded.
export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div class="skeletons" role="group" aria-busy="true" aria-label={texts.loading}>
      {Array.from({ length: rows }, () => (
        <div class="skeleton" />
      ))}
    </div>
  );
}

const ANNOUNCED = "haggle-said";
const NO_MESSAGE = { words: "", shown: false };
const DURATION = 6000; // milliseconds

// Show a short message at the foot of the page for some seconds, and have screen readers read it. For what has happened,
// never for what must not be missed. With `shown: false` only screen readers get it.
export function announce(words: string, { shown = true } = {}) {
  dispatchEvent(new CustomEvent(ANNOUNCED, { detail: { words, shown } }));
}

// The place of these messages, once on each page.
export function Announcements() {
  const [{ words, shown }, setSaid] = useState(NO_MESSAGE);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (event: Event) => {
      const { detail } = event as CustomEvent<typeof NO_MESSAGE>;
      clearTimeout(timer);
      setSaid(detail);
      timer = setTimeout(() => setSaid(NO_MESSAGE), DURATION);
    };
    addEventListener(ANNOUNCED, take);
    return () => {
      clearTimeout(timer);
      removeEventListener(ANNOUNCED, take);
    };
  }, []);
  return (
    <p class={words && shown ? "toast" : "toast visually-hidden"} role="status" aria-live="polite">
      {words}
    </p>
  );
}
