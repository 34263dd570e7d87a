import { html } from "htm/preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { speak, texts } from "./i18n.js";
import { Icon } from "./icon.js";
import { Outlines, centre } from "./outlines.js";

await speak("closer");

const SETTLED = 160; // milliseconds after which names are placed anew for how close one looks

// A picture to look at closely, over the whole window, with its outlines and doubts, for players and organisers.
//   url, width, height   of the picture       scan, kinds   what was read, as for Outlines (optional)
//   quad                 a place to begin at  title         of the window; `children` are drawn over the picture as well
export function Closer({ url, width, height, scan, kinds, quad, title = texts.closer.title, label = texts.photo.name, onClose, children }) {
  const box = useRef(null);
  const heading = useRef(null);
  const stage = useRef(null);
  const [shown, setShown] = useState({ width, height });
  const size = [shown.width || 4, shown.height || 3];
  const { view, fit, hands, on, onKeyDown, look, closer, farther } = useCloser(stage, size, quad);
  const [doubt, setDoubt] = useState(null);
  const settled = useSettled(view.zoom);
  useEffect(() => {
    const dialog = box.current;
    dialog.showModal();
    heading.current.focus();
    return () => dialog.open && dialog.close();
  }, []);
  const pick = (picked) => {
    setDoubt(picked);
    if (picked) look(picked.quad);
  };
  const place = fit && {
    width: `${fit.wide}px`,
    height: `${fit.high}px`,
    transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) scale(${view.zoom})`,
    "--zoom": view.zoom,
  };
  const learn = ({ currentTarget: { naturalWidth, naturalHeight } }) => width || setShown({ width: naturalWidth, height: naturalHeight });
  return html`<dialog ref=${box} class="closer" aria-labelledby="closer-title" onClose=${onClose} onKeyDown=${onKeyDown}>
    <header class="closer-top">
      <h2 ref=${heading} id="closer-title" tabindex="-1">${title}</h2>
      <button type="button" class="bare" aria-label=${texts.closer.farther} disabled=${view.zoom <= 1} onClick=${farther}><${Icon} name="less" /></button>
      <button type="button" class="bare" aria-label=${texts.closer.closer} disabled=${fit && view.zoom >= fit.most} onClick=${closer}><${Icon} name="add" /></button>
      <button type="button" class="bare" aria-label=${texts.closer.whole} disabled=${view.zoom <= 1} onClick=${() => look(null)}><${Icon} name="whole" /></button>
      <button type="button" class="bare" aria-label=${texts.close} onClick=${() => box.current.close()}><${Icon} name="close" /></button>
    </header>
    <div ref=${stage} class="closer-stage" data-zoom=${view.zoom.toFixed(2)} ...${on}>
      <div class=${hands ? "closer-picture" : "closer-picture closer-calm"} style=${place ?? { visibility: "hidden" }}>
        ${url && html`<img src=${url} alt=${label} draggable=${false} decoding="async" onLoad=${learn} />`}
        ${fit && scan && html`<${Outlines} scan=${scan} kinds=${kinds} zoom=${settled} buttons=${scan.doubts.length > 0} />`}
        ${fit && scan?.doubts.length > 0 && html`<${DoubtMarks} scan=${scan} picked=${doubt} onPick=${pick} />`}
        ${children}
      </div>
    </div>
    <footer class="closer-foot">${doubt ? html`<${DoubtWords} doubt=${doubt} />` : html`<p>${texts.closer.how}</p>`}</footer>
  </dialog>`;
}

// A number that follows another once that has come to rest.
function useSettled(value) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const clock = setTimeout(() => setSettled(value), SETTLED);
    return () => clearTimeout(clock);
  }, [value]);
  return settled;
}

// Over a picture, a button for every doubt, which says why the card was not read. `picked` is the one that is shown.
function DoubtMarks({ scan, picked, onPick }) {
  return html`<div class="doubt-marks">
    ${scan.doubts.map((doubt, number) => {
      const [x, y] = centre(doubt.quad);
      return html`<button
        type="button"
        class="doubt-mark"
        aria-label=${texts.closer.doubt(number + 1, scan.doubts.length, wordsOf(doubt).title)}
        aria-pressed=${doubt === picked}
        style=${{ left: `${(100 * x) / scan.width}%`, top: `${(100 * y) / scan.height}%` }}
        onClick=${() => onPick(doubt === picked ? null : doubt)}
      >
        <span aria-hidden="true">${texts.tags.doubt}</span>
      </button>`;
    })}
  </div>`;
}

// Why a place was not read, and what helps.
function DoubtWords({ doubt }) {
  const { title, help } = wordsOf(doubt);
  return html`<p class="doubt-words" role="status"><strong>${title}</strong> ${help}</p>`;
}

const wordsOf = ({ reason }) => texts.doubtWords[reason] ?? texts.doubtWords.unread;

// Hands and keys on a picture: drag, pinch, wheel, double tap, arrows.

const STEP = 1.6; // by which a button or key zooms
const TAP = 3; // to which a double tap zooms
const SOON = 300; // milliseconds between the taps of a double one
const STILL = 12; // pixels that a finger may move and still tap
const WHEEL = 0.002;
const LINE = 18; // pixels of a line, for wheels that count lines
const SHARE = 0.2; // of the stage, by which an arrow key moves

const middle = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis] / points.length, 0));
const gap = ([one, other]) => Math.hypot(one[0] - other[0], one[1] - other[1]);

// A picture of `size` on the stage that `box` refers to; `start` is a place to begin at. Gives the view, the picture's size
// on the screen at zoom 1 (null until it is known), what the stage listens to, and what buttons call.
function useCloser(box, size, start) {
  const [stage, setStage] = useState(null);
  const [view, setView] = useState(WHOLE);
  const [hands, setHands] = useState(false); // whether somebody moves it, so that nothing else animates
  const points = useRef(new Map());
  const tap = useRef(null);
  const fit = stage && fitted(size, stage);

  useEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) => setStage([contentRect.width, contentRect.height]));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  const known = Boolean(stage?.[0] && stage[1]);
  const look = useCallback((quad) => known && setView(quad ? closeTo(quad, size, fit, stage) : WHOLE), [known, stage, size.join()]);
  const begun = useRef(false);
  useEffect(() => {
    if (!known) return;
    if (begun.current) setView((before) => clamped(before, fit, stage));
    else if (start) look(start);
    begun.current = true;
  }, [known, stage]);
  useEffect(() => {
    if (begun.current && start) look(start);
  }, [start]);

  const zoom = (factor, point = [0, 0]) => known && setView((before) => zoomed(before, factor, point, fit, stage));
  const move = (x, y) => known && setView((before) => clamped({ ...before, x: before.x + x, y: before.y + y }, fit, stage));
  const at = (event) => {
    const { left, top, width, height } = box.current.getBoundingClientRect();
    return [event.clientX - left - width / 2, event.clientY - top - height / 2];
  };

  const onPointerDown = (event) => {
    if (event.button || event.target.closest("button")) return;
    box.current.setPointerCapture(event.pointerId);
    points.current.set(event.pointerId, at(event));
    setHands(true);
    const before = tap.current;
    tap.current = points.current.size === 1 ? { at: at(event), time: event.timeStamp, first: before } : null;
  };
  const onPointerMove = (event) => {
    if (!points.current.has(event.pointerId)) return;
    const before = [...points.current.values()];
    points.current.set(event.pointerId, at(event));
    const after = [...points.current.values()];
    const [from, to] = [middle(before), middle(after)];
    move(to[0] - from[0], to[1] - from[1]);
    if (after.length === 2) zoom(gap(after) / Math.max(1, gap(before)), to);
    if (tap.current && gap([tap.current.at, at(event)]) > STILL) tap.current = null;
  };
  const onPointerUp = (event) => {
    if (!points.current.delete(event.pointerId)) return;
    if (!points.current.size) setHands(false);
    const { first, ...last } = tap.current ?? {};
    tap.current = last.at ? last : null;
    if (!first || last.time - first.time > SOON || gap([first.at, last.at]) > 3 * STILL) return;
    tap.current = null;
    setView((now) => (now.zoom > 1.1 ? WHOLE : zoomed(now, TAP, last.at, fit, stage)));
  };
  const onWheel = (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? LINE : 1) * WHEEL * (event.ctrlKey ? 4 : 1)), at(event));
  };
  const onKeyDown = (event) => {
    const [wide, high] = stage ?? [0, 0];
    const acts = {
      ArrowLeft: () => move(SHARE * wide, 0),
      ArrowRight: () => move(-SHARE * wide, 0),
      ArrowUp: () => move(0, SHARE * high),
      ArrowDown: () => move(0, -SHARE * high),
      "+": () => zoom(STEP),
      "=": () => zoom(STEP),
      "-": () => zoom(1 / STEP),
      0: () => look(null),
    };
    if (!acts[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  };

  const on = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onWheel };
  return { view, fit: known ? fit : null, hands, on, onKeyDown, look, closer: () => zoom(STEP), farther: () => zoom(1 / STEP) };
}

// Where a picture lies on its stage: pure numbers. A view is { zoom, x, y }: at zoom 1 the whole picture is seen, and x, y
// say how far its middle lies from the stage's, in pixels of the screen.

const CLOSEST = 3; // pixels of the screen for one of the picture, which is as close as makes sense
const LEAST_MOST = 4; // how close one gets at least
const ROOM = 2.2; // how many times a place fits into the stage that is looked at closely

const WHOLE = { zoom: 1, x: 0, y: 0 };

// The picture's size on the stage at zoom 1.
function fitted([width, height], [wide, high]) {
  const scale = Math.min(wide / width, high / height);
  return { scale, wide: width * scale, high: height * scale, most: Math.max(LEAST_MOST, CLOSEST / scale) };
}

// The view, moved so that the stage is filled as far as the picture reaches.
function clamped({ zoom, x, y }, fit, [wide, high]) {
  const near = Math.min(fit.most, Math.max(1, zoom));
  const [across, down] = [(fit.wide * near - wide) / 2, (fit.high * near - high) / 2].map((most) => Math.max(0, most));
  return { zoom: near, x: Math.min(across, Math.max(-across, x)), y: Math.min(down, Math.max(-down, y)) };
}

// The view after a change of zoom at a point of the stage, measured from its middle, which stays where it is.
function zoomed(view, factor, [px, py], fit, stage) {
  const zoom = Math.min(fit.most, Math.max(1, view.zoom * factor));
  const by = zoom / view.zoom;
  return clamped({ zoom, x: px - (px - view.x) * by, y: py - (py - view.y) * by }, fit, stage);
}

// The view of a place in the picture, given by its corners in the picture's pixels.
function closeTo(quad, [width, height], fit, stage) {
  const [xs, ys] = [0, 1].map((axis) => quad.map((corner) => corner[axis]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const size = Math.max((right - left) / stage[0], (bottom - top) / stage[1]) * fit.scale;
  const zoom = Math.min(fit.most, Math.max(1, 1 / (ROOM * Math.max(size, 1e-6))));
  const offset = (low, high, side) => (side / 2 - (low + high) / 2) * fit.scale * zoom;
  return clamped({ zoom, x: offset(left, right, width), y: offset(top, bottom, height) }, fit, stage);
}
