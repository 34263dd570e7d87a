import { html } from "htm/preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "../shared/icon.js";
import { kindsOf } from "../shared/kinds.js";
import { texts } from "../shared/texts.js";
import { Chooser } from "../shared/chooser.js";
import { Controls } from "./controls.js";
import { LiveOutlines } from "./live-outlines.js";
import { NOTHING, tick } from "./ticked.js";
import { takeStill } from "./still.js";
import { Ticked } from "./ticked-list.js";
import { useLens } from "./use-lens.js";
import { useReader } from "./use-reader.js";

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
