// The dialog of all pages.

import type { ComponentChildren, RefObject, TargetedEvent } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
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

// Show a modal dialog of the browser until its component is removed; return the handlers of its element. `onClose` must remove
// the component. It is called at once, and not by the browser's `close`: that event comes later, and would close a dialog that
// was opened again meanwhile.
export function useModal(box: RefObject<HTMLDialogElement>, onClose: () => void) {
  const removed = useRef(false);
  // Not after the next frame, since a key that is pressed until then would not reach the dialog.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => {
      removed.current = true;
      dialog?.close();
    };
  }, []);
  return {
    onCancel: (event: TargetedEvent<HTMLDialogElement>) => {
      // File inputs in a dialog have such an event, too.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      onClose();
    },
    // A second Escape closes a dialog without `cancel`.
    onClose: () => removed.current || onClose(),
  };
}

// A modal dialog of the browser: it traps the focus, closes with Escape, and gives the focus back. `onClose` is called however
// it closes. `wide` is for pictures and tables. `focusTitle` is for dialogs that open by themselves: the next key must not send
// or close them.
export function Dialog({ title, onClose, wide = false, focusTitle = false, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const name = useId();
  const modal = useModal(box, onClose);
  return (
    <dialog ref={box} class={wide ? "dialog dialog-wide" : "dialog"} aria-labelledby={name} {...modal}>
      <article>
        <header>
          <h2 id={name} {...(focusTitle && { tabIndex: -1, autofocus: true })}>
            {title}
          </h2>
          <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </article>
    </dialog>
  );
}
