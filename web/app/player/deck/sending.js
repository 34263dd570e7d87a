import { useEffect, useRef, useState } from "preact/hooks";

const LULL = 600; // milliseconds between two pictures, or before the first, that are no waiting yet

// How many pictures of a deck are on their way to the server, and how much of them is there; null while none is being sent.
// `arrived` are the ids of those that are there: they go on counting until none is left, so that the share only grows.
export function useSending(uploads, arrived) {
  const seen = useRef(new Set());
  if (!uploads.length) seen.current.clear();
  for (const { id } of uploads) seen.current.add(id);
  const stuck = useLasting(uploads.length > 0 && !uploads.some(({ state }) => state === "sending"));
  if (!uploads.length || stuck) return null;
  const there = arrived.filter((id) => seen.current.has(id)).length;
  const count = there + uploads.length;
  const share = uploads.reduce((sum, { progress }) => sum + progress, there) / count;
  return { count, percent: Math.round(share * 100) };
}

// Whether something has been so for a while.
function useLasting(now) {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    setLasts(false);
    const clock = now && setTimeout(setLasts, LULL, true);
    return () => clearTimeout(clock);
  }, [now]);
  return now && lasts;
}
