// The dialog of all pages.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { texts } from "./i18n";
import { Icon } from "./icon";

export const DOUBLE_CLICK_TIME = 400; // milliseconds in which the second click may reach what is below a dialog, or the next one

type DialogProps = {
  title: ComponentChildren;
  onClose: () => void;
  wide?: boolean;
  focusTitle?: boolean;
  children?: ComponentChildren;
};

// A modal dialog of the browser: it traps the focus, closes with Escape, and gives the focus back. `onClose` is called however
// it closes. `wide` is for pictures and tables. `focusTitle` is for dialogs that open by themselves: the next key must not send
// or close them.
export function Dialog({ title, onClose, wide = false, focusTitle = false, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const removed = useRef(false);
  const name = useId();
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => {
      // Whoever removes the dialog knows that it closes.
      removed.current = true;
      if (dialog?.open) dialog.close();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={wide ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={name}
      onClose={() => removed.current || onClose()}
    >
      <article>
        <header>
          <h2 id={name} {...(focusTitle && { tabIndex: -1, autofocus: true })}>
            {title}
          </h2>
          <button type="button" class="icon-button" aria-label={texts.close} onClick={() => box.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </article>
    </dialog>
  );
}
