// Hands and keys on a picture: drag, pinch, wheel, double tap, arrows.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { WHOLE, clamped, closeTo, fitted, zoomed } from "./closer-view.js";

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
export function useCloser(box, size, start) {
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
