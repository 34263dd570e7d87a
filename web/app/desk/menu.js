import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../shared/icon.js";

// A button that opens a short list of further things to do. It closes by Escape, by a click elsewhere, and when something
// in it is chosen. `name` says for whom or what it is, where the label alone does not.
export function Menu({ label, name, icon, end = false, children }) {
  const box = useRef(null);
  useEffect(() => {
    const shut = (event) => {
      if (box.current.open && !box.current.contains(event.target)) box.current.open = false;
    };
    addEventListener("click", shut);
    addEventListener("focusin", shut);
    return () => {
      removeEventListener("click", shut);
      removeEventListener("focusin", shut);
    };
  }, []);
  // What opened it gets the focus again, so that dialogs give it back there.
  const shutBack = () => {
    box.current.open = false;
    box.current.querySelector("summary").focus();
  };
  const keys = (event) => {
    if (event.key !== "Escape" || !box.current.open) return;
    event.stopPropagation();
    shutBack();
  };
  const chosen = (event) => {
    if (event.target.closest("button, a")) shutBack();
  };
  return html`<details class=${end ? "menu menu-end" : "menu"} ref=${box} onKeyDown=${keys}>
    <summary aria-label=${name} class=${icon && !label ? "menu-icon" : ""}>
      ${icon && html`<${Icon} name=${icon} />`}${label && html`<span>${label}</span>`}
      ${!icon && html`<${Icon} name="open" />`}
    </summary>
    <div class="menu-list" onClick=${chosen}>${children}</div>
  </details>`;
}
