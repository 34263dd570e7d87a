import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../../shared/texts.js";

const AT_ONCE = 3; // the server cuts few pictures at once, and the page has other things to ask
const TRIES = 4;
const PAUSE = 1500; // milliseconds; it doubles
const NEAR = "400px";

// Thumbnails in line for the server, in the order in which they came near the screen.
const line = [];
let loading = 0;
function next() {
  while (loading < AT_ONCE && line.length) {
    loading += 1;
    line.shift()();
  }
}

// A small picture from the server: asked for when it comes near the screen, and again if the server had no time.
export function Thumb({ src, width = 240 }) {
  const box = useRef(null);
  const holds = useRef(false); // one of the places
  const [state, setState] = useState({ at: null, tries: 0, shown: false });

  useEffect(() => {
    if (state.at !== null || state.tries >= TRIES) return undefined;
    let clock;
    const turn = () => {
      holds.current = true;
      setState((before) => ({ ...before, at: before.tries }));
    };
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return;
        watcher.disconnect();
        clock = setTimeout(
          () => {
            line.push(turn);
            next();
          },
          state.tries && PAUSE * 2 ** (state.tries - 1),
        );
      },
      { rootMargin: NEAR },
    );
    watcher.observe(box.current);
    return () => {
      watcher.disconnect();
      clearTimeout(clock);
      const at = line.indexOf(turn);
      if (at >= 0) line.splice(at, 1);
    };
  }, [state.at, state.tries]);

  // One that goes away while it loads gives its turn back.
  useEffect(() => () => holds.current && release(), []);

  const done = (ok) => {
    holds.current = false;
    release();
    setState((before) => (ok ? { ...before, shown: true } : { at: null, tries: before.tries + 1, shown: false }));
  };
  return html`<span ref=${box} class="thumb" data-shown=${state.shown}>
    ${state.at !== null && html`<img key=${state.at} src=${`${src}?width=${width}`} alt="" draggable=${false} decoding="async" onLoad=${() => done(true)} onError=${() => done(false)} />`}
    ${state.tries >= TRIES && html`<span class="picture-none">${texts.queue.noImage}</span>`}
  </span>`;
}

function release() {
  loading -= 1;
  next();
}
