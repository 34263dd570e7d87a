import { html } from "htm/preact";
import { useRef } from "preact/hooks";
import { Icon } from "./icon.js";

const ACCEPT = "image/*,.heic,.heif,application/pdf";

// A button that lets people take or choose a picture. `capture` asks the phone for its camera.
export function Chooser({ label, icon, capture, secondary, focus, onChoose }) {
  const input = useRef(null);
  const take = (event) => {
    const [file] = event.currentTarget.files;
    // The same file may be chosen again, and must then count as a change.
    event.currentTarget.value = "";
    if (file) onChoose(file);
  };
  return html`<span class="chooser">
    <input ref=${input} type="file" accept=${ACCEPT} capture=${capture} onChange=${take} hidden tabindex="-1" aria-label=${label} />
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
