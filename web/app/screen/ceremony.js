// Where the ceremony stands: which version is shown, at which step, and who may show it.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ask } from "../shared/ask.js";
import { language } from "../shared/texts.js";
import { plan } from "./plan.js";

const KEPT = "haggle-ceremony";
export const BREATH = 700; // milliseconds for which the offer to publish takes no key, and the question after it: one too many must not publish

// The ceremony of a game, or null while there is nothing to show. Published results come with the screen's own facts; before
// that only an organiser who is signed in in this browser gets any.
export function useCeremony(game, screen, refresh) {
  const [shown, setShown] = useState(null); // { version, reveal, published }
  const [step, setStep] = useState(0);
  const [problem, setProblem] = useState(null);
  const [sure, setSure] = useState(false); // a key at the offer has asked once more
  const since = useRef(0);
  const busy = useRef(false);
  const state = screen?.state;

  const show = useCallback(
    (next) => {
      setShown(next);
      // What was asked of another version, or before it was taken back, is asked anew.
      since.current = performance.now();
      setSure(false);
      const before = kept(game);
      setStep(next && before?.version === next.version ? before.step : 0);
    },
    [game],
  );

  useEffect(() => {
    if (state === "published" && screen.reveal) show({ version: screen.version, reveal: screen.reveal, published: true });
    else if (state !== "frozen") show(null);
  }, [state, screen?.version, show]);

  // Asked again with every fresh look, since somebody may sign in meanwhile.
  const wanted = state === "frozen" && (!shown || shown.published);
  useEffect(() => {
    if (!wanted) return undefined;
    const run = new AbortController();
    present(game, run.signal).then((found) => run.signal.aborted || show(found), ignore);
    return () => run.abort();
  }, [wanted, wanted && screen.now, game, show]);

  const steps = useMemo(() => shown && plan(shown.reveal, { offer: !shown.published }), [shown]);
  const at = steps ? Math.min(step, steps.length - 1) : 0;
  const move = (to) => {
    if (to < 0 || to >= steps.length) return;
    since.current = performance.now();
    setProblem(null);
    setSure(false);
    setStep(to);
    keep(game, { version: shown.version, step: to });
  };

  const publish = () =>
    ask(`/api/v1/games/${game}/acts`, { method: "POST", body: { act: "publish", version: shown.version } }).then(() => {
      keep(game, { version: shown.version, step: at - 1 });
      return refresh();
    });
  // What was counted anew since the screen was opened is what has to be shown.
  const begin = async () => {
    const newest = shown.published ? shown : await present(game);
    if (!newest) return show(null);
    if (newest.version !== shown.version) setShown(newest);
    move(1);
    return keep(game, { version: newest.version, step: 1 });
  };
  const once = (work) => {
    if (busy.current) return;
    busy.current = true;
    work().catch(setProblem).finally(() => (busy.current = false));
  };
  const forward = () => {
    if (at === 0) once(begin);
    else if (steps[at].kind !== "publish") move(at + 1);
    else if (performance.now() - since.current <= BREATH) return;
    else if (sure) once(publish);
    else {
      // A remote has one key for all: the one that led here may be pressed once too often, and not twice after a question.
      since.current = performance.now();
      setSure(true);
    }
  };
  // Nothing is left to tell where all is published.
  const end = () => shown.published && move(steps.length - 1);
  return shown && { ...shown, steps, at, problem, sure, forward, end, publish: () => once(publish), back: () => move(at - 1) };
}

// What an organiser may present: the newest version. null where nobody is signed in.
async function present(game, signal) {
  const session = await ask("/api/v1/session", { signal });
  if (!session.name) return null;
  const path = `/api/v1/games/${game}/results`;
  const { versions } = await ask(path, { signal });
  const version = versions[0]?.version;
  return version ? ask(`${path}/${version}/reveal?language=${language()}`, { signal }) : null;
}

const ignore = () => {};

function kept(game) {
  try {
    return JSON.parse(sessionStorage.getItem(`${KEPT}-${game}`));
  } catch {
    return null;
  }
}

function keep(game, place) {
  try {
    sessionStorage.setItem(`${KEPT}-${game}`, JSON.stringify(place));
  } catch {
    // A browser that keeps nothing begins anew after a reload.
  }
}
