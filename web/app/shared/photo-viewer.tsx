// The full-window view of a photo, with zoom.

import type { ComponentChildren, RefObject, TargetedEvent } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { CardKind } from "./cards";
import { useModal } from "./dialog";
import { loadTexts, texts } from "./i18n";
import { Icon } from "./icon";
import { type Corners, centre, type Doubt, Outlines, type Point, type Scan } from "./outlines";

await loadTexts("closer", "hints");

const DEBOUNCE = 160; // milliseconds after which tags are placed for a new zoom

type PhotoViewerProps = {
  url: string | null;
  width?: number | null;
  height?: number | null;
  scan?: Scan | null;
  kinds?: Map<string, CardKind>;
  quad?: Corners | null;
  title?: string;
  label?: string;
  onClose: () => void;
  children?: ComponentChildren;
};

// A full-window view of a photo to zoom and move, with outlines and doubts.
//   url, width, height   of the photo         scan, kinds   what was read, as for Outlines (optional)
//   quad                 place to start at    title         of the window; `children` are drawn over the photo as well
export function PhotoViewer({
  url,
  width,
  height,
  scan,
  kinds,
  quad,
  title = texts.photo.name,
  label = texts.photo.name,
  onClose,
  children,
}: PhotoViewerProps) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState({ width, height });
  const size: Size = [shown.width || 4, shown.height || 3];
  const { view, fit, hands, on, onKeyDown, zoomTo, closer, farther } = useZoom(stage, size, quad);
  const [doubt, setDoubt] = useState<Doubt | null>(null);
  const settled = useDebounced(view.zoom);
  const modal = useModal(box, onClose);
  useEffect(() => heading.current?.focus(), []);
  const pick = (picked: Doubt | null) => {
    setDoubt(picked);
    if (picked) zoomTo(picked.quad);
  };
  const place = fit && {
    width: `${fit.wide}px`,
    height: `${fit.high}px`,
    transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) scale(${view.zoom})`,
    "--zoom": view.zoom,
  };
  const learn = ({ currentTarget: { naturalWidth, naturalHeight } }: TargetedEvent<HTMLImageElement>) =>
    width || setShown({ width: naturalWidth, height: naturalHeight });
  return (
    <dialog ref={box} class="fullscreen viewer" aria-labelledby="closer-title" {...modal} onKeyDown={onKeyDown}>
      <header class="fullscreen-top">
        <h2 ref={heading} id="closer-title" tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="icon-button" aria-label={texts.closer.farther} disabled={view.zoom <= 1} onClick={farther}>
          <Icon name="less" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={texts.closer.closer}
          disabled={fit !== null && view.zoom >= fit.most}
          onClick={closer}
        >
          <Icon name="add" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={texts.closer.whole}
          disabled={view.zoom <= 1}
          onClick={() => zoomTo(null)}
        >
          <Icon name="whole" />
        </button>
        <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div ref={stage} class="viewer-stage" data-zoom={view.zoom.toFixed(2)} {...on}>
        <div class={hands ? "viewer-photo" : "viewer-photo viewer-animated"} style={place ?? { visibility: "hidden" }}>
          {url && <img src={url} alt={label} draggable={false} decoding="async" onLoad={learn} />}
          {fit && scan && kinds && <Outlines scan={scan} kinds={kinds} zoom={settled} buttons={scan.doubts.length > 0} />}
          {fit && scan && scan.doubts.length > 0 && <DoubtMarks scan={scan} picked={doubt} onPick={pick} />}
          {children}
        </div>
      </div>
      <footer class="fullscreen-foot viewer-foot">
        {doubt ? (
          <DoubtWords doubt={doubt} />
        ) : (
          <>
            <p class="for-fingers">{texts.closer.how}</p>
            <p class="for-mouse">{texts.closer.keys}</p>
          </>
        )}
      </footer>
    </dialog>
  );
}

// Return a value once it has not changed for a while.
function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

// Buttons over a photo, one for each doubt, that say why the card was not read. `picked` is the one that is open.
type DoubtMarksProps = { scan: Scan; picked: Doubt | null; onPick: (doubt: Doubt | null) => void };

function DoubtMarks({ scan, picked, onPick }: DoubtMarksProps) {
  return (
    <div>
      {scan.doubts.map((doubt, number) => {
        const [x, y] = centre(doubt.quad);
        return (
          <button
            type="button"
            class="bare doubt-mark"
            aria-label={texts.closer.doubt({ place: number + 1, count: scan.doubts.length, reason: adviceOf(doubt).title })}
            aria-pressed={doubt === picked}
            style={{ left: `${(100 * x) / scan.width}%`, top: `${(100 * y) / scan.height}%` }}
            onClick={() => onPick(doubt === picked ? null : doubt)}
          >
            <span aria-hidden="true">{texts.tags.doubt}</span>
          </button>
        );
      })}
    </div>
  );
}

// Why a place was not read, and advice.
function DoubtWords({ doubt }: { doubt: Doubt }) {
  const { title, help } = adviceOf(doubt);
  return (
    <p class="doubt-words" role="status">
      <strong>{title}</strong> {help}
    </p>
  );
}

const adviceOf = ({ reason }: Doubt) =>
  (texts.doubtWords as Record<string, { title: string; help: string }>)[reason] ?? texts.doubtWords.unread;

const ZOOM_STEP = 1.6; // factor of a button or key
const TAP_ZOOM = 3; // zoom of a double tap
const DOUBLE_TAP_TIME = 300; // milliseconds between the taps of a double tap
const TAP_RADIUS = 12; // pixels by which a finger may move during a tap
const WHEEL_SPEED = 0.002;
const LINE_HEIGHT = 18; // pixels of a line, for wheels that count lines
const ARROW_STEP = 0.2; // of the stage, by which an arrow key moves

type Size = [width: number, height: number];
type Shown = { scale: number; wide: number; high: number; most: number };
type View = { zoom: number; x: number; y: number };
type Tap = { at: Point; time: number; first: Omit<Tap, "first"> | null };

const distance = ([one, other]: Point[]) => (one && other ? Math.hypot(one[0] - other[0], one[1] - other[1]) : 0);

// Zoom and move a photo of `size` on the stage `box`, by pointers, wheel and keys; `start` is a place to start at. Returns the
// view, the photo's size on the screen at zoom 1 (null until it is known), event handlers, and what buttons call.
function useZoom(box: RefObject<HTMLElement>, size: Size, start: Corners | null | undefined) {
  const [stage, setStage] = useState<Size>([0, 0]);
  const [view, setView] = useState<View>(WHOLE_PHOTO);
  const [hands, setHands] = useState(false); // true while it is moved by hand, without animations
  const points = useRef(new Map<number, Point>());
  const tap = useRef<Tap | null>(null);
  const fit = fitPhoto(size, stage);

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setStage([entry.contentRect.width, entry.contentRect.height]));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  const known = Boolean(stage[0] && stage[1]);
  const zoomTo = useCallback(
    (quad: Corners | null) => known && setView(quad ? viewOf(quad, size, fit, stage) : WHOLE_PHOTO),
    [known, stage, size.join()],
  );
  const begun = useRef(false);
  useEffect(() => {
    if (!known) return;
    if (begun.current) setView((before) => clampView(before, fit, stage));
    else if (start) zoomTo(start);
    begun.current = true;
  }, [known, stage]);
  useEffect(() => {
    if (begun.current && start) zoomTo(start);
  }, [start]);

  const zoom = (factor: number, point: Point = [0, 0]) => known && setView((before) => zoomAt(before, factor, point, fit, stage));
  const move = (x: number, y: number) =>
    known && setView((before) => clampView({ ...before, x: before.x + x, y: before.y + y }, fit, stage));
  const at = (event: MouseEvent): Point => {
    const { left, top, width, height } = box.current?.getBoundingClientRect() ?? new DOMRect();
    return [event.clientX - left - width / 2, event.clientY - top - height / 2];
  };

  const onPointerDown = (event: PointerEvent) => {
    if (event.button || (event.target instanceof Element && event.target.closest("button"))) return;
    box.current?.setPointerCapture(event.pointerId);
    points.current.set(event.pointerId, at(event));
    setHands(true);
    const before = tap.current;
    tap.current = points.current.size === 1 ? { at: at(event), time: event.timeStamp, first: before } : null;
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!points.current.has(event.pointerId)) return;
    const before = [...points.current.values()];
    points.current.set(event.pointerId, at(event));
    const after = [...points.current.values()];
    const [from, to] = [centre(before), centre(after)];
    move(to[0] - from[0], to[1] - from[1]);
    if (after.length === 2) zoom(distance(after) / Math.max(1, distance(before)), to);
    if (tap.current && distance([tap.current.at, at(event)]) > TAP_RADIUS) tap.current = null;
  };
  const onPointerUp = (event: PointerEvent) => {
    if (!points.current.delete(event.pointerId)) return;
    if (!points.current.size) setHands(false);
    const last = tap.current;
    if (!last) return;
    const { first } = last;
    tap.current = { ...last, first: null };
    if (!first || last.time - first.time > DOUBLE_TAP_TIME || distance([first.at, last.at]) > 3 * TAP_RADIUS) return;
    tap.current = null;
    setView((now) => (now.zoom > 1.1 ? WHOLE_PHOTO : zoomAt(now, TAP_ZOOM, last.at, fit, stage)));
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? LINE_HEIGHT : 1) * WHEEL_SPEED * (event.ctrlKey ? 4 : 1)), at(event));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [wide, high] = stage;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => move(ARROW_STEP * wide, 0),
      ArrowRight: () => move(-ARROW_STEP * wide, 0),
      ArrowUp: () => move(0, ARROW_STEP * high),
      ArrowDown: () => move(0, -ARROW_STEP * high),
      "+": () => zoom(ZOOM_STEP),
      "=": () => zoom(ZOOM_STEP),
      "-": () => zoom(1 / ZOOM_STEP),
      0: () => zoomTo(null),
    };
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  const on = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onWheel };
  return {
    view,
    fit: known ? fit : null,
    hands,
    on,
    onKeyDown,
    zoomTo,
    closer: () => zoom(ZOOM_STEP),
    farther: () => zoom(1 / ZOOM_STEP),
  };
}

// Geometry of a view { zoom, x, y}: at zoom 1 the whole photo fits on the stage; x and y are the offset of its centre from the
// stage's, in pixels of the screen.

const MAX_PIXEL_SIZE = 3; // maximum pixels of the screen for a pixel of the photo
const MIN_MAX_ZOOM = 4; // minimum of the maximum zoom
const PLACE_MARGIN = 2.2; // size of the stage in sizes of a place that is zoomed to

const WHOLE_PHOTO: View = { zoom: 1, x: 0, y: 0 };

// Return the photo's size on the stage at zoom 1.
function fitPhoto([width, height]: Size, [wide, high]: Size): Shown {
  const scale = Math.min(wide / width, high / height);
  return { scale, wide: width * scale, high: height * scale, most: Math.max(MIN_MAX_ZOOM, MAX_PIXEL_SIZE / scale) };
}

// Return the view, moved so that the photo fills the stage as far as possible.
function clampView({ zoom, x, y }: View, fit: Shown, [wide, high]: Size): View {
  const near = Math.min(fit.most, Math.max(1, zoom));
  const across = Math.max(0, (fit.wide * near - wide) / 2);
  const down = Math.max(0, (fit.high * near - high) / 2);
  return { zoom: near, x: Math.min(across, Math.max(-across, x)), y: Math.min(down, Math.max(-down, y)) };
}

// Return the view after zooming at a point of the stage, relative to its centre, which stays in place.
function zoomAt(view: View, factor: number, [px, py]: Point, fit: Shown, stage: Size): View {
  const zoom = Math.min(fit.most, Math.max(1, view.zoom * factor));
  const by = zoom / view.zoom;
  return clampView({ zoom, x: px - (px - view.x) * by, y: py - (py - view.y) * by }, fit, stage);
}

// Return the view of a place, given by its corners in pixels of the photo.
function viewOf(quad: Corners, [width, height]: Size, fit: Shown, stage: Size): View {
  const [xs, ys] = [quad.map(([x]) => x), quad.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const size = Math.max((right - left) / stage[0], (bottom - top) / stage[1]) * fit.scale;
  const zoom = Math.min(fit.most, Math.max(1, 1 / (PLACE_MARGIN * Math.max(size, 1e-6))));
  const offset = (low: number, high: number, side: number) => (side / 2 - (low + high) / 2) * fit.scale * zoom;
  return clampView({ zoom, x: offset(left, right, width), y: offset(top, bottom, height) }, fit, stage);
}
