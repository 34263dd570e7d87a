import { useRef } from "preact/hooks";
import { useStuck } from "../use-outbox.js";

// How many pictures of a deck are on their way to the server, and how much of them is there; null while none is being sent.
// `arrived` are the ids of those that are there: they go on counting until none is left, so that the share only grows.
export function useSending(uploads, arrived) {
  const seen = useRef(new Set());
  if (!uploads.length) seen.current.clear();
  for (const { id } of uploads) seen.current.add(id);
  const stuck = useStuck(uploads);
  if (!uploads.length || stuck) return null;
  const there = arrived.filter((id) => seen.current.has(id)).length;
  const count = there + uploads.length;
  const share = uploads.reduce((sum, { progress }) => sum + progress, there) / count;
  return { count, percent: Math.round(share * 100) };
}
