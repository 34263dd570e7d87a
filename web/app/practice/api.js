// What the practice page asks of the server.

import { Problem, ask, upload } from "../shared/ask.js";

const GAME = "/api/v1/game";
const SCANS = "/api/v1/scans";

export const fetchGame = () =>
  ask(GAME).catch(() => {
    throw new Problem("game");
  });

// The file of a sample picture, as if it had been chosen by hand.
export const fetchSample = async (sample) => {
  const blob = await ask(sample.url, { as: "blob" }).catch(() => {
    throw new Problem("network");
  });
  return new File([blob], sample.title, { type: "image/jpeg" });
};

// Send a picture as it is and return what the server saw in it. `onProgress` gets the share sent, 0 to 1.
export async function scan(file, { limit, onProgress, signal }) {
  if (file.size > limit) throw new Problem("too-many-bytes-here", { status: 413, body: { limit } });
  return upload(SCANS, file, { onProgress, signal });
}
