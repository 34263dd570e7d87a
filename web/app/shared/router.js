// Addresses inside a page: /desk/games/ABCD/queue and the like, without loading the page anew.

import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "./i18n.js";

const MOVED = "haggle-moved";

// Go to another address of this page. With `replace` the one before is forgotten by the browser's back button.
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  dispatchEvent(new Event(MOVED));
}

// The address as its parts: ["desk", "games", "ABCD"]. The component is drawn anew when it changes.
export function useRoute() {
  const [parts, setParts] = useState(route);
  useEffect(() => {
    const follow = () => setParts(route());
    for (const name of ["popstate", MOVED]) addEventListener(name, follow);
    return () => {
      for (const name of ["popstate", MOVED]) removeEventListener(name, follow);
    };
  }, []);
  return parts;
}

// A link that stays inside the page; opened in another tab it works as any link.
export function Link({ href, children, ...rest }) {
  const follow = (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(href);
  };
  return html`<a href=${href} onClick=${follow} ...${rest}>${children}</a>`;
}

const route = () => location.pathname.split("/").filter(Boolean).map(decodeURIComponent);

let opened = false;

// One screen of a page. Its title stands in the browser's tab, and gets the focus when the screen comes up, so that
// keyboards and screen readers are where the eye is. At the first sight of the page they are where browsers put them.
export function View({ title, name, lead, children }) {
  const heading = useRef(null);
  useEffect(() => {
    document.title = `${title} · ${texts.brand}`;
  }, [title]);
  useEffect(() => {
    if (opened) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    opened = true;
  }, [name]);
  return html`<section class=${`view view-${name}`}>
    <h1 ref=${heading} tabindex="-1">${title}</h1>
    ${lead && html`<p class="lead">${lead}</p>`}
    ${children}
  </section>`;
}
