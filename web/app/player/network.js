import { useEffect, useState } from "preact/hooks";
import { outbox } from "./outbox/outbox.js";
import { usePlace } from "./place.js";

const UNREACHED = ["network", "timeout", "server"];

// Whether the last thing that was sent did not reach the server. The outbox tries again and again; this stays as it is
// until a try has gone well. It hears of it before any component does.
let failing = false;
outbox.subscribe(({ idle, sent, problem }) => {
  if (idle) failing = UNREACHED.includes(problem);
  if (sent) failing = false;
});

// Whether what this page sends has to wait: without network, or while the server does not answer. For components that
// use the outbox, with whose changes it changes.
export function useOffline() {
  const { me, problem } = usePlace();
  const online = useOnline();
  return !online || failing || Boolean(me?.asOf) || problem?.slug === "network";
}

function useOnline() {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    for (const name of ["online", "offline"]) addEventListener(name, look);
    return () => {
      for (const name of ["online", "offline"]) removeEventListener(name, look);
    };
  }, []);
  return online;
}
