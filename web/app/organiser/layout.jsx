// Parts of the organisers' screens: menus, lazily loaded parts, and the list of shortcuts.

import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../shared/dialog";
import { texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { Notice, Skeleton } from "../shared/notices";
import { listedShortcuts } from "./keyboard";

// A button that opens a menu. It closes with Escape, a click elsewhere, or a choice. `name` completes the label for screen
// readers.
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
  // Focus the button again, so that dialogs return the focus there.
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
  return (
    <details class={end ? "menu menu-end" : "menu"} ref={box} onKeyDown={keys}>
      <summary aria-label={name} class={icon && !label ? "menu-icon" : ""}>
        {icon && <Icon name={icon} />}
        {label && <span>{label}</span>}
        {!icon && <Icon name="open" />}
      </summary>
      <div class="menu-list" onClick={chosen}>
        {children}
      </div>
    </details>
  );
}

// A part of the page that is loaded when it is opened: `load` returns a promise of its component.
export function LazyPart({ load, rows = 4, ...rest }) {
  const [part, setPart] = useState(null);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    let current = true;
    setBroken(false);
    load().then(
      (component) => current && setPart({ load, component }),
      () => current && setBroken(true),
    );
    return () => {
      current = false;
    };
  }, [load]);
  // Browsers never try to load a failed module again, so reload the page.
  if (broken) return <Notice problem={texts.problems.network} onRetry={() => location.reload()} />;
  if (part?.load !== load) return <Skeleton rows={rows} />;
  return <part.component {...rest} />;
}

// The list of all shortcuts of the current screen.
export function ShortcutsDialog({ onClose }) {
  return (
    <Dialog title={texts.desk.keys.title} onClose={onClose}>
      {listedShortcuts().map(({ title, rows }) => (
        <section class="keys">
          <h3>{title}</h3>
          <dl>
            {rows.map(([keys, words]) => (
              <div>
                <dt>
                  {[].concat(keys).map((key, place) => (
                    <>
                      {place > 0 && <span>{texts.desk.keys.or}</span>}
                      <Keys keys={key} />
                    </>
                  ))}
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}

const Keys = ({ keys }) =>
  keys.split(" ").map((key) => (
    <>
      <kbd>{key}</kbd>{" "}
    </>
  ));
