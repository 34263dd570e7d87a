// The phone's cameras: the choice of one of them, and what each can do.
//
// Browsers often open the wrong one of several rear cameras: the ultra-wide one, or one that cannot focus on near things. They
// reveal the cameras' names only after the user has allowed one.

import { useEffect, useState } from "preact/hooks";

const STORAGE_KEY = "haggle-lens";
const REAR = /back|rear|environment|rück|hinten|arrière|dos/i;
const SPECIAL_LENS = /ultra|weitwinkel|grand[- ]?angle|wide|tele|télé|macro|makro|depth|tof|infra/i;
const ANDROID_NAME = /camera2? (\d+)/i; // names on Android; 0 is the main camera
const MAX_TRIES = 2; // other cameras to try if one cannot focus

// A camera that takes photos needs no larger video than the decoder reads.
const canTakePhotos = () =>
  typeof (globalThis as { ImageCapture?: { prototype?: { takePhoto?: unknown } } }).ImageCapture?.prototype?.takePhoto ===
  "function";
const videoSize = () =>
  canTakePhotos() ? { width: { ideal: 1920 }, height: { ideal: 1080 } } : { width: { ideal: 3840 }, height: { ideal: 2160 } };

// There is no camera, with a `reason`:
//   insecure     the page was not loaded over HTTPS    unsupported  the browser has no cameras for pages
//   refused      denied by the user or the settings    absent       there is none
//   busy         used by another program, or broken
export type LensProblem = "insecure" | "unsupported" | "refused" | "absent" | "busy";

class LensError extends Error {
  readonly reason: LensProblem;

  constructor(reason: LensProblem, detail = "") {
    super(`${reason}: ${detail}`);
    this.reason = reason;
  }
}

const REASONS: Record<string, LensProblem> = {
  NotAllowedError: "refused",
  SecurityError: "refused",
  NotFoundError: "absent",
  OverconstrainedError: "absent",
};

// Open a camera: the one with this id, or the last chosen one, or the main rear camera. Returns { stream, track, id, lenses,
// stop }; `lenses` are the ids of those to switch to. Rejects with a LensError.
export type Lens = { stream: MediaStream; track: MediaStreamTrack; id: string | undefined; lenses: string[]; stop: () => void };

async function openLens(chosen: string | null): Promise<Lens> {
  if (!navigator.mediaDevices?.getUserMedia) throw new LensError(globalThis.isSecureContext ? "unsupported" : "insecure");
  const wanted = chosen ?? stored(STORAGE_KEY);
  let stream = wanted ? await openStream({ deviceId: { exact: wanted } }).catch(() => null) : null;
  const given = stream !== null;
  stream ??= await openStream({ facingMode: { ideal: "environment" } });
  const lenses = rankCameras(await cameras());
  if (!given) stream = await betterStream(stream, lenses);
  if (chosen && given) store(STORAGE_KEY, chosen);
  const [track] = stream.getVideoTracks();
  if (!track) throw new LensError("busy");
  if (capabilitiesOf(track).focusMode?.includes("continuous")) await applySetting(track, { focusMode: "continuous" });
  return { stream, track, id: idOf(stream), lenses: lenses.map(({ deviceId }) => deviceId), stop: () => stop(stream) };
}

// Return what a camera can do: { torch, zoom: { min, max, step }, … }; unknown abilities are missing.
type Range = { min: number; max: number; step: number };
type Capabilities = { torch?: boolean; zoom?: Range; focusMode?: string[] };

export const capabilitiesOf = (track: MediaStreamTrack | undefined): Capabilities =>
  (track?.getCapabilities?.() as Capabilities | undefined) ?? {};

// Set something that only some cameras have; resolves to true if it worked.
type Wish = { torch?: boolean; zoom?: number; focusMode?: string };

export const applySetting = (track: MediaStreamTrack, wish: Wish): Promise<boolean> =>
  track.applyConstraints({ advanced: [wish as MediaTrackConstraintSet] }).then(
    () => true,
    () => false,
  );

// Return cameras, best first: rear, not special, lowest number. Front cameras only if there is no rear one.
type Camera = Pick<MediaDeviceInfo, "deviceId" | "label"> & { getCapabilities?: () => { facingMode?: string[] } };

export function rankCameras(devices: Camera[]): Camera[] {
  const facing = devices.filter(isBack);
  const cost = ({ label }: Camera) => (SPECIAL_LENS.test(label) ? 100 : 0) + Number(ANDROID_NAME.exec(label)?.[1] ?? 0);
  return [...(facing.length ? facing : devices)].sort((one, other) => cost(one) - cost(other));
}

function isBack(device: Camera): boolean {
  const modes = device.getCapabilities?.().facingMode ?? [];
  return modes.length ? modes.includes("environment") : REAR.test(device.label);
}

// Return the stream, or one of another camera that is better than the browser's choice.
async function betterStream(stream: MediaStream, lenses: Camera[]): Promise<MediaStream> {
  const tried = new Set<string>();
  let best = stream;
  for (const { deviceId } of lenses.slice(0, MAX_TRIES)) {
    const current = idOf(best);
    tried.add(current);
    if (deviceId !== current && !tried.has(deviceId)) {
      // Many phones open only one camera at a time.
      stop(best);
      best = await openStream({ deviceId: { exact: deviceId } }).catch(() => openStream({ deviceId: { exact: current } }));
    }
    if (canFocus(best)) break;
  }
  return best;
}

// Return true if a camera focuses by itself, as far as the browser knows.
function canFocus(stream: MediaStream): boolean {
  const modes = capabilitiesOf(stream.getVideoTracks()[0]).focusMode ?? [];
  return !modes.length || modes.includes("continuous");
}

const idOf = (stream: MediaStream) => stream.getVideoTracks()[0]?.getSettings().deviceId ?? "";
function stop(stream: MediaStream) {
  for (const track of stream.getTracks()) track.stop();
}
const cameras = async () => (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");

async function openStream(which: MediaTrackConstraints): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...videoSize(), ...which } });
  } catch (error) {
    const { name, message } = error as Error;
    throw new LensError(REASONS[name] ?? "busy", message);
  }
}

// Return what this device has stored, null if there is nothing.
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage it is chosen again each time.
  }
}

// Use a camera while the page is visible: { lens, problem, choose, retry }. It is released when the page is hidden, since
// other programs may need it.
export function useLens() {
  const shown = usePageVisible();
  const [chosen, choose] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ lens: Lens | null; problem: LensProblem | null }>({ lens: null, problem: null });

  useEffect(() => {
    if (!shown) return;
    let cancelled = false;
    let opened: Lens | null = null;
    setState({ lens: null, problem: null });
    openLens(chosen).then(
      (lens) => {
        if (cancelled) return lens.stop();
        opened = lens;
        lens.track.addEventListener("ended", () => cancelled || setState({ lens: null, problem: "busy" }));
        setState({ lens, problem: null });
      },
      (error) => cancelled || setState({ lens: null, problem: error.reason ?? "busy" }),
    );
    return () => {
      cancelled = true;
      opened?.stop();
      setState({ lens: null, problem: null });
    };
  }, [shown, chosen, round]);

  useWakeLock(Boolean(state.lens));
  return { ...state, choose, retry: () => setRound(round + 1) };
}

function usePageVisible() {
  const [shown, setShown] = useState(!document.hidden);
  useEffect(() => {
    const update = () => setShown(!document.hidden);
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return shown;
}

// Keep the display on while `wanted`.
function useWakeLock(wanted: boolean) {
  useEffect(() => {
    if (!wanted || !navigator.wakeLock) return;
    const lock = navigator.wakeLock.request("screen").catch(() => null);
    return () => void lock.then((held) => held?.release());
  }, [wanted]);
}
