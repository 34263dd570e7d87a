import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../shared/http.js";
import { Icon } from "../../shared/icon.js";
import { Notice } from "../../shared/notices.js";
import { useSending } from "../forms.js";

const PREVIEW_TIMEOUT = 60_000; // milliseconds; a page may wait for others that are being drawn
const SETTLE = 400; // while the address is still being typed

// A page that the server draws, in its place from the start. `ratio` is its width over its height; without one the
// picture's own counts once it is there.
export function Preview({ address, name, ratio, zoom = false }) {
  const [state, setState] = useState({ url: "", problem: null });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const run = new AbortController();
    let url = "";
    const clock = setTimeout(
      () =>
        ask(address, { signal: run.signal, as: "blob", patience: PREVIEW_TIMEOUT }).then(
          (blob) => {
            url = URL.createObjectURL(blob);
            if (run.signal.aborted) URL.revokeObjectURL(url);
            else setState({ url, problem: null });
          },
          (problem) => run.signal.aborted || setState({ url: "", problem }),
        ),
      state.url || state.problem ? SETTLE : 0,
    );
    return () => {
      clearTimeout(clock);
      run.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [address, tries]);
  if (state.problem) return html`<${Notice} problem=${state.problem} small onAgain=${() => setTries(tries + 1)} />`;
  const kind = `preview ${zoom ? "preview-zoom" : ""} ${ratio ? "preview-kept" : ""}`;
  return html`<figure class=${kind} style=${{ aspectRatio: ratio && String(ratio) }} aria-busy=${state.url ? undefined : "true"}>
    ${state.url ? html`<img src=${state.url} alt=${name} />` : html`<div class="skeleton" role="img" aria-label=${name}></div>`}
  </figure>`;
}

export const SHEET = { a4: 210 / 297, letter: 215.9 / 279.4 };
export const LABEL = 94 / 66;

const DOWNLOAD_TIMEOUT = 180_000; // milliseconds; a file may wait for others that are being drawn
const SAVED = 60_000; // milliseconds after which a browser has taken what it saves

// A file of the server's, fetched and then saved: a plain link would die without a word where the server refuses it. `about`
// says of what it is to those who do not see where it stands.
export function Download({ address, title, about, icon = "download", kind = "" }) {
  const { send, busy, problem, forget } = useSending();
  useEffect(() => forget(), [address]);
  const get = (event) => {
    event.preventDefault();
    send(async () => save(await ask(address, { as: "file", patience: DOWNLOAD_TIMEOUT })));
  };
  return html`<a class=${`as-button ${kind}`} href=${address} download aria-busy=${busy ? "true" : undefined} onClick=${get}>${!busy && html`<${Icon} name=${icon} />`} ${title}${about && html`<span class="unseen">${about}</span>`}</a>
    ${problem && html`<${Notice} problem=${problem} small />`}`;
}

function save(file) {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), SAVED);
}
