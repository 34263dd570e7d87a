// The numbers on a game's tabs: what is still to be done there.

import { useEffect, useState } from "preact/hooks";
import { ask } from "../shared/ask.js";
import { useOn } from "./live.js";
import { nobodyReads } from "./nobody-reads.js";
import { useSteady } from "./steady.js";

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
