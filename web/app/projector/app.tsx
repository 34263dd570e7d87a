// The projector's page, its data, and its token.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ProjectorModel } from "../../api";
import { Suits } from "../shared/cards";
import { listenToEvents, request, useFetch } from "../shared/http";
import { language, setServerTime, texts } from "../shared/i18n";
import { Notice } from "../shared/notices";
import { usePresenter } from "../shared/presenter";
import { type Ceremony, useCeremony } from "./ceremony";
import { Controls, isInteractive, restoreLight, usePresenterKeys } from "./controls";
import { BeforeGame, Countdown, PencilsDown, useSecondsLeft } from "./countdown";
import { Slide } from "./slides";

export function App({ token }: { token: string }) {
  useLayoutEffect(restoreLight, []);
  useWakeLock();
  if (token) return <ProjectorScreen token={token} />;
  return (
    <main class="stage stage-words">
      <h1>{texts.screen.none}</h1>
      <p>{texts.problems["bad-token"].detail}</p>
      <p>
        <a class="as-button" href="/desk">
          {texts.organisersDesk}
        </a>
      </p>
    </main>
  );
}

// One game: countdown, wait, ceremony.
function ProjectorScreen({ token }: { token: string }) {
  const { data, problem, refetch, connected } = useProjectorData(token);
  const ceremony = useCeremony(gameIdOf(token), token, data, refetch);
  const left = useSecondsLeft(data?.state === "open" ? data.deadline : null, refetch);
  const presented = ceremony && {
    at: ceremony.at,
    all: ceremony.steps.length,
    offers: ceremony.steps[ceremony.at]?.kind === "publish",
  };
  const acts = { forward: () => ceremony?.forward(), back: () => ceremony?.back(), end: () => ceremony?.end() };
  const led = usePresenter(gameIdOf(token), presented, { ...acts, publish: () => ceremony?.publish() });
  // An offer in another window is also answered there.
  const forward = () => (led && presented?.offers) || ceremony?.forward();
  const [blank, uncover] = usePresenterKeys({ ...acts, forward });
  useEffect(() => {
    if (data) document.title = data.name;
  }, [data?.name]);

  if (!data) return <main class="stage stage-words">{problem && <Notice problem={problem} onRetry={refetch} />}</main>;
  const step = (event: MouseEvent) => isInteractive(event) || forward();
  return (
    <>
      <main class="stage" data-state={data.state} onClick={step}>
        <header class="stage-head">
          <span class="display stage-name">{data.name}</span>
          <Suits tag="span" />
          <span class="stage-edition">{data.edition}</span>
        </header>
        {viewOf(data, left, ceremony)}
      </main>
      <Controls ceremony={ceremony} connected={connected} led={led} />
      {blank && <div class="blank" onClick={uncover} />}
    </>
  );
}

function viewOf(data: ProjectorModel, left: number | null, ceremony: Ceremony | null) {
  if (ceremony) return <Slide ceremony={ceremony} />;
  if (data.state === "draft" || data.state === "printed") return <BeforeGame screen={data} />;
  if (data.state === "open" && (left === null || left > 0)) return <Countdown screen={data} left={left} />;
  return <PencilsDown screen={data} />;
}

// Keep the display on, if the browser can.
function useWakeLock() {
  useEffect(() => {
    const hold = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
    hold();
    document.addEventListener("visibilitychange", hold);
    return () => document.removeEventListener("visibilitychange", hold);
  }, []);
}

const REFRESH_INTERVAL = 60_000; // milliseconds between two comparisons with the server's clock

// Return the projector's data: { data, problem, refetch, connected }.
function useProjectorData(token: string) {
  const { data, problem, refetch, put } = useFetch(async (signal) => {
    const response = await request<ProjectorModel>(`/api/v1/projector?language=${language()}`, { token, signal });
    setServerTime(response.now);
    return response;
  }, token);
  const [connected, setConnected] = useState(true);

  useEffect(
    () =>
      listenToEvents("/api/v1/projector/events", {
        token,
        onState: setConnected,
        onEvent: (event) =>
          event.topic === "hand-ins" ? put((before) => before && { ...before, hand_ins: Number(event.hand_ins) }) : refetch(),
      }),
    [token, refetch],
  );
  useEffect(() => {
    const timer = setInterval(refetch, REFRESH_INTERVAL);
    const refresh = () => document.hidden || refetch();
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [refetch]);
  return { data, problem, refetch, connected };
}

const STORAGE_KEY = "haggle-screen";

// Return the token in the projector's link. It is removed from the address, so that no photo of the screen shows it, and
// stored for this tab, and as the newest one for tabs that are opened without a token.
export function takeToken() {
  const token = location.hash.slice(1);
  if (!token) return readToken(sessionStorage) || readToken(localStorage);
  history.replaceState(null, "", location.pathname);
  for (const store of [sessionStorage, localStorage]) {
    try {
      store.setItem(STORAGE_KEY, token);
    } catch {
      // Without storage a reload needs the link again.
    }
  }
  return token;
}

// A token starts with the game's id.
const gameIdOf = (token: string) => token.split(".")[0] ?? "";

function readToken(store: Storage) {
  try {
    return store.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}
