// What happens in a game, as the server tells it live: other organisers' changes, readings, hand-ins.

import { html } from "htm/preact";
import { createContext } from "preact";
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ask, listen } from "../shared/http.js";
import { texts } from "../shared/i18n.js";

const Live = createContext(null);
export const LiveProvider = Live.Provider;

const EVERYTHING = new Set(["start", "all"]);
const GATHER = 150; // milliseconds: events come in swarms, and one fetch is enough for all of them

// Listen to a game's events; gives { on, connected } for the provider. `on` takes topics and a function, which is called
// with the events of these topics that came in one swarm, and returns a function that ends it.
export function useEvents(game) {
  const [connected, setConnected] = useState(true);
  const [session, setSession] = useState(0);
  const watchers = useRef(new Set());
  useEffect(
    () =>
      listen(`/api/v1/games/${game}/events`, {
        onState: (stands) => {
          setConnected(stands);
          if (stands) dispatchEvent(new Event("haggle-live"));
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
    () => (topics, call) => {
      let swarm = [];
      let clock = null;
      const take = (event) => {
        swarm.push(event);
        clock ??= setTimeout(() => {
          const events = swarm;
          [swarm, clock] = [[], null];
          call(events);
        }, GATHER);
      };
      const watcher = { topics, take };
      watchers.current.add(watcher);
      return () => {
        clearTimeout(clock);
        watchers.current.delete(watcher);
      };
    },
    [],
  );
  return useMemo(() => ({ on, connected }), [on, connected]);
}

// Call `again` when something happened under one of these topics: game, envelopes, photos, queue, results.
export function useOn(topics, again) {
  const live = useContext(Live);
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => live?.on(topics, (events) => latest.current(events)), [live?.on, topics.join()]);
}

// Whether changes reach this page just now.
export const useConnected = () => useContext(Live)?.connected ?? true;

const PAUSE = 700; // milliseconds between two fetches

// Something from the server that changes while it is shown: { data, problem, again, put }. It is fetched when `key` changes,
// when something happens under one of the topics, and by `again`. Never twice at once, and with a pause in between: where
// things happen in swarms, each fetch is let finish, and one more follows the last of them.
export function useSteady(load, key, topics) {
  const [state, setState] = useState({ key, data: null, problem: null });
  const latest = useRef(load);
  latest.current = load;
  const keeper = useRef(null);
  const puts = useRef(0);

  useEffect(() => {
    const ended = new AbortController();
    let busy = false;
    let wanted = false;
    const again = async () => {
      wanted = true;
      if (busy) return;
      busy = true;
      while (wanted && !ended.signal.aborted) {
        wanted = false;
        const before = puts.current;
        try {
          const data = await latest.current(ended.signal);
          // What was asked for before a change of one's own is older than what is shown.
          if (before !== puts.current) wanted = true;
          else if (!ended.signal.aborted) setState({ key, data, problem: null });
        } catch (problem) {
          if (!ended.signal.aborted) setState((before) => ({ key, data: before.key === key ? before.data : null, problem }));
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
      busy = false;
    };
    keeper.current = { again };
    again();
    return () => ended.abort();
  }, [key]);

  const again = useCallback(() => keeper.current?.again(), []);
  const put = useCallback(
    (next) => {
      puts.current += 1;
      setState((before) => ({ key, data: next(before.data), problem: null }));
    },
    [key],
  );
  useOn(topics, again);
  const own = state.key === key;
  return { data: own ? state.data : null, problem: own ? state.problem : null, again, put };
}

// The numbers on a game's tabs: what is still to be done there.

const TOPICS = ["game", "envelopes", "photos", "queue"];
const READ = ["waiting", "scanning"];
const PATIENCE = 1500; // milliseconds to wait for the live connection

// { pictures: still being read, queue: open doubts, envelopes: missing once the game is closed, which are no doubts,
// idle: whether pictures wait that nobody reads }; 0 until they are known.
export function useCounts(id, game) {
  const [begun, setBegun] = useState(false);
  const played = begun && Boolean(game) && !["draft", "printed"].includes(game.state);
  const load = async (signal) => {
    if (!played) return {};
    const [queue, photos] = await Promise.all(
      ["queue?limit=1", "photos?limit=0"].map((part) => ask(`/api/v1/games/${id}/${part}`, { signal })),
    );
    const { missing: unseen = 0, unseen: claimed = 0 } = queue.kinds;
    return { queue: queue.open - unseen, unseen: unseen + claimed, pictures: READ.reduce((sum, state) => sum + (photos.states[state] ?? 0), 0), idle: nobodyReads(photos) };
  };
  const { data } = useSteady(load, `${id} ${played}`, TOPICS);
  // The start of the live connection would have them asked for once more, and they cost the server much: so they wait for it.
  useOn(TOPICS, () => setBegun(true));
  useEffect(() => {
    const clock = setTimeout(() => setBegun(true), PATIENCE);
    return () => clearTimeout(clock);
  }, []);
  return { ...data, envelopes: game?.state === "closed" ? (data?.unseen ?? missing(game)) : 0 };
}

// How many envelopes were given out and never came back, those included that are called absent.
export const missing = ({ counts }) => Math.max(0, counts.open - counts.received);

// How many pictures of the game are not read yet, those of players included; `told`: the list of pictures.
const unread = ({ states, of_players: players }) => states.waiting + states.scanning + players;

// Whether pictures wait and no process reads any.
export const nobodyReads = (told) => told.readers === 0 && unread(told) > 0;

// What to do then.
export const NobodyReads = ({ is }) => is && html`<p class="notice notice-small" role="status">${texts.desk.nobodyReads}</p>`;
