// Where the ceremony stands: which version is shown, at which step, and who may show it.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ask } from "../shared/http.js";
import { language } from "../shared/i18n.js";

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

// The ceremony as a list of steps, the same each time: from the last place up to the podium, one key a step.

const ONE_BY_ONE = 10; // the places from here up come alone
const FLY_BY = 10; // places in a step before that
const FEW = 4; // of fewer places no step is made beside a full one
const PODIUM = 3;
const SIDE_BY_SIDE = 3; // hands that share a place and still come in one step

// `reveal` are the places from the last one up. With `offer` the last step offers to publish.
//   title    nothing is told yet
//   group    `places`, the best first
//   one      `places` of one rank; `podium` for the first three
//   podium   `stands`: for 1, 2 and 3 the places that stand there by now
//   board    all places
//   publish  the offer
export function plan(reveal, { offer = false } = {}) {
  const steps = [{ kind: "title" }];
  const ranks = byRank(reveal);
  const alone = (places) => places.length <= SIDE_BY_SIDE;
  const crowd = ranks.filter((places) => places[0].rank > ONE_BY_ONE || (places[0].rank > PODIUM && !alone(places)));
  steps.push(...inGroups(crowd));
  for (const places of ranks) {
    if (places[0].rank > PODIUM && !crowd.includes(places)) steps.push({ kind: "one", places });
  }
  const stands = {};
  steps.push({ kind: "podium", stands: {} });
  for (const places of ranks.filter(([place]) => place.rank <= PODIUM)) {
    stands[places[0].rank] = places;
    if (alone(places)) steps.push({ kind: "one", places, podium: true });
    else steps.push(...inGroups([places]));
    steps.push({ kind: "podium", stands: { ...stands } });
  }
  steps.push({ kind: "board" });
  if (offer) steps.push({ kind: "publish" });
  return steps;
}

// Hands of equal rank together, each as in the ranking.
function byRank(reveal) {
  const ranks = [];
  for (const place of reveal) {
    if (ranks.at(-1)?.[0].rank === place.rank) ranks.at(-1).unshift(place);
    else ranks.push([place]);
  }
  return ranks;
}

// Steps of ten; the first one has what does not fill ten. Few who are left share with the next ten, half and half: the
// last place of a large game is no step of its own.
function inGroups(ranks) {
  const steps = [];
  const places = ranks.flatMap((shared) => [...shared].reverse());
  for (let end = places.length; end > 0; ) {
    const size = end > FLY_BY && end < FLY_BY + FEW ? Math.floor(end / 2) : FLY_BY;
    steps.unshift({ kind: "group", places: places.slice(Math.max(0, end - size), end).reverse() });
    end -= size;
  }
  return steps;
}
