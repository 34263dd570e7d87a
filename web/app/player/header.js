import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Icon } from "../shared/icon.js";
import { Link } from "../shared/router.js";
import { texts } from "../shared/texts.js";
import { lazy } from "./lazy.js";

const Menu = lazy(() => import("./menu.js").then(({ Menu }) => Menu), { small: true });

// Above every screen: the game, whose envelope it is, and what is seldom needed.
export function Header({ seat, others = [] }) {
  const [open, setOpen] = useState(false);
  return html`<header class="masthead">
    <div class="masthead-inner">
      <${Link} class="brand" href="/">
        <span class="brand-name">${texts.brand}</span>
        <span class="brand-edition brand-game">${seat?.name ?? texts.tagline}</span>
      <//>
      <div class="masthead-side">
        ${seat && html`<p class="envelope"><span class="envelope-word">${texts.envelope(seat.envelope)}</span><span class="envelope-short" aria-hidden="true">${seat.envelope}</span></p>`}
        <button type="button" class="bare" aria-label=${texts.menu.open} onClick=${() => setOpen(true)}><${Icon} name="menu" /></button>
      </div>
    </div>
    ${open && html`<${Menu} seat=${seat} others=${others} onClose=${() => setOpen(false)} />`}
  </header>`;
}
