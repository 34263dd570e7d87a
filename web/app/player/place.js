// A player's own place in a game: what the server tells of it, kept fresh as long as the page is open.

import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import { listen } from "../shared/ask.js";
import { useFetched } from "../shared/fetched.js";
import { readMe } from "./calls.js";
import { outbox } from "./outbox/outbox.js";

const Place = createContext(null);
export const PlaceProvider = Place.Provider;

// { seat, me, problem, again, put, pulse, connected }: `pulse` is another number after every change in the game.
export const usePlace = () => useContext(Place);

const GATHER = 150; // milliseconds: changes come in swarms, and one look is enough for all of them
const WITHOUT = 10_000; // milliseconds between looks while no live events reach this phone

export function useMyPlace(seat) {
  const { data, problem, again, put } = useFetched((signal) => readMe(seat.token, signal), seat.token);
  const { pulse, connected } = usePulse(seat.token);
  useEveryPulse(pulse, again);
  // A deck that was made for this phone is the player's from then on, whatever becomes of the network.
  useEffect(() => outbox.subscribe((change = {}) => change.mapped && again()), [again]);
  return { seat, me: data, problem, again, put, pulse, connected };
}

// Something else of the player's that a screen shows, as `useFetched`, fetched anew after every change in the game.
export function useFresh(load, key) {
  const { seat, pulse } = usePlace();
  const unchanged = useUnchanged();
  const fetched = useFetched((signal) => load(seat.token, signal).then(unchanged), `${seat.token} ${key}`);
  useEveryPulse(pulse, fetched.again);
  return fetched;
}

// Gives a function that returns what was told before in place of the same told again: what was worked out from it stays.
function useUnchanged() {
  const told = useRef({});
  return useCallback((data) => {
    const text = JSON.stringify(data);
    if (text !== told.current.text) told.current = { text, data };
    return told.current.data;
  }, []);
}

function useEveryPulse(pulse, again) {
  const before = useRef(pulse);
  useEffect(() => {
    if (pulse !== before.current) again();
    before.current = pulse;
  }, [pulse]);
}

// Counts what happens: live events, and the moments at which a phone wakes up or has network again.
function usePulse(token) {
  const [pulse, setPulse] = useState(0);
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    let gathering;
    let looking;
    let stood = true;
    const beat = () => {
      clearTimeout(gathering);
      gathering = setTimeout(() => setPulse((before) => before + 1), GATHER);
    };
    const woken = () => document.visibilityState === "visible" && beat();
    const end = listen("/api/v1/me/events", {
      token,
      onEvent: beat,
      onState: (stands) => {
        if (stands === stood) return;
        stood = stands;
        setConnected(stands);
        clearInterval(looking);
        if (!stands) looking = setInterval(woken, WITHOUT);
      },
    });
    document.addEventListener("visibilitychange", woken);
    addEventListener("online", beat);
    return () => {
      end();
      clearTimeout(gathering);
      clearInterval(looking);
      document.removeEventListener("visibilitychange", woken);
      removeEventListener("online", beat);
    };
  }, [token]);
  return { pulse, connected };
}
