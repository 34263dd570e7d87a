// Client-side routing for paths such as /desk/games/ABCD/queue, and the frame of a screen.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "./i18n";

const NAVIGATED = "haggle-moved";

// Open another path of this page. With `replace` it takes the current one's place in the history.
export function navigate(path: string, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  dispatchEvent(new Event(NAVIGATED));
}

// Return the path's segments, such as ["desk", "games", "ABCD"], and render again when it changes.
export function useRoute(): string[] {
  const [parts, setParts] = useState(segments);
  useEffect(() => {
    const follow = () => setParts(segments());
    for (const name of ["popstate", NAVIGATED]) addEventListener(name, follow);
    return () => {
      for (const name of ["popstate", NAVIGATED]) removeEventListener(name, follow);
    };
  }, []);
  return parts;
}

type LinkProps = Omit<JSX.HTMLAttributes<HTMLAnchorElement>, "href"> & { href: string };

// A link to a path of this page; works as any link when it is opened in another tab.
export function Link({ href, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  );
}

const segments = () => location.pathname.split("/").filter(Boolean).map(decodeURIComponent);

let hasOpened = false;

type ViewProps = {
  title: string;
  name: string;
  lead?: ComponentChildren;
  children?: ComponentChildren;
};

// A screen of a page. When it opens, its title gets the focus, for keyboards and screen readers, except for the first one
// after the page was loaded.
export function View({ title, name, lead, children }: ViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${texts.brand}`;
  }, [title]);
  useEffect(() => {
    if (hasOpened) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    hasOpened = true;
  }, [name]);
  return (
    <section class={`view view-${name}`}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
