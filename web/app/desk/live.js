// What happens in a game, as the server tells it live: other organisers' changes, readings, hand-ins.

import { createContext } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { listen } from "../shared/ask.js";

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
