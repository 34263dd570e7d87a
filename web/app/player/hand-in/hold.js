import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";

const LONG = 1200; // milliseconds that a finger has to stay
const APART = 600; // milliseconds between two taps that are meant, and no double tap

// A button for what cannot be undone: it wants to be held. Who cannot hold it, as with a keyboard or a screen reader,
// presses it twice.
export function Hold({ label, second, help, onDone }) {
  const [share, setShare] = useState(0);
  const [armed, setArmed] = useState(0);
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
      held.current = false;
      navigator.vibrate?.(60);
      onDone();
    }
  };
  const cancel = () => {
    held.current = false;
    end(false);
  };
  const press = () => {
    // A finger or a mouse has gone through begin() before; keys come here alone.
    const finger = held.current;
    held.current = false;
    if (!armed) setArmed(performance.now());
    else if (!finger || performance.now() - armed > APART) onDone();
  };
  return html`<button
      type="button"
      class="action hold"
      style=${{ "--share": share }}
      aria-describedby="hold-help"
      onPointerDown=${begin}
      onPointerUp=${() => end(false)}
      onPointerCancel=${cancel}
      onContextMenu=${(event) => event.preventDefault()}
      onClick=${press}
    >
      ${armed ? second : label}
    </button>
    <p id="hold-help" class="field-help">${help}</p>
    <p class="unseen" role="status">${armed ? second : ""}</p>`;
}
