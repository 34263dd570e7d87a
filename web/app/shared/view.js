import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "./texts.js";

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
