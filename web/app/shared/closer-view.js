// Where a picture lies on its stage: pure numbers. A view is { zoom, x, y }: at zoom 1 the whole picture is seen, and x, y
// say how far its middle lies from the stage's, in pixels of the screen.

const CLOSEST = 3; // pixels of the screen for one of the picture, which is as close as makes sense
const LEAST_MOST = 4; // how close one gets at least
const ROOM = 2.2; // how many times a place fits into the stage that is looked at closely

export const WHOLE = { zoom: 1, x: 0, y: 0 };

// The picture's size on the stage at zoom 1.
export function fitted([width, height], [wide, high]) {
  const scale = Math.min(wide / width, high / height);
  return { scale, wide: width * scale, high: height * scale, most: Math.max(LEAST_MOST, CLOSEST / scale) };
}

// The view, moved so that the stage is filled as far as the picture reaches.
export function clamped({ zoom, x, y }, fit, [wide, high]) {
  const near = Math.min(fit.most, Math.max(1, zoom));
  const [across, down] = [(fit.wide * near - wide) / 2, (fit.high * near - high) / 2].map((most) => Math.max(0, most));
  return { zoom: near, x: Math.min(across, Math.max(-across, x)), y: Math.min(down, Math.max(-down, y)) };
}

// The view after a change of zoom at a point of the stage, measured from its middle, which stays where it is.
export function zoomed(view, factor, [px, py], fit, stage) {
  const zoom = Math.min(fit.most, Math.max(1, view.zoom * factor));
  const by = zoom / view.zoom;
  return clamped({ zoom, x: px - (px - view.x) * by, y: py - (py - view.y) * by }, fit, stage);
}

// The view of a place in the picture, given by its corners in the picture's pixels.
export function closeTo(quad, [width, height], fit, stage) {
  const [xs, ys] = [0, 1].map((axis) => quad.map((corner) => corner[axis]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const size = Math.max((right - left) / stage[0], (bottom - top) / stage[1]) * fit.scale;
  const zoom = Math.min(fit.most, Math.max(1, 1 / (ROOM * Math.max(size, 1e-6))));
  const offset = (low, high, side) => (side / 2 - (low + high) / 2) * fit.scale * zoom;
  return clamped({ zoom, x: offset(left, right, width), y: offset(top, bottom, height) }, fit, stage);
}
