// What is done to pictures, each by the server's own way of it.

import { Problem, ask } from "../../shared/ask.js";
import { texts } from "../../shared/texts.js";

const same = (a, b) => a.length === b.length && a.every((one, at) => one === b[at]);

// Do something to each of several pictures, one after the other; `onDone` is called after each. Gives the problems by
// picture: what went well stays done.
export async function toEach(game, photos, act, body, onDone) {
  const problems = [];
  for (const photo of photos) {
    try {
      await ACTS[act](`/api/v1/games/${game}/photos/${photo.id}`, photo, body);
    } catch (problem) {
      problems.push({ photo, problem });
    }
    onDone();
  }
  return problems;
}

async function say(path, photo, body) {
  const now = await ask(path);
  // The revision has to be of what the organiser saw: another owner since then is somebody else's decision.
  if (!same(now.envelopes, photo.envelopes) || now.decided !== photo.decided) throw new Problem("changed", texts.problems.changed);
  return ask(path, { method: "PATCH", body, revision: now.revision ?? "0" });
}

const ACTS = {
  assign: (path, photo, { envelope, reason }) => say(path, photo, { do: "assign", envelope, reason }),
  ignore: (path, photo, { reason }) => say(path, photo, { do: "ignore", reason }),
  scan: (path) => ask(`${path}/scan`, { method: "POST" }),
  delete: (path, _, { reason }) => ask(`${path}?${new URLSearchParams({ reason })}`, { method: "DELETE" }),
};
