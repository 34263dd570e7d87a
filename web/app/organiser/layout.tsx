// Parts of the organisers' screens: menus, lazily loaded parts, and the list of shortcuts.

import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../shared/dialog";
import { Problem } from "../shared/http";
import { texts } from "../shared/i18n";
import { Icon, type IconName } from "../shared/icon";
import { Notice, Skeleton } from "../shared/notices";
import { Link, View } from "../shared/router";
import { listedShortcuts } from "./keyboard";

// A button that opens a menu. It closes with Escape, a click elsewhere, or a choice. `name` completes the label for screen
// readers.
type MenuProps = { label?: string; name?: string; icon?: IconName; end?: boolean; children: ComponentChildren };

export function Menu({ label, name, icon, end = false, children }: MenuProps) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const shut = ({ target }: Event) => {
      const menu = box.current;
      if (menu?.open && target instanceof Node && !menu.contains(target)) menu.open = false;
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
    if (!box.current) return;
    box.current.open = false;
    box.current.querySelector("summary")?.focus();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !box.current?.open) return;
    event.stopPropagation();
    shutBack();
  };
  const chosen = ({ target }: Event) => {
    if (target instanceof Element && target.closest("button, a")) shutBack();
  };
  return (
    <details class={end ? "menu menu-end" : "menu"} ref={box} onKeyDown={keys}>
      <summary aria-label={name} class={icon && !label ? "menu-icon" : ""}>
        {icon && <Icon name={icon} />}
        {label && <span class="clip">{label}</span>}
        {!icon && <Icon name="open" />}
      </summary>
      <div class="menu-list stack" onClick={chosen}>
        {children}
      </div>
    </details>
  );
}

// A part of the page that is loaded when it is opened: `load` returns a promise of its component.
type Load<Props> = () => Promise<FunctionComponent<Props>>;

export function LazyPart<Props extends object>({ load, rows = 4, ...rest }: { load: Load<Props>; rows?: number } & Props) {
  const [part, setPart] = useState<{ load: Load<Props>; component: FunctionComponent<Props> } | null>(null);
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
  // What remains are the properties of the component.
  return <part.component {...(rest as unknown as Props)} />;
}

// The list of all shortcuts of the current screen.
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.desk.keys.title} onClose={onClose}>
      {listedShortcuts().map(({ title, rows }) => (
        <section class="keys">
          <h3>{title}</h3>
          <dl>
            {rows.map(([keys, words]) => (
              <div>
                <dt>
                  {[keys].flat().map((key, place) => (
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

const Keys = ({ keys }: { keys: string }) =>
  keys.split(" ").map((key) => (
    <>
      <kbd>{key}</kbd>{" "}
    </>
  ));

// The page of the editor of editions where the browser lacks what its library for TOML needs.
export function OldBrowser() {
  const { title, detail } = texts.desk.oldBrowser;
  return (
    <View name="unknown" title={title} lead={detail}>
      <Link class="as-button" href="/desk/editions">
        {texts.desk.editions}
      </Link>
    </View>
  );
}

// A page for addresses that do not exist.
export function UnknownAddress() {
  const { title, detail } = new Problem("not-found");
  return (
    <View name="unknown" title={title} lead={detail}>
      <Link class="as-button" href="/desk">
        {texts.desk.games}
      </Link>
    </View>
  );
}
