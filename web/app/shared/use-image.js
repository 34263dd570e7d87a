// Pictures to show: from this device's own file, or from the server where the browser cannot show that file (as HEIC on
// most) or where there is none. A list shows small ones, since ten pictures of 12 megapixels make a phone crawl.

import { useEffect, useState } from "preact/hooks";
import { ask } from "./ask.js";

const SIDE = 1400; // pixels of a preview's width: three for each of a phone's own
const SMALL = 300_000; // bytes of a picture that is its own preview
const QUALITY = 0.85;
const TRIES = 6;
const PAUSE = 2; // seconds before a picture that did not come is asked for again, where the server does not say
const NOTHING = { blob: null, gone: false };

// `path` of a picture on the server, the player's `token` for it, and the `file` where this page has it. Gives addresses:
// `url` of the whole picture, `preview` of a small one, each null until it is there; whether there is nothing that the
// browser can show (`hidden`), and whether they are of the `file` (`own`).
export function useImage({ file = null, path = null, token, side = SIDE }) {
  const [broken, setBroken] = useState(null);
  const own = file !== broken ? file : null;
  const servers = useServers(own ? null : path, token);
  const blob = own ?? servers.blob;
  // Of what the server sends nearly all can be shown; whoever shows it tells of the rest.
  const ready = !own && blob?.size <= SMALL ? blob : null;
  const [small, setSmall] = useState({ of: null, made: null });
  useEffect(() => {
    if (!blob || ready) return undefined;
    let gone = false;
    shrunk(blob, side).then(
      (made) => gone || setSmall({ of: blob, made }),
      () => gone || setBroken(blob),
    );
    return () => {
      gone = true;
    };
  }, [blob, side]);
  const made = ready ?? (blob && small.of === blob ? small.made : null);
  return { url: useUrl(blob), preview: useUrl(made), own: Boolean(own), hidden: blob ? blob === broken : servers.gone || (file !== null && !path) };
}

// The address of a blob's bytes in memory, which are given back when another takes its place.
function useUrl(blob) {
  const [state, setState] = useState({ of: null, url: null });
  useEffect(() => {
    if (!blob) return undefined;
    const url = URL.createObjectURL(blob);
    setState({ of: blob, url });
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return blob && state.of === blob ? state.url : null;
}

// A picture on the server. One that cannot be sent yet, since it is still being read, is asked for again.
function useServers(path, token) {
  const [state, setState] = useState({ of: null, blob: null, gone: false });
  useEffect(() => {
    if (!path) return undefined;
    const ended = new AbortController();
    let clock;
    const load = (left) =>
      ask(path, { token, as: "blob", signal: ended.signal }).then(
        (blob) => setState({ of: path, blob, gone: false }),
        (problem) => {
          if (ended.signal.aborted) return;
          const wait = problem.wait || (problem.passing ? PAUSE : 0);
          if (wait && left) clock = setTimeout(load, wait * 1000, left - 1);
          else setState({ of: path, blob: null, gone: true });
        },
      );
    load(TRIES);
    return () => {
      ended.abort();
      clearTimeout(clock);
    };
  }, [path, token]);
  return path && state.of === path ? state : NOTHING;
}

let last = Promise.resolve();

// A small copy of a picture; the picture itself where that is small. Rejects for what the browser cannot show. One after the
// other, since each is large while it is made.
function shrunk(blob, side = SIDE) {
  const made = last.then(() => shrink(blob, side));
  last = made.catch(() => {});
  return made;
}

async function shrink(blob, side) {
  const bitmap = await createImageBitmap(blob, { resizeWidth: side, resizeQuality: "medium" });
  try {
    if (blob.size <= SMALL) return blob;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext("2d", { alpha: false }).drawImage(bitmap, 0, 0);
    return (await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY))) ?? blob;
  } finally {
    bitmap.close();
  }
}
