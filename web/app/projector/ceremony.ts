// The ceremony: the version that is shown, the step, and who may present it.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CeremonyModel, ProjectorModel, RevealModel, SessionModel, VersionsModel } from "../../api";
import { type Problem, request } from "../shared/http";
import { language } from "../shared/i18n";

const STORAGE_KEY = "haggle-ceremony";
export const GUARD_TIME = 700; // milliseconds in which the offer to publish and its question ignore keys: an accidental one must not publish

// The version that is presented.
type Presentation = Pick<CeremonyModel, "version" | "reveal" | "published" | "winner_photo">;
type Progress = { version: number; step: number };

export type Ceremony = NonNullable<ReturnType<typeof useCeremony>>;

// Return the ceremony of a game, null while there is nothing to show. Published results are part of the projector's data;
// before that only an organiser who is signed in in this browser gets them.
export function useCeremony(game: string, token: string, screen: ProjectorModel | null, refresh: () => Promise<void>) {
  const [shown, setShown] = useState<Presentation | null>(null);
  const [step, setStep] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sure, setSure] = useState(false); // the question before publishing is shown
  const since = useRef(0);
  const busy = useRef(false);
  const state = screen?.state;

  const show = useCallback(
    (next: Presentation | null) => {
      setShown(next);
      // A question about another version is void.
      since.current = performance.now();
      setSure(false);
      const before = readProgress(game);
      setStep(next && before?.version === next.version ? before.step : 0);
    },
    [game],
  );

  useEffect(() => {
    if (screen?.state === "published" && screen.version && screen.reveal) {
      const { version, reveal, winner_photo } = screen;
      show({ version, reveal, published: true, winner_photo });
    } else if (state !== "frozen") show(null);
  }, [state, screen?.version, show]);

  // Try again with each refresh, since somebody may have signed in.
  const wanted = state === "frozen" && (!shown || shown.published);
  useEffect(() => {
    if (!wanted) return undefined;
    const controller = new AbortController();
    fetchPresentation(game, controller.signal).then((found) => controller.signal.aborted || show(found), ignore);
    return () => controller.abort();
  }, [wanted, wanted && screen?.now, game, show]);

  const photo = useWinnerPhoto(
    shown?.winner_photo
      ? shown.published
        ? "/api/v1/projector/winner"
        : `/api/v1/games/${game}/results/${shown.version}/winner`
      : null,
    token,
    shown?.version,
  );

  const steps = useMemo(() => (shown ? planSteps(shown.reveal, { offer: !shown.published }) : []), [shown]);
  const at = Math.min(step, Math.max(0, steps.length - 1));
  if (!shown) return null;
  const move = (to: number) => {
    if (to < 0 || to >= steps.length) return;
    since.current = performance.now();
    setProblem(null);
    setSure(false);
    setStep(to);
    storeProgress(game, { version: shown.version, step: to });
  };

  const publish = async () => {
    await request(`/api/v1/games/${game}/acts`, { method: "POST", body: { act: "publish", version: shown.version } });
    storeProgress(game, { version: shown.version, step: at - 1 });
    await refresh();
  };
  // Show the newest count, even if the page was opened before it.
  const begin = async () => {
    const newest = shown.published ? shown : await fetchPresentation(game);
    if (!newest) return show(null);
    if (newest.version !== shown.version) setShown(newest);
    move(1);
    return storeProgress(game, { version: newest.version, step: 1 });
  };
  const once = (work: () => Promise<void>) => {
    if (busy.current) return;
    busy.current = true;
    work()
      .catch(setProblem)
      .finally(() => (busy.current = false));
  };
  const forward = () => {
    if (at === 0) once(begin);
    else if (steps[at]?.kind !== "publish") move(at + 1);
    else if (performance.now() - since.current <= GUARD_TIME) return;
    else if (sure) once(publish);
    else {
      // A remote has one key for everything: wait after each question.
      since.current = performance.now();
      setSure(true);
    }
  };
  // After publication the last step is the ranking.
  const end = () => shown.published && move(steps.length - 1);
  return { ...shown, photo, steps, at, problem, sure, forward, end, publish: () => once(publish), back: () => move(at - 1) };
}

// Return the address of a version's photo once it is loaded. It is loaded ahead, for the podium.
function useWinnerPhoto(path: string | null, token: string, version?: number): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!path) return undefined;
    const controller = new AbortController();
    let made: string | undefined;
    const credentials = path.startsWith("/api/v1/projector") ? { token } : {};
    request(path, { ...credentials, as: "blob", signal: controller.signal }).then((blob) => {
      if (controller.signal.aborted) return;
      made = URL.createObjectURL(blob);
      setUrl(made);
    }, ignore);
    return () => {
      controller.abort();
      setUrl(null);
      if (made) URL.revokeObjectURL(made);
    };
  }, [path, token, version]);
  return url;
}

// Return the newest version for an organiser to present, null if nobody is signed in.
async function fetchPresentation(game: string, signal?: AbortSignal): Promise<Presentation | null> {
  const session = await request<SessionModel>("/api/v1/session", { signal });
  if (!session.name) return null;
  const path = `/api/v1/games/${game}/results`;
  const { versions } = await request<VersionsModel>(path, { signal });
  const version = versions[0]?.version;
  return version ? request<CeremonyModel>(`${path}/${version}/reveal?language=${language()}`, { signal }) : null;
}

const ignore = () => {};

function readProgress(game: string): Progress | null {
  try {
    return JSON.parse(sessionStorage.getItem(`${STORAGE_KEY}-${game}`) ?? "null");
  } catch {
    return null;
  }
}

function storeProgress(game: string, place: Progress) {
  try {
    sessionStorage.setItem(`${STORAGE_KEY}-${game}`, JSON.stringify(place));
  } catch {
    // Without storage a reload starts again.
  }
}

const ONE_BY_ONE = 10; // places from here up come one by one
const GROUP_SIZE = 10; // places in a step before
const MIN_GROUP = 4; // minimum of places in a step of their own
const PODIUM = 3;
const SIDE_BY_SIDE = 3; // hands that share a place and still come in one step

// Revealed places by rank.
export type Stands = Record<number, RevealModel[] | undefined>;
export type Step =
  | { kind: "title" | "board" | "publish" }
  | { kind: "group"; places: RevealModel[] }
  | { kind: "one"; places: RevealModel[]; podium?: boolean }
  | { kind: "podium"; stands: Stands };

// Return the steps of the ceremony, from the last place to the podium; each step is one key. `reveal` are the places from the
// last one. With `offer` the last step offers to publish.
//   title    before the first place
//   group    `places`, best first
//   one      `places` of one rank; `podium` for the first three
//   podium   `stands`: the places on 1, 2 and 3; empty before they are revealed
//   board    all places
//   publish  the offer
export function planSteps(reveal: RevealModel[], { offer = false } = {}): Step[] {
  const steps: Step[] = [{ kind: "title" }];
  const ranks = byRank(reveal);
  const alone = (places: RevealModel[]) => places.length <= SIDE_BY_SIDE;
  const crowd = ranks.filter(({ rank, places }) => rank > ONE_BY_ONE || (rank > PODIUM && !alone(places)));
  steps.push(...inGroups(crowd));
  for (const shared of ranks) {
    if (shared.rank > PODIUM && !crowd.includes(shared)) steps.push({ kind: "one", places: shared.places });
  }
  const stands: Stands = {};
  steps.push({ kind: "podium", stands: {} });
  for (const shared of ranks.filter(({ rank }) => rank <= PODIUM)) {
    stands[shared.rank] = shared.places;
    if (alone(shared.places)) steps.push({ kind: "one", places: shared.places, podium: true });
    else steps.push(...inGroups([shared]));
  }
  steps.push({ kind: "podium", stands });
  steps.push({ kind: "board" });
  if (offer) steps.push({ kind: "publish" });
  return steps;
}

type SharedRank = { rank: number; places: RevealModel[] };

// Return hands of equal rank together, each in the ranking's order.
function byRank(reveal: RevealModel[]): SharedRank[] {
  const ranks: SharedRank[] = [];
  for (const place of reveal) {
    const last = ranks.at(-1);
    if (last?.rank === place.rank) last.places.unshift(place);
    else ranks.push({ rank: place.rank, places: [place] });
  }
  return ranks;
}

// Return groups of ten; the first one has the rest. A small rest shares half and half with the next ten, so that the last
// place of a large game is no step of its own.
function inGroups(ranks: SharedRank[]): Step[] {
  const steps: Step[] = [];
  const all = ranks.flatMap(({ places }) => [...places].reverse());
  for (let end = all.length; end > 0; ) {
    const size = end > GROUP_SIZE && end < GROUP_SIZE + MIN_GROUP ? Math.floor(end / 2) : GROUP_SIZE;
    steps.unshift({ kind: "group", places: all.slice(Math.max(0, end - size), end).reverse() });
    end -= size;
  }
  return steps;
}
