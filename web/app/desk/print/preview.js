import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { Notice } from "../../shared/notice.js";

const PATIENCE = 60_000; // milliseconds; a page may wait for others that are being drawn
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
        ask(address, { signal: run.signal, as: "blob", patience: PATIENCE }).then(
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
