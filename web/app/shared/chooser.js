import { html } from "htm/preact";
import { useRef } from "preact/hooks";
import { Icon } from "./icon.js";

const ACCEPT = "image/*,.heic,.heif,application/pdf";

// A button that lets people take or choose a picture. `capture` asks the phone for its camera; with `multiple` several may be
// chosen, and `onChoose` gets all of them.
export function Chooser({ label, icon, capture, multiple = false, secondary, focus, onChoose }) {
  const input = useRef(null);
  const take = (event) => {
    const files = [...event.currentTarget.files];
    // The same file may be chosen again, and must then count as a change.
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
