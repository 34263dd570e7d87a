// The only module that speaks with the server.

import { texts } from "./texts.js";

const GAME = "/api/v1/game";
const SCANS = "/api/v1/scans";
const UPLOAD_TIMEOUT = 120_000; // milliseconds; a large picture over a poor network

const LONGEST_WAIT = 30; // seconds that nobody needs to be asked about

// What went wrong, in words for people. `again`: sending the same picture again may help; `wait`: it will probably help
// after so many seconds, 0 for anything but a busy server.
export class Problem extends Error {
  constructor({ title, detail }, { again = true, slug = "", wait = 0 } = {}) {
    super(detail);
    this.title = title;
    this.detail = detail;
    this.again = again;
    this.slug = slug;
    this.wait = wait;
  }
}

export async function fetchGame() {
  try {
    const answer = await fetch(GAME, { headers: { Accept: "application/json" } });
    if (answer.ok) return await answer.json();
  } catch {
    // No network: the same words as for any other failure.
  }
  throw new Problem(texts.problem.game);
}

// The file of a sample picture, as if it had been chosen by hand.
export async function fetchSample(sample) {
  try {
    const answer = await fetch(sample.url);
    if (answer.ok) return new File([await answer.blob()], sample.title, { type: "image/jpeg" });
  } catch {
    // As above.
  }
  throw new Problem(texts.problem.network);
}

// Send a picture as it is and return what the server saw in it.
// `onProgress` gets the share sent, 0 to 1. `signal` cancels; the promise then never settles.
export function scan(file, { limit, onProgress, signal }) {
  if (file.size > limit) return Promise.reject(new Problem(texts.problem.tooLarge(limit), { again: false }));
  const form = new FormData();
  form.append("photo", file, file.name || "photo");
  return new Promise((resolve, reject) => {
    // fetch() cannot tell how much of an upload is sent.
    const request = new XMLHttpRequest();
    request.open("POST", SCANS);
    request.responseType = "text";
    request.timeout = UPLOAD_TIMEOUT;
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.upload.onload = () => onProgress(1);
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status === 200 && body) resolve(body);
      else reject(problemOf(request, body));
    };
    request.onerror = () => reject(new Problem(texts.problem.network));
    request.ontimeout = () => reject(new Problem(texts.problem.timeout));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}

function problemOf(request, body) {
  if (!body?.title || !body?.detail) return new Problem(texts.problem.server);
  const slug = String(body.type).split("/").pop();
  const after = Number(request.getResponseHeader("Retry-After"));
  const wait = slug === "busy" && after > 0 && after <= LONGEST_WAIT ? after : 0;
  return new Problem(body, { again: request.status >= 500, slug, wait });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
