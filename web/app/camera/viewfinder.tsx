// The live camera view: video, outlines, controls, and the photo.

import type { ComponentChildren, RefObject, TargetedEvent } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type CardKind, kindsBySlug, symbolPath } from "../shared/cards";
import { useModal } from "../shared/dialog";
import { texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { type Corners, centre } from "../shared/outlines";
import { PhotoInput } from "../shared/photo-input";
import { NOT_READY, type Readiness, readiness } from "./auto-capture";
import type { CameraOptions } from "./camera";
import { type FrameSize, useCodeReader } from "./code-reader";
import { applySetting, capabilitiesOf, type Lens, store, stored, useLens } from "./lens";
import { NO_CODES, type ReadCode, type SeenCode, sideOf, TickedCards, type Tracked, trackCodes } from "./outline-tracking";

const VIBRATION = 40; // milliseconds
const WORDS_TIME = 300; // milliseconds for which a reason to wait lasts before it is shown
const SPOKEN_TIME = 1500; // the same before it is announced
const AUTO_KEY = "haggle-auto-capture";
const START = { ticked: NO_CODES, ready: NOT_READY };
const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The live camera view: cards are ticked off while it moves, then a photo is taken, which is what counts. Without a camera it
// says why, and offers the phone's own camera app.
//   series   many photos in a row: each needs a label, and the view stays open. `title` and `children` replace the number of
//            cards and their list; another `round` takes the same cards again
export type View = { labels: number[]; cards: string[] };
export type Series = { title: string; said: string; round: number; children: ComponentChildren };
type ViewfinderProps = Pick<CameraOptions, "kinds" | "game"> & {
  envelope?: number | undefined;
  series?: Series;
  onPhoto: (file: File, view: View) => void;
  onClose: () => void;
};

export function Viewfinder({ kinds: list, game, envelope, series, onPhoto, onClose }: ViewfinderProps) {
  const box = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const kinds = useMemo(() => kindsBySlug({ kinds: list }), [list]);
  const slugs = useMemo(() => list.map(({ slug }) => slug), [list]);
  const { lens, problem, choose: switchLens, retry } = useLens();
  const [auto, setAuto] = useState(() => stored(AUTO_KEY) !== "off");
  const [taking, setTaking] = useState(false);
  const [failed, setFailed] = useState(false);
  const many = series !== undefined;
  const { ticked, ready, size, off, begin: beginAgain } = useLiveCodes({ video, lens, game, slugs, many, round: series?.round });

  const modal = useModal(box, onClose);
  useEffect(() => title.current?.focus(), []);
  useEffect(() => {
    if (!lens || !video.current) return;
    video.current.srcObject = lens.stream;
    video.current.play().catch(() => {});
  }, [lens]);

  const count = ticked.cards.size;
  useEffect(() => {
    // Browsers allow vibration only after the page was touched.
    if (count && !many && !prefersReducedMotion() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION);
  }, [count, many]);

  const take = async () => {
    if (!lens || !video.current) return;
    setTaking(true);
    setFailed(false);
    const cards = ticked.seen.filter(({ status }) => status === "card").map(({ text }) => text);
    const view = { labels: labelsIn(ticked), cards: [...new Set(cards)] };
    const photo = takePhoto(lens.track, video.current);
    video.current.pause(); // to show what was taken
    const file = await photo;
    setTaking(false);
    if (file) {
      beginAgain(cards);
      onPhoto(file, view);
      if (!many) return;
    } else setFailed(true);
    video.current?.play().catch(() => {});
  };
  const choose = (file: File) => onPhoto(file, { labels: [], cards: [] });
  const why = problem ? texts.camera.why[problem] : failed ? texts.camera.why.failed : null;
  const labels = labelsIn(ticked);
  const warning = many && labels.length > 1 ? texts.camera.twoLabels : warningOf(ticked, envelope);
  const begin = many || count ? null : texts.camera.begin;
  const wait = useSettled(auto ? waitText(ready, begin) : begin, WORDS_TIME);
  const words = off ? texts.camera.noDecoder : (warning ?? wait);
  const spoken = useSettled(
    why ? "" : [series ? series.said : count ? texts.cards.total({ count }) : "", words].filter(Boolean).join(". "),
    SPOKEN_TIME,
  );
  const due = auto && !ready.wait && !warning && !taking && !failed;
  useEffect(() => {
    if (due) take();
  }, [due]);
  const switchAuto = (wanted: boolean) => {
    setAuto(wanted);
    store(AUTO_KEY, wanted ? "on" : "off");
  };

  return (
    <dialog ref={box} class="fullscreen camera" aria-labelledby="camera-title" {...modal}>
      <header class="fullscreen-top">
        <h2 ref={title} id="camera-title" tabIndex={-1}>
          {series?.title ?? (off || why ? texts.camera.title : texts.cards.total({ count }))}
        </h2>
        {lens && <Controls lens={lens} onLens={switchLens} />}
        <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="camera-sight">
        <video ref={video} autoPlay muted playsInline aria-label={texts.camera.video} hidden={!lens} />
        {lens && size && <LiveOutlines seen={ticked.seen} size={size} kinds={kinds} />}
        {lens && words && <p class={warning ? "camera-words camera-warning" : "camera-words"}>{words}</p>}
        {!lens && !why && <p class="stack center camera-why">{texts.camera.opening}</p>}
        {why && <CameraProblem {...why} onRetry={problem === "busy" ? retry : null} />}
      </div>
      <footer class="fullscreen-foot">
        {series
          ? series.children
          : !off && !why && <TickedCards cards={ticked.cards} fresh={ticked.fresh} kinds={kinds} slugs={slugs} />}
        <div class="camera-actions">
          {lens && (
            <button type="button" class="action shutter" disabled={taking} aria-busy={taking} onClick={take}>
              <Icon name="camera" />
              {taking ? texts.camera.taking : texts.camera.take}
            </button>
          )}
          {why && <PhotoInput label={texts.camera.take} icon="camera" capture="environment" onChoose={choose} />}
          {!many && <PhotoInput label={texts.camera.gallery} icon="picture" secondary onChoose={choose} />}
        </div>
        {!off && !why && <AutoCapture auto={auto} onSwitch={switchAuto} note={many ? "" : texts.camera.counts} />}
      </footer>
      <p class="visually-hidden" role="status" aria-live="polite">
        {spoken}
      </p>
    </dialog>
  );
}

// Track the codes in the video: what is ticked off, and whether it is ready for the photo. `begin` starts again after a photo of
// these cards, which are ignored until another `round`; `off` says why no code can be read.
type LiveCodes = Pick<CameraOptions, "game"> & {
  video: RefObject<HTMLVideoElement>;
  lens: Lens | null;
  slugs: string[];
  many: boolean;
  round: number | undefined;
};

function useLiveCodes({ video, lens, game, slugs, many, round }: LiveCodes) {
  const [{ ticked, ready }, setState] = useState(START);
  const [size, setSize] = useState<FrameSize | null>(null);
  const taken = useRef(new Set<string>()); // codes of the cards in the last photo of a series
  const read = useCallback(
    (codes: ReadCode[], frame: FrameSize) => {
      setSize(frame);
      setState((before) => {
        const now = performance.now();
        const after = trackCodes(before.ticked, codes, { game, kinds: slugs, now, series: many });
        if (after.seen.some(({ text }) => taken.current.has(text)))
          return { ticked: { ...NO_CODES, seen: after.seen }, ready: { ...NOT_READY, wait: "next" } };
        return { ticked: after, ready: readiness(before.ready, after, now, many) };
      });
    },
    [game, slugs, many],
  );
  const begin = (cards: string[] = []) => {
    taken.current = new Set(cards);
    setState(START);
  };
  useEffect(() => begin(), [round]);
  const off = useCodeReader(video, lens, read);
  return { ticked, ready, size, off, begin };
}

type CameraProblemProps = { title: string; detail: string; onRetry: (() => void) | null };

const CameraProblem = ({ title, detail, onRetry }: CameraProblemProps) => (
  <div class="stack center camera-why" role="alert">
    <Icon name="camera" />
    <h3>{title}</h3>
    {detail && <p>{detail}</p>}
    {onRetry && (
      <button type="button" class="secondary" onClick={onRetry}>
        {texts.again}
      </button>
    )}
  </div>
);

type AutoCaptureProps = { auto: boolean; onSwitch: (auto: boolean) => void; note: string };

const AutoCapture = ({ auto, onSwitch, note }: AutoCaptureProps) => (
  <div class="row between small">
    <label class="tick">
      <input
        type="checkbox"
        checked={auto}
        onChange={(event: TargetedEvent<HTMLInputElement>) => onSwitch(event.currentTarget.checked)}
      />
      {texts.camera.auto}
    </label>
    {note && <p>{note}</p>}
  </div>
);

// Return what automatic capture waits for; `begin` is what to do without any card.
function waitText({ wait, hidden }: Readiness, begin: string | null): string | null {
  if (!wait) return null;
  if (wait === "view") return texts.camera.wait.view({ count: hidden });
  if (wait === "still" || wait === "quiet") return texts.camera.taking;
  return wait === "cards" ? begin : texts.camera.wait[wait];
}

// Return a text once it has not changed for some milliseconds; until then the one before.
function useSettled<Text extends string | null>(text: Text, time: number): Text {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), time);
    return () => clearTimeout(timer);
  }, [text, time]);
  return settled;
}

// Return the envelopes whose labels are in view.
const labelsIn = ({ seen }: Tracked) => [...new Set(seen.flatMap(({ envelope }) => envelope ?? []))];

// Return a warning about codes that should not be in the photo.
function warningOf({ labels, strangers }: Tracked, envelope: number | undefined) {
  const other = envelope === undefined ? undefined : [...labels.keys()].find((number) => number !== envelope);
  if (other !== undefined) return texts.camera.otherLabel({ number: other });
  return strangers.size ? texts.camera.stranger : null;
}

// The camera's controls: light, zoom, other cameras.
function Controls({ lens, onLens }: { lens: Lens; onLens: (id: string) => void }) {
  const { torch, zoom } = capabilitiesOf(lens.track);
  const [lit, setLit] = useState(false);
  const [near, setNear] = useState((lens.track.getSettings() as { zoom?: number }).zoom ?? zoom?.min);
  const light = async () => (await applySetting(lens.track, { torch: !lit })) && setLit(!lit);
  const change = (value: number) => {
    setNear(value);
    applySetting(lens.track, { zoom: value });
  };
  const at = lens.lenses.indexOf(lens.id ?? "");
  const next = lens.lenses[(at + 1) % lens.lenses.length];
  return (
    <div class="camera-controls">
      {zoom && zoom.max > zoom.min && (
        <label class="camera-zoom">
          <span class="visually-hidden">{texts.camera.zoom}</span>
          <Icon name="zoom" />
          <input
            type="range"
            min={zoom.min}
            max={zoom.max}
            step={zoom.step || "any"}
            value={near}
            onInput={(event: TargetedEvent<HTMLInputElement>) => change(Number(event.currentTarget.value))}
          />
        </label>
      )}
      {torch && (
        <button type="button" class="icon-button" aria-pressed={lit} aria-label={texts.camera.torch} onClick={light}>
          <Icon name="torch" />
        </button>
      )}
      {lens.lenses.length > 1 && (
        <button
          type="button"
          class="icon-button"
          aria-label={texts.camera.lens({ place: at + 1, count: lens.lenses.length })}
          onClick={() => next && onLens(next)}
        >
          <Icon name="again" />
        </button>
      )}
    </div>
  );
}

const MARK_RADIUS = 0.55; // radius of a mark, in sides of the code

// Outlines over the video, in pixels of a frame: both fill the window in the same way ("cover" and "slice").
type LiveOutlinesProps = { seen: SeenCode[]; size: FrameSize; kinds: Map<string, CardKind> };

function LiveOutlines({ seen, size: [width, height], kinds }: LiveOutlinesProps) {
  return (
    <svg
      class="camera-outlines"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      {seen.map(({ status, card, quad }) => {
        const kind = card && kinds.get(card.kind);
        if (status === "card") return kind && <Card kind={kind} quad={quad} />;
        return status !== "label" && <Stranger quad={quad} />;
      })}
    </svg>
  );
}

function Card({ kind, quad }: { kind: CardKind; quad: Corners }) {
  const [x, y] = centre(quad);
  const radius = sideOf(quad) * MARK_RADIUS * 0.8;
  return (
    <g class="live-card" data-kind={kind.slug} style={{ "--ink": kind.ink }}>
      <polygon points={quad.map((corner) => corner.join(",")).join(" ")} />
      <circle cx={x} cy={y} r={radius} />
      {kind.number || !kind.symbol ? (
        <text x={x} y={y} font-size={radius} fill={kind.on}>
          {kind.tag}
        </text>
      ) : (
        <path
          d={symbolPath(kind.symbol)}
          fill={kind.on}
          fill-rule="evenodd"
          transform={`translate(${x} ${y}) scale(${radius / 75})`}
        />
      )}
    </g>
  );
}

function Stranger({ quad }: { quad: Corners }) {
  const [a, b, c, d] = quad.map((corner) => corner.join(" "));
  return <path class="live-stranger" d={`M${a}L${c}M${b}L${d}`} />;
}

const PHOTO_TIMEOUT = 8000; // milliseconds; some phones never answer
const QUALITY = 0.92;

// Take a photo in full size, larger than the video, and return it as a File; null if that failed.
async function takePhoto(track: MediaStreamTrack, video: HTMLVideoElement): Promise<File | null> {
  const blob = (await capture(track).catch(() => null)) ?? (await frameOf(video).catch(() => null));
  if (!blob) return null;
  const ending = blob.type.split("/")[1] || "jpeg";
  return new File([blob], `deck-${new Date().toISOString().replace(/[:.]/g, "-")}.${ending}`, {
    type: blob.type,
    lastModified: Date.now(),
  });
}

// Only some browsers have it, so TypeScript has no types.
type PhotoCamera = {
  getPhotoCapabilities: () => Promise<{ imageWidth?: { max: number }; imageHeight?: { max: number } }>;
  takePhoto: (size?: { imageWidth?: number; imageHeight?: number }) => Promise<Blob>;
};
type PhotoCameras = { ImageCapture?: { new (track: MediaStreamTrack): PhotoCamera; prototype?: PhotoCamera } };

async function capture(track: MediaStreamTrack): Promise<Blob | null> {
  const { ImageCapture } = globalThis as PhotoCameras;
  if (typeof ImageCapture?.prototype?.takePhoto !== "function") return null;
  const camera = new ImageCapture(track);
  const { imageWidth, imageHeight } = await withTimeout(camera.getPhotoCapabilities()).catch(
    (): Awaited<ReturnType<PhotoCamera["getPhotoCapabilities"]>> => ({}),
  );
  const size = imageWidth?.max && imageHeight?.max ? { imageWidth: imageWidth.max, imageHeight: imageHeight.max } : {};
  const blob = await withTimeout(camera.takePhoto(size)).catch(() => withTimeout(camera.takePhoto()));
  return blob?.size ? blob : null;
}

async function frameOf(video: HTMLVideoElement): Promise<Blob | null> {
  if (!video.videoWidth) return null;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  canvas.getContext("2d", { alpha: false })?.drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

function withTimeout<T>(promise: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("the camera does not answer")), PHOTO_TIMEOUT);
  });
  return Promise.race([promise, late]);
}
