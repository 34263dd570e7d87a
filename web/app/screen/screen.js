// What the server tells the big screen, kept fresh.

import { useEffect, useState } from "preact/hooks";
import { ask, listen } from "../shared/ask.js";
import { useFetched } from "../shared/fetched.js";
import { language } from "../shared/texts.js";
import { setClock } from "../shared/times.js";

const FRESH = 60_000; // milliseconds after which the clock is compared with the server's again

// The screen's facts: { data, problem, again, connected }.
export function useScreen(token) {
  const { data, problem, again, put } = useFetched(async (signal) => {
    const told = await ask(`/api/v1/projector?language=${language()}`, { token, signal });
    setClock(told.now);
    return told;
  }, token);
  const [connected, setConnected] = useState(true);

  useEffect(
    () =>
      listen("/api/v1/projector/events", {
        token,
        onState: setConnected,
        onEvent: (event) => (event.topic === "hand-ins" ? put((before) => before && { ...before, hand_ins: event.hand_ins }) : again()),
      }),
    [token, again],
  );
  useEffect(() => {
    const clock = setInterval(again, FRESH);
    const look = () => document.hidden || again();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(clock);
      document.removeEventListener("visibilitychange", look);
    };
  }, [again]);
  return { data, problem, again, connected };
}
