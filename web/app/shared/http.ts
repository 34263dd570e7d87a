// Requests to the server, uploads with progress, and live events. No other module talks to the server.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { formatBytes, formatPoints, say, texts } from "./i18n";

const UPLOAD_STALL_TIMEOUT = 45_000; // milliseconds without upload progress; the whole upload may take as long as it needs
const RESPONSE_TIMEOUT = 120_000; // milliseconds to wait for the response to a photo, parts of which a proxy may still hold
const TIMEOUT = 30_000;
const REVOKE_DELAY = 60_000; // milliseconds after which a browser has saved a file
const ACCEPT_IMAGES = "image/webp, */*"; // smaller than JPEG by half
const STREAM_TIMEOUT = 45_000; // milliseconds after which a stream without data is dead; the server sends something every 15 s
const FIRST_RETRY_DELAY = 1000; // milliseconds before a broken stream is opened again; doubles with each failure
const MAX_RETRY_DELAY = 30_000;

// A problem document of the API.
type ProblemBody = { type?: string; title?: string; detail?: string; why?: string; [name: string]: unknown };
type Words = { title: string; detail: Parameters<typeof say>[0] };

// A problem, in words for people, with advice.
//   slug     such as "wrong-state"; "network" and "timeout" without a response, "page-error" for a bug in the page
//   status   of the response; 0 without one
//   wait     seconds after which another try will probably help; 0 if unknown
//   body     the whole response, with further fields such as `open` or `allowed_in`
export class Problem extends Error {
  readonly title: string;
  readonly detail: string;
  readonly slug: string;
  readonly status: number;
  readonly wait: number;
  readonly body: ProblemBody;

  constructor(
    slug: string,
    {
      title,
      detail,
      status = 0,
      wait = 0,
      body = {},
    }: Partial<Pick<Problem, "title" | "detail" | "status" | "wait" | "body">> = {},
  ) {
    // A problem with several causes may have a detail for each, and a title.
    const words: Record<string, Partial<Words> | undefined> = texts.problems ?? {};
    const base = words[slug] ?? words[SAME_TEXT[slug] ?? ""];
    const known = base && ({ ...base, ...words[`${slug}/${body.why}`] } as Words);
    const shown = known ?? (title && detail ? { title, detail } : texts.problems.server);
    const said = say(shown.detail, problemValues(body, wait));
    super(said);
    this.title = shown.title;
    this.detail = said;
    this.slug = slug;
    this.status = status;
    this.wait = wait;
    this.body = body;
  }

  // Return true if the request itself was not rejected, so that it may succeed later.
  get passing(): boolean {
    if (this.slug === "page-error") return false;
    return this.status < 400 || this.status >= 500 || [408, 429].includes(this.status);
  }
}

// Problems with the text of another one.
const SAME_TEXT: Record<string, string> = {
  "bad-request": "page-error",
  internal: "server",
  "invalid-field": "page-error",
  "method-not-allowed": "page-error",
  "no-key": "page-error",
  "not-confirmed": "confirm-first",
  "wrong-form": "page-error",
  "wrong-type": "page-error",
};

const MAX_PHOTO_BYTES = 25_000_000; // unless the server says otherwise
const USUAL_WAIT = 5; // seconds

// Return the arguments of the texts of problems.
function problemValues(body: ProblemBody, wait: number) {
  const { first, last, open, limit, width, height } = body;
  const range = first ? Number(last) - Number(first) + 1 : 0;
  return {
    ...body,
    detail: body.detail ?? "",
    reason: body.reason ?? "",
    wait: wait || USUAL_WAIT,
    size: formatBytes(Number(limit ?? MAX_PHOTO_BYTES)),
    width: formatPoints(String(width)),
    height: formatPoints(String(height)),
    count: Array.isArray(open) ? open.length : range,
  };
}

type Credentials = {
  token?: string | undefined;
  key?: string | undefined;
  revision?: string | undefined;
};
type RequestOptions = Credentials & {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal | undefined;
  as?: "json" | "blob" | "file";
  timeout?: number;
};

// Send a request and return the JSON of its response: null without content, a Blob with `as: "blob"`, a named File with
// `as: "file"`. Rejects with a Problem, or with an AbortError if `signal` was aborted.
//   token     of a player or of the projector          key       Idempotency-Key
//   revision  that the organiser saw, as If-Match      body      sent as JSON, or unchanged if it is a FormData or a Blob
//   timeout   milliseconds to wait for the response
export function request(path: string, options: RequestOptions & { as: "blob" }): Promise<Blob>;
export function request(path: string, options: RequestOptions & { as: "file" }): Promise<File>;
export function request<T>(path: string, options?: RequestOptions): Promise<T>;
export function request(path: string, options: RequestOptions = {}): Promise<unknown> {
  return sendRequest(path, options).catch(throwProblem);
}

// Save a file that was requested.
export function saveFile(file: File) {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY);
}

async function sendRequest(path: string, options: RequestOptions): Promise<unknown> {
  const { method = "GET", body, signal, as = "json", timeout = TIMEOUT } = options;
  const headers = requestHeaders(options);
  if (as === "blob") headers.Accept = ACCEPT_IMAGES;
  const plain = body instanceof FormData || body instanceof Blob;
  if (body !== undefined && !plain) headers["Content-Type"] = "application/json";
  // AbortSignal.any() and AbortSignal.timeout() are newer than the oldest browsers that we support.
  const controller = new AbortController();
  const end = () => controller.abort();
  if (signal?.aborted) end();
  const content = plain ? body : body === undefined ? null : JSON.stringify(body);
  const request = new Request(path, { method, headers, body: content, signal: controller.signal });
  const session = signIns;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, timeout);
  signal?.addEventListener("abort", end);
  let answer: Response;
  let read: Blob | string;
  // Only network calls are in here: any other error is a bug and must not look like a lost connection.
  try {
    answer = await fetch(request);
    read = answer.ok && as !== "json" ? await answer.blob() : await answer.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(late ? "timeout" : "network");
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
  if (read instanceof Blob) return as === "file" ? new File([read], fileNameOf(answer), { type: read.type }) : read;
  if (!answer.ok) throw toProblem(answer.status, read, answer.headers.get("Retry-After"), session);
  if (!read) return null;
  const parsed = parseJson(read);
  if (parsed === null) throw new Problem("server", { status: answer.status });
  return parsed;
}

// Turn a bug of the page into a problem that says so, and log it.
function throwProblem(error: unknown): never {
  if (error instanceof Problem || (error instanceof DOMException && error.name === "AbortError")) throw error;
  reportError(error);
  throw new Problem("page-error");
}

type UploadOptions = Credentials & {
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal | undefined;
};

// Send a photo as a form and return the JSON of the response. `onProgress` gets the fraction sent, 0 to 1. Otherwise like
// `request`, but the time limit is for stalled uploads only.
export function upload<T>(
  path: string,
  file: File,
  { token, key, onProgress = () => {}, signal }: UploadOptions = {},
): Promise<T> {
  const form = new FormData();
  form.append("photo", file, file.name || "photo.jpg");
  return new Promise<T>((resolve, reject) => {
    const session = signIns;
    // fetch() cannot tell how much of an upload is sent.
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [name, value] of Object.entries(requestHeaders({ token, key }))) request.setRequestHeader(name, value);
    request.responseType = "text";
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stalled = false;
    const wait = (longest: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        stalled = true;
        request.abort();
      }, longest);
    };
    request.upload.onprogress = (event) => {
      wait(UPLOAD_STALL_TIMEOUT);
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.upload.onload = () => {
      wait(RESPONSE_TIMEOUT);
      onProgress(1);
    };
    request.onloadend = () => clearTimeout(timer);
    request.onload = () => {
      const body = parseJson(request.responseText);
      if (request.status >= 200 && request.status < 300 && body) resolve(body as T);
      else reject(toProblem(request.status, request.responseText, request.getResponseHeader("Retry-After"), session));
    };
    request.onerror = () => reject(new Problem("network"));
    request.onabort = () => reject(stalled ? new Problem("timeout") : new DOMException("cancelled", "AbortError"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    wait(UPLOAD_STALL_TIMEOUT);
    request.send(form);
    if (signal?.aborted) request.abort();
  }).catch(throwProblem);
}

export type LiveEvent = { topic: string; [name: string]: unknown };
type StreamOptions = {
  token?: string | undefined;
  onEvent: (event: LiveEvent) => void;
  onState?: (open: boolean) => void;
};

// Listen to live events until the returned function is called, and reconnect whenever the stream breaks. While the page is
// hidden there is no stream: browsers open only six connections to a server without HTTPS.
//   onEvent   gets each event, such as { topic: "photos" }; topics "start" and "all" ask to fetch everything again
//   onState   gets true when the stream is open and false when it broke
export function listenToEvents(path: string, { token, onEvent, onState = () => {} }: StreamOptions): () => void {
  const controller = new AbortController();
  const seen = watchVisibility(controller.signal);
  let pause = FIRST_RETRY_DELAY;

  // Read one stream until it ends, breaks or falls silent, or the page is hidden.
  async function once(hidden: AbortSignal): Promise<void> {
    const headers = requestHeaders({ token });
    headers.Accept = "text/event-stream";
    const session = signIns;
    const streamController = new AbortController();
    const stop = () => streamController.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(stop, STREAM_TIMEOUT);
    };
    hidden.addEventListener("abort", stop);
    if (hidden.aborted) stop();
    try {
      wait();
      const answer = await fetch(path, { headers, signal: streamController.signal, cache: "no-store" });
      if (!answer.ok) throw toProblem(answer.status, await answer.text(), answer.headers.get("Retry-After"), session);
      onState(true);
      pause = FIRST_RETRY_DELAY;
      let text = "";
      const decoder = new TextDecoder();
      const reader = answer.body?.getReader();
      if (!reader) return;
      for (;;) {
        wait();
        const { done, value } = await reader.read();
        if (done) return;
        const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
        text = blocks.pop() ?? "";
        blocks.forEach(tell);
      }
    } finally {
      clearTimeout(timer);
      hidden.removeEventListener("abort", stop);
    }
  }

  function tell(block: string) {
    const fields: { data?: string } = Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s)));
    try {
      if (fields.data) onEvent(JSON.parse(fields.data));
    } catch (error) {
      // A bug in a listener does not break the stream.
      reportError(error);
    }
  }

  async function forever() {
    while (!controller.signal.aborted) {
      let wait = pause;
      const hidden = await seen();
      try {
        await once(hidden);
      } catch (error) {
        if (controller.signal.aborted) return;
        if (hidden.aborted) continue;
        if (error instanceof Problem && error.status === 401) return onState(false);
        wait = Math.max(pause, error instanceof Problem ? error.wait * 1000 : 0);
        pause = Math.min(MAX_RETRY_DELAY, pause * 2);
      }
      onState(false);
      // Random, since all clients reconnect after a restart of the server.
      await delay(wait * (0.5 + Math.random()), controller.signal);
    }
  }

  forever();
  return () => controller.abort();
}

// Return a function that waits until the page is visible and resolves to a signal that is aborted when it is hidden: by
// another tab, or because another page was opened, from which browsers can come back. `signal` ends the watch.
function watchVisibility(signal: AbortSignal): () => Promise<AbortSignal> {
  let left = false;
  let wake = () => {};
  let hidden = new AbortController();
  const update = ({ type }: Event) => {
    if (type.startsWith("page")) left = type === "pagehide";
    if (left || document.hidden) return hidden.abort();
    if (hidden.signal.aborted) hidden = new AbortController();
    wake();
  };
  signal.addEventListener("abort", () => hidden.abort());
  addEventListener("pagehide", update, { signal });
  addEventListener("pageshow", update, { signal });
  document.addEventListener("visibilitychange", update, { signal });
  return async () => {
    while (left || document.hidden) await new Promise<void>((resolve) => (wake = resolve));
    return hidden.signal;
  };
}

// Return a new Idempotency-Key.
export const newIdempotencyKey = () =>
  crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map(hex).join("");

const hex = (byte: number) => byte.toString(16).padStart(2, "0");

function requestHeaders({ token, key, revision }: Credentials): Record<string, string> {
  const headers: Record<string, string> = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  if (revision) headers["If-Match"] = revision;
  return headers;
}

const fileNameOf = ({ headers }: Response) =>
  /filename="?([^";]+)/.exec(headers.get("Content-Disposition") ?? "")?.[1] ?? "haggle";

// The number of sign-ins in this page: a 401 to a request from before the last one means nothing.
let signIns = 0;
addEventListener("haggle-signed-in", () => {
  signIns += 1;
});

function toProblem(status: number, text: string, after: string | null, session: number): Problem {
  const body = (parseJson(text) ?? {}) as ProblemBody;
  const slug = body.type?.split("/").pop() ?? "server";
  // The organisers' page then asks for the password above the current screen.
  if (slug === "not-signed-in" && session === signIns) dispatchEvent(new Event("haggle-signed-out"));
  return new Problem(slug, { title: body.title ?? "", detail: body.detail ?? "", status, wait: Number(after) || 0, body });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const delay = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
  });

type FetchState<T> = { key: unknown; data: T | null; problem: Problem | null };
export type Fetched<T> = Omit<FetchState<T>, "key"> & {
  refetch: () => Promise<void>;
  put: (next: T | ((before: T | null) => T | null)) => void;
};

// Fetch something for a screen: { data, problem, refetch }. `load` gets a signal and returns a promise; it is called when
// `key` changes and by `refetch`. Until then the previous data stays.
export function useFetch<T>(load: (signal: AbortSignal) => Promise<T>, key: unknown): Fetched<T> {
  const [state, setState] = useState<FetchState<T>>({ key, data: null, problem: null });
  const latest = useRef(load);
  latest.current = load;
  const running = useRef<AbortController[]>([]); // oldest first
  const loaded = useRef(false);

  const refetch = useCallback(() => {
    // The first request goes on: on a slow network its data is there sooner than that of the next one.
    for (const earlier of running.current.splice(loaded.current ? 0 : 1)) earlier.abort();
    const run = new AbortController();
    running.current.push(run);
    return latest.current(run.signal).then(
      (data) => {
        if (run.signal.aborted) return;
        for (const earlier of running.current.splice(0, running.current.indexOf(run) + 1)) earlier.abort();
        loaded.current = true;
        setState({ key, data, problem: null });
      },
      (problem: Problem) => {
        if (run.signal.aborted) return;
        running.current = running.current.filter((other) => other !== run);
        if (!running.current.length) setState((before) => ({ ...before, key, problem }));
      },
    );
  }, [key]);

  useEffect(() => {
    refetch();
    // Requests that were rejected without a session.
    addEventListener("haggle-signed-in", refetch);
    return () => {
      removeEventListener("haggle-signed-in", refetch);
      for (const run of running.current.splice(0)) run.abort();
      loaded.current = false;
    };
  }, [refetch]);

  // Do not show data of another key, even for a moment.
  const data = state.key === key ? state.data : null;
  const put = useCallback(
    (next: T | ((before: T | null) => T | null)) =>
      setState((before) => ({ key, data: next instanceof Function ? next(before.data) : next, problem: null })),
    [key],
  );
  return { data, problem: state.key === key ? state.problem : null, refetch, put };
}
