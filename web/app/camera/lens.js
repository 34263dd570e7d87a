import { useEffect, useState } from "preact/hooks";

// The phone's cameras: which of them to look through, and what each of them can do.
//
// Browsers often open the wrong one of several lenses at the back: the very wide one, or one that cannot focus on what is
// near. Only after the user has allowed one of them are their names told.

const KEPT = "haggle-lens";
const BACK = /back|rear|environment|rück|hinten|arrière|dos/i;
const SPECIAL = /ultra|weitwinkel|grand[- ]?angle|wide|tele|télé|macro|makro|depth|tof|infra/i;
const NUMBERED = /camera2? (\d+)/i; // as Android names them; 0 is the main one
const TRIES = 2; // other lenses that are tried where one cannot focus

// Where the camera can take full pictures by itself, the video need not be larger than the decoder reads.
const takesStills = () => typeof globalThis.ImageCapture?.prototype?.takePhoto === "function";
const SIZE = () => (takesStills() ? { width: { ideal: 1920 }, height: { ideal: 1080 } } : { width: { ideal: 3840 }, height: { ideal: 2160 } });

// Why there is no camera, by `reason`:
//   insecure     the page did not come by https                  unsupported  this browser has none for pages
//   refused      the user or the browser's settings said no      absent       there is none
//   busy         another program uses it, or it failed
class LensError extends Error {
  constructor(reason, detail = "") {
    super(`${reason}: ${detail}`);
    this.reason = reason;
  }
}

const REASONS = {
  NotAllowedError: "refused",
  SecurityError: "refused",
  NotFoundError: "absent",
  OverconstrainedError: "absent",
};

// Open a camera: the one with this id, else the one chosen last time, else the main lens at the back. Rejects with a
// LensError. Gives { stream, track, id, lenses, stop }, where `lenses` are the ids of those that one may switch to.
async function openLens(chosen) {
  if (!navigator.mediaDevices?.getUserMedia) throw new LensError(globalThis.isSecureContext ? "unsupported" : "insecure");
  const wanted = chosen ?? kept();
  let stream = wanted ? await ask({ deviceId: { exact: wanted } }).catch(() => null) : null;
  const given = stream !== null;
  stream ??= await ask({ facingMode: { ideal: "environment" } });
  const lenses = ranked(await cameras());
  if (!given) stream = await better(stream, lenses);
  if (chosen && given) keep(chosen);
  const [track] = stream.getVideoTracks();
  if (abilities(track).focusMode?.includes("continuous")) await set(track, { focusMode: "continuous" });
  return { stream, track, id: idOf(stream), lenses: lenses.map(({ deviceId }) => deviceId), stop: () => stop(stream) };
}

// What a camera can do: { torch, zoom: { min, max, step }, … }; what it does not tell is missing.
export const abilities = (track) => track.getCapabilities?.() ?? {};

// Ask a camera for something that only some have; tells whether it did it.
export const set = (track, wish) =>
  track.applyConstraints({ advanced: [wish] }).then(
    () => true,
    () => false,
  );

// Cameras, the best first: at the back, no special lens, the lowest number. Those at the front only where none is at the back.
export function ranked(devices) {
  const facing = devices.filter(isBack);
  const cost = ({ label }) => (SPECIAL.test(label) ? 100 : 0) + Number(NUMBERED.exec(label)?.[1] ?? 0);
  return [...(facing.length ? facing : devices)].sort((one, other) => cost(one) - cost(other));
}

function isBack(device) {
  const modes = device.getCapabilities?.().facingMode ?? [];
  return modes.length ? modes.includes("environment") : BACK.test(device.label);
}

// The stream, or one from another lens where that is better than the one that the browser chose.
async function better(stream, lenses) {
  const tried = new Set();
  let best = stream;
  for (const { deviceId } of lenses.slice(0, TRIES)) {
    const current = idOf(best);
    tried.add(current);
    if (deviceId !== current && !tried.has(deviceId)) {
      // Many phones open one camera at a time only.
      stop(best);
      best = await ask({ deviceId: { exact: deviceId } }).catch(() => ask({ deviceId: { exact: current } }));
    }
    if (focuses(best)) break;
  }
  return best;
}

// Whether a lens focuses by itself, as far as the browser tells.
function focuses(stream) {
  const modes = abilities(stream.getVideoTracks()[0]).focusMode ?? [];
  return !modes.length || modes.includes("continuous");
}

const idOf = (stream) => stream.getVideoTracks()[0].getSettings().deviceId;
const stop = (stream) => stream.getTracks().forEach((track) => track.stop());
const cameras = async () => (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");

async function ask(which) {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...SIZE(), ...which } });
  } catch (error) {
    throw new LensError(REASONS[error.name] ?? "busy", error.message);
  }
}

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(id) {
  try {
    localStorage.setItem(KEPT, id);
  } catch {
    // A browser that keeps nothing chooses anew each time.
  }
}

// The camera while the page is in sight: { lens, problem, choose, again }. It is given back when the page is hidden, since other
// programs may want it and phones take it away then anyhow.
export function useLens() {
  const shown = useShown();
  const [chosen, choose] = useState(null);
  const [round, setRound] = useState(0);
  const [state, setState] = useState({ lens: null, problem: null });

  useEffect(() => {
    if (!shown) return;
    let gone = false;
    let opened = null;
    setState({ lens: null, problem: null });
    openLens(chosen).then(
      (lens) => {
        if (gone) return lens.stop();
        opened = lens;
        lens.track.addEventListener("ended", () => gone || setState({ lens: null, problem: "busy" }));
        setState({ lens, problem: null });
      },
      (error) => gone || setState({ lens: null, problem: error.reason ?? "busy" }),
    );
    return () => {
      gone = true;
      opened?.stop();
      setState({ lens: null, problem: null });
    };
  }, [shown, chosen, round]);

  useAwake(Boolean(state.lens));
  return { ...state, choose, again: () => setRound(round + 1) };
}

function useShown() {
  const [shown, setShown] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setShown(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return shown;
}

// Keep the screen from going dark while this holds.
function useAwake(wanted) {
  useEffect(() => {
    if (!wanted || !navigator.wakeLock) return;
    const lock = navigator.wakeLock.request("screen").catch(() => null);
    return () => lock.then((held) => held?.release());
  }, [wanted]);
}
