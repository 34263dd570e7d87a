// The only module that speaks with the server: requests, uploads with progress, and live events.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { texts } from "./i18n.js";

const UPLOAD_PATIENCE = 45_000; // milliseconds in which nothing of a picture goes out; it may take as long as it likes
const ANSWER_PATIENCE = 120_000; // for the answer to a picture, whose end may still lie in the phone or a proxy
const PATIENCE = 30_000;
const IMAGES = "image/webp, */*"; // for small copies of pictures in half the bytes
const SILENCE = 45_000; // milliseconds without a word after which a stream is dead; the server sends something every 15 s
const FIRST_PAUSE = 1000; // milliseconds before a broken stream of events is opened again; it doubles
const LONGEST_PAUSE = 30_000;

// What went wrong, in words for people, with what to do.
//   slug     which problem, such as "wrong-state"; "network" and "timeout" where no answer came; "page-error" for a
//            mistake of the page's own
//   status   of the answer; 0 where none came
//   wait     seconds after which another try will probably help; 0 where nothing says so
//   body     the whole answer, with what else it tells (such as `open` or `allowed_in`)
export class Problem extends Error {
  constructor(slug, { title, detail, status = 0, wait = 0, body = {} } = {}) {
    // Where a problem has several causes, each may have words of its own.
    const known = texts.problems?.[`${slug}/${body?.why}`] ?? texts.problems?.[slug];
    const own = typeof known === "function" ? known({ ...body, wait }) : known;
    const words = own ?? (title && detail ? { title, detail } : texts.problems.server);
    super(words.detail);
    Object.assign(this, { title: words.title, detail: words.detail, slug, status, wait, body });
  }

  // Whether nothing was said against the request itself, so that the same one may go through later.
  get passing() {
    if (this.slug === "page-error") return false;
    return this.status < 400 || this.status >= 500 || [408, 429].includes(this.status);
  }
}

// Ask the server and return its answer's JSON (null for none, a Blob with `as: "blob"`, a File with its name with
// `as: "file"`). Rejects with a Problem, or with an AbortError where `signal` ended it.
//   token     of a player or of the big screen          key       Idempotency-Key: the same key, the same answer
//   revision  what the organiser saw, as If-Match       body      sent as JSON, or as it is if it is a FormData or a Blob
//   patience  milliseconds to wait for the answer
export function ask(path, options = {}) {
  return exchange(path, options).catch(explain);
}

async function exchange(path, { method = "GET", body, token, key, revision, signal, as = "json", patience = PATIENCE }) {
  const headers = headersOf({ token, key, revision });
  if (as === "blob") headers.Accept = IMAGES;
  const plain = body instanceof FormData || body instanceof Blob;
  if (body !== undefined && !plain) headers["Content-Type"] = "application/json";
  // AbortSignal.any() and AbortSignal.timeout() are newer than the oldest browsers that we support.
  const ended = new AbortController();
  const end = () => ended.abort();
  if (signal?.aborted) end();
  const content = body === undefined || plain ? body : JSON.stringify(body);
  const request = new Request(path, { method, headers, body: content, signal: ended.signal });
  const session = sessions;
  let late = false;
  const clock = setTimeout(() => {
    late = true;
    end();
  }, patience);
  signal?.addEventListener("abort", end);
  let answer;
  let read;
  // Only what uses the network is in here: any other error is a mistake, and must not be taken for a lost connection.
  try {
    answer = await fetch(request);
    read = answer.ok && as !== "json" ? await answer.blob() : await answer.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(late ? "timeout" : "network");
  } finally {
    clearTimeout(clock);
    signal?.removeEventListener("abort", end);
  }
  if (!answer.ok) throw problemOf(answer.status, read, answer.headers.get("Retry-After"), session);
  if (as === "file") return new File([read], nameOf(answer), { type: read.type });
  if (as === "blob" || !read) return read || null;
  const told = parsed(read);
  if (told === null) throw new Problem("server", { status: answer.status });
  return told;
}

// A mistake of the page's own becomes a problem that says so, and is shown to developers in the console.
function explain(error) {
  if (error instanceof Problem || error.name === "AbortError") throw error;
  reportError(error);
  throw new Problem("page-error");
}

// Send a picture as a form, and return the answer's JSON. `onProgress` gets the share sent, 0 to 1. Else as `ask`, but
// it ends only where nothing goes on.
export function upload(path, file, { token, key, onProgress = () => {}, signal } = {}) {
  const form = new FormData();
  form.append("photo", file, file.name || "photo.jpg");
  return new Promise((resolve, reject) => {
    const session = sessions;
    // fetch() cannot tell how much of an upload is sent.
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [name, value] of Object.entries(headersOf({ token, key }))) request.setRequestHeader(name, value);
    request.responseType = "text";
    let clock;
    let stalled = false;
    const wait = (longest) => {
      clearTimeout(clock);
      clock = setTimeout(() => {
        stalled = true;
        request.abort();
      }, longest);
    };
    request.upload.onprogress = (event) => {
      wait(UPLOAD_PATIENCE);
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.upload.onload = () => {
      wait(ANSWER_PATIENCE);
      onProgress(1);
    };
    request.onloadend = () => clearTimeout(clock);
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300 && body) resolve(body);
      else reject(problemOf(request.status, request.responseText, request.getResponseHeader("Retry-After"), session));
    };
    request.onerror = () => reject(new Problem("network"));
    request.onabort = () => reject(stalled ? new Problem("timeout") : new DOMException("cancelled", "AbortError"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    wait(UPLOAD_PATIENCE);
    request.send(form);
    if (signal?.aborted) request.abort();
  }).catch(explain);
}

// Listen to a stream of live events until the returned function is called. It comes back by itself after every break. While
// nobody sees the page it rests: browsers open six connections to a server without https, and a stream holds one of them.
//   onEvent   gets each event's JSON, such as { topic: "photos" }; topics "start" and "all" ask to fetch everything anew
//   onState   gets true when the stream stands and false when it broke
export function listen(path, { token, onEvent, onState = () => {} }) {
  const ended = new AbortController();
  const seen = sight(ended.signal);
  let pause = FIRST_PAUSE;

  // Read one stream until it ends, breaks, falls silent, or nobody sees the page.
  async function once(hidden) {
    const headers = headersOf({ token });
    headers.Accept = "text/event-stream";
    const session = sessions;
    const stopped = new AbortController();
    const stop = () => stopped.abort();
    let clock;
    const wait = () => {
      clearTimeout(clock);
      clock = setTimeout(stop, SILENCE);
    };
    hidden.addEventListener("abort", stop);
    if (hidden.aborted) stop();
    try {
      wait();
      const answer = await fetch(path, { headers, signal: stopped.signal, cache: "no-store" });
      if (!answer.ok) throw problemOf(answer.status, await answer.text(), answer.headers.get("Retry-After"), session);
      onState(true);
      pause = FIRST_PAUSE;
      let text = "";
      const decoder = new TextDecoder();
      const reader = answer.body.getReader();
      for (;;) {
        wait();
        const { done, value } = await reader.read();
        if (done) return;
        const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
        text = blocks.pop();
        blocks.forEach(tell);
      }
    } finally {
      clearTimeout(clock);
      hidden.removeEventListener("abort", stop);
    }
  }

  function tell(block) {
    const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s)));
    try {
      if (fields.data) onEvent(JSON.parse(fields.data));
    } catch (error) {
      // A mistake of the page's own does not break the stream.
      reportError(error);
    }
  }

  async function forever() {
    while (!ended.signal.aborted) {
      let wait = pause;
      const hidden = await seen();
      try {
        await once(hidden);
      } catch (error) {
        if (ended.signal.aborted) return;
        if (hidden.aborted) continue;
        if (error.status === 401) return onState(false);
        wait = Math.max(pause, (error.wait ?? 0) * 1000);
        pause = Math.min(LONGEST_PAUSE, pause * 2);
      }
      onState(false);
      // Spread over time, since after a server's restart everybody comes back at once.
      await delay(wait * (0.5 + Math.random()), ended.signal);
    }
  }

  forever();
  return () => ended.abort();
}

// Gives a function that waits until the page is seen, and gives a signal for when it no longer is: behind another tab, or
// left for another page, from which the browser may come back to it. `signal` ends the watch, and aborts that signal too.
function sight(signal) {
  let left = false;
  let wake = () => {};
  let hidden = new AbortController();
  const look = ({ type }) => {
    if (type.startsWith("page")) left = type === "pagehide";
    if (left || document.hidden) return hidden.abort();
    if (hidden.signal.aborted) hidden = new AbortController();
    wake();
  };
  signal.addEventListener("abort", () => hidden.abort());
  addEventListener("pagehide", look, { signal });
  addEventListener("pageshow", look, { signal });
  document.addEventListener("visibilitychange", look, { signal });
  return async () => {
    while (left || document.hidden) await new Promise((resolve) => (wake = resolve));
    return hidden.signal;
  };
}

// A fresh key for a request that must not count twice.
export const freshKey = () => (crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map(hex).join(""));

const hex = (byte) => byte.toString(16).padStart(2, "0");

function headersOf({ token, key, revision }) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  if (revision) headers["If-Match"] = revision;
  return headers;
}

const nameOf = ({ headers }) => /filename="?([^";]+)/.exec(headers.get("Content-Disposition"))?.[1] ?? "haggle";

// How often somebody has signed in here: what was asked before that says nothing of the new session.
let sessions = 0;
addEventListener("haggle-signed-in", () => (sessions += 1));

function problemOf(status, text, after, session) {
  const body = parsed(text) ?? {};
  const slug = body.type ? String(body.type).split("/").pop() : "server";
  // The desk asks for the password again, above whatever was being done.
  if (slug === "not-signed-in" && session === sessions) dispatchEvent(new Event("haggle-signed-out"));
  return new Problem(slug, { title: body.title, detail: body.detail, status, wait: Number(after) || 0, body });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const delay = (milliseconds, signal) =>
  new Promise((resolve) => {
    const clock = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(clock), resolve()), { once: true });
  });

// Something from the server that a screen shows: { data, problem, again }. `load` gets a signal and returns a promise;
// it is called when `key` changes and by `again`, and what was there stays until the new has come.
export function useFetched(load, key) {
  const [state, setState] = useState({ key, data: null, problem: null });
  const latest = useRef(load);
  latest.current = load;
  const running = useRef(null);

  const again = useCallback(() => {
    running.current?.abort();
    const run = (running.current = new AbortController());
    return latest.current(run.signal).then(
      (data) => run.signal.aborted || setState({ key, data, problem: null }),
      (problem) => run.signal.aborted || setState((before) => ({ ...before, key, problem })),
    );
  }, [key]);

  useEffect(() => {
    again();
    // What was refused to somebody who was not signed in is asked for anew.
    addEventListener("haggle-signed-in", again);
    return () => {
      removeEventListener("haggle-signed-in", again);
      running.current?.abort();
    };
  }, [again]);

  // What belongs to another key is not shown for a moment.
  const data = state.key === key ? state.data : null;
  const put = useCallback(
    (next) => setState((before) => ({ key, data: typeof next === "function" ? next(before.data) : next, problem: null })),
    [key],
  );
  return { data, problem: state.key === key ? state.problem : null, again, put };
}
