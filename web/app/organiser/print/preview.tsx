// Images and downloads of rendered pages.

import { useEffect, useState } from "preact/hooks";
import { type Problem, request, saveFile } from "../../shared/http";
import { Icon, type IconName } from "../../shared/icon";
import { Notice } from "../../shared/notices";
import { useSubmit } from "../forms";

const PREVIEW_TIMEOUT = 60_000; // milliseconds; other pages may be rendered first
const DEBOUNCE = 400; // milliseconds after the last change of the address

// A page rendered by the server. `ratio` is its width divided by its height, to reserve the space; without one the image's own
// is used.
type PreviewProps = { address: string; name: string; ratio?: number | undefined; zoom?: boolean };

export function Preview({ address, name, ratio, zoom = false }: PreviewProps) {
  const [state, setState] = useState<{ url: string; problem: Problem | null }>({ url: "", problem: null });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    let url = "";
    const timer = setTimeout(
      () =>
        request(address, { signal: controller.signal, as: "blob", timeout: PREVIEW_TIMEOUT }).then(
          (blob) => {
            url = URL.createObjectURL(blob);
            if (controller.signal.aborted) URL.revokeObjectURL(url);
            else setState({ url, problem: null });
          },
          (problem: Problem) => controller.signal.aborted || setState({ url: "", problem }),
        ),
      state.url || state.problem ? DEBOUNCE : 0,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [address, tries]);
  if (state.problem) return <Notice problem={state.problem} small onRetry={() => setTries(tries + 1)} />;
  const kind = `preview ${zoom ? "preview-zoom" : ""} ${ratio ? "preview-kept" : ""}`;
  return (
    <figure class={kind} style={ratio ? { aspectRatio: String(ratio) } : {}} aria-busy={state.url ? undefined : "true"}>
      {state.url ? <img src={state.url} alt={name} /> : <div class="skeleton" role="img" aria-label={name} />}
    </figure>
  );
}

export const SHEET_RATIO = { a4: 210 / 297, letter: 215.9 / 279.4 };
export const LABEL_RATIO = 94 / 66;

const DOWNLOAD_TIMEOUT = 180_000; // milliseconds; other files may be rendered first

// A button to download a file. It is fetched and then saved, since a plain link would hide errors. `about` completes the label
// for screen readers.
type DownloadProps = { address: string; title: string; about?: string | undefined; icon?: IconName; kind?: string };

export function Download({ address, title, about, icon = "download", kind = "" }: DownloadProps) {
  const { send, busy, problem, forget } = useSubmit();
  useEffect(() => forget(), [address]);
  const get = (event: Event) => {
    event.preventDefault();
    send(async () => saveFile(await request(address, { as: "file", timeout: DOWNLOAD_TIMEOUT })));
  };
  return (
    <>
      <a class={`as-button ${kind}`} href={address} download aria-busy={busy ? "true" : undefined} onClick={get}>
        {!busy && <Icon name={icon} />} {title}
        {about && <span class="visually-hidden">{about}</span>}
      </a>
      {problem && <Notice problem={problem} small />}
    </>
  );
}
