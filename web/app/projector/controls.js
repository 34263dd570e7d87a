import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { LanguageChoice, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";

const FORWARD = [" ", "Enter", "ArrowRight", "ArrowDown", "PageDown"];
const BACK = ["ArrowLeft", "ArrowUp", "PageUp", "Backspace"];
const BLANK = ["b", "B", "."];
const WORKING = "button, a, select, input";
const PRESSED = [" ", "Enter"]; // what buttons and links take for themselves
const RESTS = 3000; // milliseconds without a hand at the mouse after which the buttons go
const LIGHT = "haggle-screen-light";

// Keys of whoever presents: a presenter's remote sends page keys, and b or a full stop for an empty screen, from which any
// key leads back. Gives whether it is empty just now, and how to end that.
export function useKeys(acts) {
  const [blank, setBlank] = useState(false);
  const dark = useRef(false);
  const cover = (on) => {
    dark.current = on;
    setBlank(on);
  };
  // Always those of the step that is drawn: an effect would come late for a quick second key.
  const latest = useRef();
  latest.current = acts;
  useEffect(() => {
    const press = (event) => {
      const { forward, back, end } = latest.current;
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const choosing = event.target.closest?.("select");
      if (dark.current || (BLANK.includes(event.key) && !choosing)) {
        event.preventDefault();
        return cover(!dark.current);
      }
      if (choosing || (PRESSED.includes(event.key) && event.target.closest?.(WORKING))) return;
      const act = FORWARD.includes(event.key) ? forward : BACK.includes(event.key) ? back : event.key === "f" ? toggleFull : event.key === "End" ? end : null;
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return [blank, () => cover(false)];
}

// Whether an element that was clicked does something by itself.
export const clickable = (event) => event.target.closest(WORKING);

// The buttons at the foot, for those who present by mouse or touch. They rest out of sight.
export function Controls({ ceremony, connected }) {
  const awake = useAwake();
  const { controls } = texts.screen;
  // A button that was clicked gives the keys back to the ceremony.
  const release = (event) => event.detail && event.target.closest("button")?.blur();
  return html`<footer onClick=${release} class=${awake ? "controls" : "controls controls-resting"}>
    ${ceremony &&
    html`<button type="button" class="bare" aria-label=${controls.back} disabled=${ceremony.at === 0} onClick=${ceremony.back}><${Icon} name="back" /></button>
      <span class="controls-count">${controls.step(ceremony.at + 1, ceremony.steps.length)}</span>
      <button type="button" class="bare" aria-label=${controls.next} onClick=${ceremony.forward}><${Icon} name="next" /></button>
      <span class="controls-keys">${controls.keys}</span>`}
    ${!connected && html`<span class="controls-lost">${controls.lost}</span>`}
    <span class="controls-gap"></span>
    <button type="button" class="bare controls-hall" aria-label=${controls.light} onClick=${toggleLight}><${Icon} name="light" /></button>
    <button type="button" class="bare controls-hall" aria-label=${controls.full} onClick=${toggleFull}><${Icon} name="full" /></button>
    <${LanguageChoice} />
  </footer>`;
}

function useAwake() {
  const [awake, setAwake] = useState(true);
  useEffect(() => {
    let clock;
    const stir = () => {
      setAwake(true);
      clearTimeout(clock);
      clock = setTimeout(() => setAwake(false), RESTS);
    };
    stir();
    const signs = ["pointermove", "pointerdown", "focusin"];
    for (const sign of signs) addEventListener(sign, stir);
    return () => {
      clearTimeout(clock);
      for (const sign of signs) removeEventListener(sign, stir);
    };
  }, []);
  return awake;
}

function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

// Bright halls want dark letters on light paper.
function toggleLight() {
  const light = document.documentElement.classList.toggle("light");
  try {
    localStorage.setItem(LIGHT, light ? "yes" : "");
  } catch {
    // Not kept: dark again after a reload.
  }
}

export function recallLight() {
  try {
    document.documentElement.classList.toggle("light", Boolean(localStorage.getItem(LIGHT)));
  } catch {
    // Dark.
  }
}
