// Ways to choose a photo: a button, drag and drop, or paste.

import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.js";

const ACCEPT = "image/*,.heic,.heif,application/pdf";

// A button to take or choose a photo. `capture` opens the phone's camera; with `multiple`, `onChoose` gets an array of files.
export function PhotoInput({ label, icon, capture, multiple = false, secondary, focus, onChoose }) {
  const input = useRef(null);
  const take = (event) => {
    const files = [...event.currentTarget.files];
    // Otherwise choosing the same file again would not be a change.
    event.currentTarget.value = "";
    if (files.length) onChoose(multiple ? files : files[0]);
  };
  return html`<span class="chooser">
    <input ref=${input} type="file" accept=${ACCEPT} capture=${capture} multiple=${multiple} onChange=${take} hidden tabindex="-1" aria-label=${label} />
    <button
      type="button"
      class=${secondary ? "action secondary" : "action"}
      data-focus=${focus}
      onClick=${() => input.current.click()}
    >
      <${Icon} name=${icon} />${label}
    </button>
  </span>`;
}

// Call `onPhoto` with the first file that is dropped or pasted. Return true while one is dragged over the page.
export function usePhotoDrop(onPhoto) {
  const [over, setOver] = useState(false);
  const latest = useRef(onPhoto);
  latest.current = onPhoto;

  useEffect(() => {
    const carriesFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const drag = (event) => {
      if (!carriesFile(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event) => {
      if (!event.relatedTarget) setOver(false);
    };
    const take = (event, data) => {
      const file = data?.files?.[0];
      if (!file) return;
      event.preventDefault();
      setOver(false);
      latest.current(file);
    };
    const drop = (event) => take(event, event.dataTransfer);
    const paste = (event) => take(event, event.clipboardData);
    const listeners = { dragenter: drag, dragover: drag, dragleave: leave, drop, paste };
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name, listener);
    };
  }, []);
  return over;
}
