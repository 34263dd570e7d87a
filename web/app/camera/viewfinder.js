import { html } from "htm/preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { SYMBOLS, kindsOf } from "../shared/cards.js";
import { texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Chooser } from "../shared/photo-input.js";
import { useReader } from "./code-reader.js";
import { abilities, set, useLens } from "./lens.js";
import { NOTHING, Ticked, tick } from "./outline-tracking.js";

const BUZZ = 40; // milliseconds
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The live picture of the camera: cards are ticked off as they pass, then the picture is taken that counts. Where there
// is no camera it says why and takes pictures by the phone's own camera instead.
export function Viewfinder({ kinds: list, game, envelope, onPicture, onClose }) {
  const box = useRef(null);
  const title = useRef(null);
  const video = useRef(null);
  const kinds = useMemo(() => kindsOf({ kinds: list }), [list]);
  const slugs = useMemo(() => list.map(({ slug }) => slug), [list]);
  const { lens, problem, choose, again } = useLens();
  const [ticked, setTicked] = useState(NOTHING);
  const [size, setSize] = useState(null);
  const [taking, setTaking] = useState(false);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const dialog = box.current;
    dialog.showModal();
    title.current.focus();
    return () => dialog.close();
  }, []);
  useEffect(() => {
    if (!lens) return;
    video.current.srcObject = lens.stream;
    video.current.play().catch(() => {});
  }, [lens]);

  const read = useCallback(
    (codes, frame) => {
      setSize(frame);
      setTicked((before) => tick(before, codes, { game, kinds: slugs, now: performance.now() }));
    },
    [game, slugs],
  );
  const off = useReader(video, lens, read);
  const count = ticked.cards.size;
  useEffect(() => {
    // Browsers allow it only on a page that was touched.
    if (count && !calm() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ);
  }, [count]);

  const take = async () => {
    setTaking(true);
    setFailed(false);
    const taken = takeStill(lens.track, video.current);
    video.current.pause(); // so that one sees what was taken
    const file = await taken;
    setTaking(false);
    if (file) return onPicture(file);
    setFailed(true);
    video.current?.play().catch(() => {});
  };
  const why = problem ? texts.camera.why[problem] : failed ? texts.camera.why.failed : null;
  const warning = warningOf(ticked, envelope);
  const words = off ? texts.camera.noDecoder[off] : (warning ?? (count ? null : texts.camera.begin));

  return html`<dialog ref=${box} class="camera" aria-labelledby="camera-title" onClose=${onClose}>
    <header class="camera-top">
      <h2 ref=${title} id="camera-title" tabindex="-1">${off || why ? texts.camera.title : texts.camera.count(count)}</h2>
      ${lens && html`<${Controls} lens=${lens} onLens=${choose} />`}
      <button type="button" class="bare" aria-label=${texts.camera.close} onClick=${() => box.current.close()}><${Icon} name="close" /></button>
    </header>
    <div class="camera-sight">
      <video ref=${video} autoplay muted playsinline aria-label=${texts.camera.video} hidden=${!lens}></video>
      ${lens && size && html`<${LiveOutlines} seen=${ticked.seen} size=${size} kinds=${kinds} />`}
      ${lens && words && html`<p class=${warning ? "camera-words camera-warning" : "camera-words"}>${words}</p>`}
      ${!lens && !why && html`<p class="camera-wait">${texts.camera.opening}</p>`}
      ${why &&
      html`<div class="camera-why" role="alert">
        <${Icon} name="camera" />
        <h3>${why.title}</h3>
        <p>${why.detail}</p>
        ${problem === "busy" && html`<button type="button" class="secondary" onClick=${again}>${texts.again}</button>`}
      </div>`}
    </div>
    <footer class="camera-foot">
      ${!off && !why && html`<${Ticked} cards=${ticked.cards} fresh=${ticked.fresh} kinds=${kinds} slugs=${slugs} />`}
      <div class="camera-actions">
        ${lens &&
        html`<button type="button" class="shutter" disabled=${taking} aria-busy=${taking} onClick=${take}>
          <${Icon} name="camera" />${taking ? texts.camera.taking : texts.camera.take}
        </button>`}
        ${why && html`<${Chooser} label=${texts.camera.byPhone} icon="camera" capture="environment" onChoose=${onPicture} />`}
        <${Chooser} label=${texts.camera.gallery} icon="picture" secondary onChoose=${onPicture} />
      </div>
      ${!off && !why && html`<p class="camera-note">${texts.camera.counts}</p>`}
    </footer>
    <p class="unseen" role="status" aria-live="polite">${why ? "" : [count ? texts.camera.count(count) : "", words].filter(Boolean).join(". ")}</p>
  </dialog>`;
}

// What should not lie in the picture.
function warningOf({ labels, strangers }, envelope) {
  const other = envelope === undefined ? undefined : [...labels.keys()].find((number) => number !== envelope);
  if (other !== undefined) return texts.camera.otherLabel(other);
  return strangers.size ? texts.camera.stranger : null;
}

// What this camera has: its light, its zoom, other lenses.
function Controls({ lens, onLens }) {
  const { torch, zoom } = abilities(lens.track);
  const [lit, setLit] = useState(false);
  const [near, setNear] = useState(lens.track.getSettings().zoom ?? zoom?.min);
  const light = async () => (await set(lens.track, { torch: !lit })) && setLit(!lit);
  const change = (value) => {
    setNear(value);
    set(lens.track, { zoom: value });
  };
  const at = lens.lenses.indexOf(lens.id);
  const next = lens.lenses[(at + 1) % lens.lenses.length];
  return html`<div class="camera-controls">
    ${zoom?.max > zoom?.min &&
    html`<label class="camera-zoom">
      <span class="unseen">${texts.camera.zoom}</span><${Icon} name="zoom" />
      <input type="range" min=${zoom.min} max=${zoom.max} step=${zoom.step || "any"} value=${near} onInput=${(event) => change(Number(event.currentTarget.value))} />
    </label>`}
    ${torch &&
    html`<button type="button" class="bare" aria-pressed=${lit} aria-label=${texts.camera.torch} onClick=${light}><${Icon} name="torch" /></button>`}
    ${lens.lenses.length > 1 &&
    html`<button type="button" class="bare" aria-label=${texts.camera.lens(at + 1, lens.lenses.length)} onClick=${() => onLens(next)}><${Icon} name="again" /></button>`}
  </div>`;
}

const REACH = 0.55; // radius of a mark, in sides of the code

const middle = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis] / 4, 0));
const sideOf = ([a, b, c, d]) => (Math.hypot(a[0] - c[0], a[1] - c[1]) + Math.hypot(b[0] - d[0], b[1] - d[1])) / 2 / Math.SQRT2;

// Over the video, in the pixels of a frame: both are cut to the window's shape in the same way ("cover" and "slice").
function LiveOutlines({ seen, size: [width, height], kinds }) {
  return html`<svg class="camera-outlines" viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
    ${seen.map(({ status, card, quad }) =>
      status === "card" ? html`<${Card} kind=${kinds.get(card.kind)} quad=${quad} />` : status !== "label" && html`<${Stranger} quad=${quad} />`,
    )}
  </svg>`;
}

function Card({ kind, quad }) {
  const [x, y] = middle(quad);
  const radius = sideOf(quad) * REACH * 0.8;
  return html`<g class="live-card" data-kind=${kind.slug} style=${{ "--ink": kind.ink }}>
    <polygon points=${quad.map((corner) => corner.join(",")).join(" ")} />
    <circle cx=${x} cy=${y} r=${radius} />
    ${kind.number || !kind.symbol
      ? html`<text x=${x} y=${y} font-size=${radius} fill=${kind.on}>${kind.tag}</text>`
      : html`<path d=${SYMBOLS[kind.symbol]} fill=${kind.on} fill-rule="evenodd" transform=${`translate(${x} ${y}) scale(${radius / 75})`} />`}
  </g>`;
}

function Stranger({ quad }) {
  const [a, b, c, d] = quad.map((corner) => corner.join(" "));
  return html`<path class="live-stranger" d=${`M${a}L${c}M${b}L${d}`} />`;
}

// A picture in the camera's full size, which is much more than its video shows.

const PATIENCE = 8000; // milliseconds; some phones never answer
const QUALITY = 0.92;

// Take a picture and return it as a File; null where nothing could be taken.
async function takeStill(track, video) {
  const blob = (await photograph(track).catch(() => null)) ?? (await frameOf(video).catch(() => null));
  if (!blob) return null;
  const ending = blob.type.split("/")[1] || "jpeg";
  return new File([blob], `deck-${new Date().toISOString().replace(/[:.]/g, "-")}.${ending}`, { type: blob.type, lastModified: Date.now() });
}

async function photograph(track) {
  if (typeof globalThis.ImageCapture?.prototype?.takePhoto !== "function") return null;
  const camera = new ImageCapture(track);
  const { imageWidth, imageHeight } = await within(camera.getPhotoCapabilities()).catch(() => ({}));
  const size = imageWidth?.max && imageHeight?.max ? { imageWidth: imageWidth.max, imageHeight: imageHeight.max } : {};
  const blob = await within(camera.takePhoto(size)).catch(() => within(camera.takePhoto()));
  return blob?.size ? blob : null;
}

async function frameOf(video) {
  if (!video.videoWidth) return null;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

const within = (promise) =>
  Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error("the camera does not answer")), PATIENCE))]);
