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
