// Live data of a game: events of the server, data that follows them, and the numbers on the tabs.

import { createContext } from "preact";
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { FullGameModel, PhotosModel, QueueModel } from "../../api";
import { type LiveEvent, listenToEvents, type Problem, request } from "../shared/http";
import { texts } from "../shared/i18n";

type Take = (events: LiveEvent[]) => void;
type LiveState = { on: (topics: string[], call: Take) => () => void; connected: boolean };

const Live = createContext<LiveState | null>(null);
export const LiveProvider = Live.Provider;

const EVERYTHING = new Set(["start", "all"]);
const BATCH_TIME = 150; // milliseconds in which several events count as one

// Listen to a game's events; returns { on, connected } for the provider. `on` takes topics and a function, which is called
// with the events of these topics, and returns a function to stop.
export function useEvents(game: string): LiveState {
  const [connected, setConnected] = useState(true);
  const [session, setSession] = useState(0);
  const watchers = useRef(new Set<{ topics: string[]; take: (event: LiveEvent) => void }>());
  useEffect(
    () =>
      listenToEvents(`/api/v1/games/${game}/events`, {
        onState: (open) => {
          setConnected(open);
          if (open) dispatchEvent(new Event("haggle-live"));
        },
        onEvent: (event) => {
          for (const watcher of watchers.current) {
            if (EVERYTHING.has(event.topic) || watcher.topics.includes(event.topic)) watcher.take(event);
          }
        },
      }),
    [game, session],
  );
  useEffect(() => {
    const begin = () => setSession((number) => number + 1);
    addEventListener("haggle-signed-in", begin);
    return () => removeEventListener("haggle-signed-in", begin);
  }, []);
  const on = useMemo(
    () => (topics: string[], call: Take) => {
      let batch: LiveEvent[] = [];
      let timer: ReturnType<typeof setTimeout> | undefined;
      const take = (event: LiveEvent) => {
        batch.push(event);
        timer ??= setTimeout(() => {
          const events = batch;
          batch = [];
          timer = undefined;
          call(events);
        }, BATCH_TIME);
      };
      const watcher = { topics, take };
      watchers.current.add(watcher);
      return () => {
        clearTimeout(timer);
        watchers.current.delete(watcher);
      };
    },
    [],
  );
  return useMemo(() => ({ on, connected }), [on, connected]);
}

// Call `refetch` after events of these topics: game, envelopes, photos, queue, results.
export function useTopics(topics: string[], refetch: Take) {
  const live = useContext(Live);
  const latest = useRef(refetch);
  latest.current = refetch;
  useEffect(() => live?.on(topics, (events) => latest.current(events)), [live?.on, topics.join()]);
}

// Return true if live events arrive.
export const useConnected = () => useContext(Live)?.connected ?? true;

const FETCH_INTERVAL = 700; // milliseconds between two requests

// Fetch something that changes while it is shown: { data, problem, refetch, put }. It is fetched when `key` changes, after
// events of the topics, and by `refetch`, but never twice at once, and with a pause between: of many events in a row, the last
// one always causes a request.
export type LiveData<T> = {
  data: T | null;
  problem: Problem | null;
  refetch: () => Promise<void> | undefined;
  put: (next: (before: T | null) => T | null) => void;
};

export function useLiveData<T>(load: (signal: AbortSignal) => Promise<T>, key: string, topics: string[]): LiveData<T> {
  const [state, setState] = useState<{ key: string; data: T | null; problem: Problem | null }>({
    key,
    data: null,
    problem: null,
  });
  const latest = useRef(load);
  latest.current = load;
  const runner = useRef<{ refetch: () => Promise<void> } | null>(null);
  const puts = useRef(0);

  useEffect(() => {
    const controller = new AbortController();
    let busy = false;
    let wanted = false;
    const refetch = async () => {
      wanted = true;
      if (busy) return;
      busy = true;
      while (wanted && !controller.signal.aborted) {
        wanted = false;
        const before = puts.current;
        try {
          const data = await latest.current(controller.signal);
          // The data was requested before the organiser's own change.
          if (before !== puts.current) wanted = true;
          else if (!controller.signal.aborted) setState({ key, data, problem: null });
        } catch (error) {
          const problem = error as Problem;
          if (!controller.signal.aborted) setState((before) => ({ key, data: before.key === key ? before.data : null, problem }));
        }
        await new Promise((resolve) => setTimeout(resolve, FETCH_INTERVAL));
      }
      busy = false;
    };
    runner.current = { refetch };
    refetch();
    return () => controller.abort();
  }, [key]);

  const refetch = useCallback(() => runner.current?.refetch(), []);
  const put = useCallback(
    (next: (before: T | null) => T | null) => {
      puts.current += 1;
      setState((before) => ({ key, data: next(before.data), problem: null }));
    },
    [key],
  );
  useTopics(topics, refetch);
  const own = state.key === key;
  return { data: own ? state.data : null, problem: own ? state.problem : null, refetch, put };
}

const COUNT_TOPICS = ["game", "envelopes", "photos", "queue"];
const UNREAD_STATES = ["waiting", "scanning"] as const;

export type TabCounts = { queue?: number; missing?: number; pictures?: number; idle?: boolean; envelopes: number };
const START_TIMEOUT = 1500; // milliseconds to wait for the first events

// Return the numbers on a game's tabs: { pictures: not read yet, queue: open doubts, envelopes: missing once the game is
// closed, idle: true if photos wait but no worker runs }; 0 until they are known.
export function useCounts(id: string, game: FullGameModel | null): TabCounts {
  const [begun, setBegun] = useState(false);
  const played = begun && game !== null && !["draft", "printed"].includes(game.state);
  const load = async (signal: AbortSignal): Promise<Omit<TabCounts, "envelopes">> => {
    if (!played) return {};
    const [queue, photos] = await Promise.all([
      request<QueueModel>(`/api/v1/games/${id}/queue?limit=1`, { signal }),
      request<PhotosModel>(`/api/v1/games/${id}/photos?limit=0`, { signal }),
    ]);
    return {
      queue: queue.open,
      missing: queue.missing,
      pictures: UNREAD_STATES.reduce((sum, state) => sum + (photos.states[state] ?? 0), 0),
      idle: isWithoutWorker(photos),
    };
  };
  const { data } = useLiveData(load, `${id} ${played}`, COUNT_TOPICS);
  // The start of the events would cause a second, expensive request: wait for it.
  useTopics(COUNT_TOPICS, () => setBegun(true));
  useEffect(() => {
    const timer = setTimeout(() => setBegun(true), START_TIMEOUT);
    return () => clearTimeout(timer);
  }, []);
  return { ...data, envelopes: (game?.state === "closed" && data?.missing) || 0 };
}

// Return how many photos are not read yet, including players'; `list` is the list of photos.
const unreadPhotos = ({ states, of_players: players }: PhotosModel) =>
  UNREAD_STATES.reduce((sum, state) => sum + (states[state] ?? 0), players);

// Return true if photos wait but no worker runs.
export const isWithoutWorker = (list: PhotosModel) => list.readers === 0 && unreadPhotos(list) > 0;

// A warning about it.
export const NoWorkerNotice = ({ is }: { is: boolean | undefined }) =>
  is && (
    <p class="notice notice-small" role="status">
      {texts.desk.nobodyReads}
    </p>
  );
