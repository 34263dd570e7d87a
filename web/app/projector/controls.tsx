// Keys and buttons of the presenter.

import { useEffect, useRef, useState } from "preact/hooks";
import { LanguageChoice, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { type Ceremony, GUARD_TIME } from "./ceremony";

const FORWARD = [" ", "Enter", "ArrowRight", "ArrowDown", "PageDown"];
const BACK = ["ArrowLeft", "ArrowUp", "PageUp", "Backspace"];
const BLANK = ["b", "B", "."];
const INTERACTIVE = "button, a, select, input";
const ACTIVATION_KEYS = [" ", "Enter"]; // keys that buttons and links use themselves
const HIDE_DELAY = 3000; // milliseconds without mouse movement after which the buttons are hidden
const LIGHT_KEY = "haggle-screen-light";

type Acts = Record<"forward" | "back" | "end", () => unknown>;

// Handle the keys of a presenter: remotes send Page Up and Page Down, and b or a full stop for a blank screen, which any key
// ends. Returns whether it is blank, and a function to end that.
export function usePresenterKeys(acts: Acts): [blank: boolean, uncover: () => void] {
  const [blank, setBlank] = useState(false);
  const dark = useRef(false);
  const cover = (on: boolean) => {
    dark.current = on;
    setBlank(on);
  };
  // Always the current step's: an effect would be late for a second key.
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { forward, back, end } = latest.current;
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      const choosing = target?.closest("select");
      if (dark.current || (BLANK.includes(event.key) && !choosing)) {
        event.preventDefault();
        return cover(!dark.current);
      }
      if (choosing || (ACTIVATION_KEYS.includes(event.key) && target?.closest(INTERACTIVE))) return;
      const act = FORWARD.includes(event.key)
        ? forward
        : BACK.includes(event.key)
          ? back
          : event.key === "f"
            ? toggleFull
            : event.key === "End"
              ? end
              : null;
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return [blank, () => cover(false)];
}

// Return true if a clicked element does something itself.
export const isInteractive = ({ target }: Event) => target instanceof Element && Boolean(target.closest(INTERACTIVE));

// The buttons at the foot, for mouse or touch. They are hidden after a while. If the ceremony is `led` from another window, the
// offer to publish is there.
type ControlsProps = { ceremony: Ceremony | null; connected: boolean; led: boolean };

export function Controls({ ceremony, connected, led }: ControlsProps) {
  const awake = useMouseActivity();
  const { controls } = texts.screen;
  const last = ceremony?.steps[ceremony.at]?.kind === "publish";
  const offers = last && !led;
  // After a click the keys are the ceremony's again.
  const release = ({ detail, target }: MouseEvent) => detail && target instanceof Element && target.closest("button")?.blur();
  return (
    <footer onClick={release} class={awake || offers ? "controls" : "controls controls-resting"}>
      {ceremony && offers && <PublishOffer key={String(ceremony.sure)} sure={ceremony.sure} onPublish={ceremony.publish} />}
      {ceremony && (
        <>
          <button
            type="button"
            class="icon-button"
            aria-label={controls.back}
            disabled={ceremony.at === 0}
            onClick={ceremony.back}
          >
            <Icon name="back" />
          </button>
          <span class="controls-count">{controls.step({ at: ceremony.at + 1, all: ceremony.steps.length })}</span>
          <button type="button" class="icon-button" aria-label={controls.next} disabled={last && led} onClick={ceremony.forward}>
            <Icon name="next" />
          </button>
          {!offers && <span class="controls-keys">{controls.keys(controls)}</span>}
        </>
      )}
      {!connected && <span class="controls-lost">{controls.lost}</span>}
      <span class="grow" />
      <button type="button" class="icon-button controls-light" aria-label={controls.light} onClick={toggleLight}>
        <Icon name="light" />
      </button>
      <button type="button" class="icon-button controls-light" aria-label={controls.full} onClick={toggleFull}>
        <Icon name="full" />
      </button>
      <LanguageChoice />
    </footer>
  );
}

// The offer to publish, then a question. Each key's effect is announced before it is pressed.
function PublishOffer({ sure, onPublish }: { sure: boolean; onPublish: () => void }) {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), GUARD_TIME);
    return () => clearTimeout(timer);
  }, []);
  const words = texts.screen.publish;
  return (
    <div class="row" role="status">
      <strong>{sure ? words.sure : words.title}</strong>
      <button type="button" disabled={!ready} onClick={onPublish}>
        {words.button}
      </button>
      <span>{ready ? (sure ? words.keysSure : words.keys) : "\u00a0"}</span>
    </div>
  );
}

function useMouseActivity() {
  const [awake, setAwake] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const stir = () => {
      setAwake(true);
      clearTimeout(timer);
      timer = setTimeout(() => setAwake(false), HIDE_DELAY);
    };
    stir();
    const signs = ["pointermove", "pointerdown", "focusin"];
    for (const sign of signs) addEventListener(sign, stir);
    return () => {
      clearTimeout(timer);
      for (const sign of signs) removeEventListener(sign, stir);
    };
  }, []);
  return awake;
}

function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

// Switch to dark text on light ground, for bright halls.
function toggleLight() {
  const light = document.documentElement.classList.toggle("light");
  try {
    localStorage.setItem(LIGHT_KEY, light ? "yes" : "");
  } catch {
    // After a reload it is dark again.
  }
}

export function restoreLight() {
  try {
    document.documentElement.classList.toggle("light", Boolean(localStorage.getItem(LIGHT_KEY)));
  } catch {
    // Dark.
  }
}
