import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";

const LONG = 1200; // milliseconds that a finger has to stay

// A button for what cannot be undone: it wants to be held. Keyboards and screen readers press it twice instead.
export function Hold({ label, second, help, onDone }) {
  const [share, setShare] = useState(0);
  const [armed, setArmed] = useState(false);
  const clock = useRef(null);
  const held = useRef(false);
  useEffect(() => () => cancelAnimationFrame(clock.current), []);

  const begin = (event) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = true;
    const from = performance.now();
    const grow = (at) => {
      const now = Math.min(1, (at - from) / LONG);
      setShare(now);
      if (now < 1) clock.current = requestAnimationFrame(grow);
      else end(true);
    };
    clock.current = requestAnimationFrame(grow);
  };
  const end = (done) => {
    cancelAnimationFrame(clock.current);
    setShare(0);
    if (done) {
      navigator.vibrate?.(60);
      onDone();
    }
  };
  const press = () => {
    // A finger or a mouse has gone through begin() before; keys and readers come here alone.
    if (held.current) {
      held.current = false;
      return;
    }
    if (armed) onDone();
    else setArmed(true);
  };
  return html`<button
      type="button"
      class="action hold"
      style=${{ "--share": share }}
      aria-describedby="hold-help"
      onPointerDown=${begin}
      onPointerUp=${() => end(false)}
      onPointerCancel=${() => end(false)}
      onContextMenu=${(event) => event.preventDefault()}
      onClick=${press}
    >
      ${armed ? second : label}
    </button>
    <p id="hold-help" class="field-help">${help}</p>
    <p class="unseen" role="status">${armed ? second : ""}</p>`;
}
