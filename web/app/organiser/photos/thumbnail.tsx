// Thumbnails of photos, of which few are loaded at a time, and their drag and drop onto envelopes.

import type { TargetedDragEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../../shared/i18n";

const MAX_LOADING = 3; // the server renders few images at once, and the page has other requests
const MAX_TRIES = 4;
const RETRY_DELAY = 1500; // milliseconds; doubles
const PRELOAD_MARGIN = "400px";

// Thumbnails that wait for a request, in the order in which they came near the screen.
const waitingThumbs: (() => void)[] = [];
let loadingThumbs = 0;
function loadNextThumb() {
  while (loadingThumbs < MAX_LOADING && waitingThumbs.length) {
    loadingThumbs += 1;
    waitingThumbs.shift()?.();
  }
}

// A thumbnail, loaded when it comes near the screen, and again if the server was busy.
type ThumbnailState = { at: number | null; tries: number; shown: boolean };

export function Thumbnail({ src, width = 240 }: { src: string; width?: number }) {
  const box = useRef<HTMLSpanElement>(null);
  const holds = useRef(false); // one of the slots
  const [state, setState] = useState<ThumbnailState>({ at: null, tries: 0, shown: false });

  useEffect(() => {
    if (state.at !== null || state.tries >= MAX_TRIES) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = () => {
      holds.current = true;
      setState((before) => ({ ...before, at: before.tries }));
    };
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        watcher.disconnect();
        timer = setTimeout(
          () => {
            waitingThumbs.push(turn);
            loadNextThumb();
          },
          state.tries && RETRY_DELAY * 2 ** (state.tries - 1),
        );
      },
      { rootMargin: PRELOAD_MARGIN },
    );
    if (box.current) watcher.observe(box.current);
    return () => {
      watcher.disconnect();
      clearTimeout(timer);
      const at = waitingThumbs.indexOf(turn);
      if (at >= 0) waitingThumbs.splice(at, 1);
    };
  }, [state.at, state.tries]);

  // Free the slot if it is removed while loading.
  useEffect(() => () => void (holds.current && releaseThumb()), []);

  const done = (ok: boolean) => {
    holds.current = false;
    releaseThumb();
    setState((before) => (ok ? { ...before, shown: true } : { at: null, tries: before.tries + 1, shown: false }));
  };
  return (
    <span ref={box} class="thumb" data-shown={state.shown}>
      {state.at !== null && (
        <img
          key={state.at}
          src={`${src}?width=${width}`}
          alt=""
          draggable={false}
          decoding="async"
          onLoad={() => done(true)}
          onError={() => done(false)}
        />
      )}
      {state.tries >= MAX_TRIES && <span class="no-photo">{texts.queue.noImage}</span>}
    </span>
  );
}

function releaseThumb() {
  loadingThumbs -= 1;
  loadNextThumb();
}

const DRAG_TYPE = "application/x-haggle-pictures";

// Put the ids of photos into a drag.
export const startDrag = (event: DragEvent, ids: string[]) => event.dataTransfer?.setData(DRAG_TYPE, JSON.stringify(ids));

// A drop target for photos: { over, on }, whether photos are above it, and its event handlers. `onDropped` gets the ids.
export function useDropTarget(onDropped: (ids: string[]) => void) {
  const [over, setOver] = useState(false);
  const carries = (event: DragEvent) => event.dataTransfer?.types.includes(DRAG_TYPE);
  const on = {
    onDragOver: (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: TargetedDragEvent<HTMLElement>) =>
      event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false),
    onDrop: (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      onDropped(JSON.parse(event.dataTransfer?.getData(DRAG_TYPE) ?? "[]"));
    },
  };
  return { over, on };
}
