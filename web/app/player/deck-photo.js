import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Dialog } from "../shared/dialog.js";
import { ask } from "../shared/http.js";
import { language, speak, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Notice } from "../shared/notices.js";
import { Outlines } from "../shared/outlines.js";
import { lazy } from "./lazy.js";
import { outbox } from "./offline/offline-queue.js";
import { dropPicture, pictureOf, usePlace } from "./player-state.js";

const Closer = lazy(() => import("../shared/zoom.js").then(({ Closer }) => Closer));

// A picture on the server: what was found in it, what was not, and how to take a better one.
export function Picture({ number, photo, deck, kinds, item, open, onChange }) {
  const { seat } = usePlace();
  const [near, setNear] = useState(false);
  const { url, preview, hidden } = usePicture(deck, photo, item, near);
  const scan = useMemo(() => scanOf(photo), [photo]);
  const words = texts.picture;
  const done = photo.state === "done";
  const reading = ["waiting", "scanning"].includes(photo.state);
  const frame = html`<${Photo} photo=${{ url: preview }} width=${photo.width} height=${photo.height} label=${words.about(number, photo.cards.length)} blank=${photo.image ? undefined : words.deleted}>
    ${done && html`<${Outlines} scan=${scan} kinds=${kinds} />`}
  <//>`;
  return html`<article class="picture" data-state=${photo.state} aria-label=${words.name(number)}>
    <div class=${`picture-frame ${reading ? "picture-busy" : ""}`}>
      ${done && preview
        ? html`<button type="button" class="picture-open" onClick=${() => setNear(true)}>
            ${frame}<span class="picture-closer"><${Icon} name="zoom" />${words.closer}</span>
          </button>`
        : preview || hidden || !photo.image
          ? frame
          : html`<div class="picture-empty skeleton" style=${photo.width ? { aspectRatio: `${photo.width} / ${photo.height}` } : {}}></div>`}
    </div>
    <div class="picture-words">
      <p class="picture-state">${reading ? words.reading : done ? words.found(photo.cards.filter(({ kind }) => kind).length, photo.doubts.length) : words.failed}</p>
      ${open && html`<${Remove} number=${number} remove=${() => dropPicture(seat.token, deck, photo.id)} onChange=${onChange} />`}
    </div>
    ${photo.state === "failed" && html`<${Notice} small problem=${texts.reasons[photo.reason] ?? texts.reasons.crashed} />`}
    ${photo.other_label && html`<${Notice} small problem=${texts.problems["other-label"]} />`}
    <${Remarks} photo=${photo} />
    ${near && html`<${Closer} url=${url} width=${photo.width} height=${photo.height} scan=${scan} kinds=${kinds} onClose=${() => setNear(false)} />`}
  </article>`;
}

// What else the picture tells: strange codes, and advice for the next one.
function Remarks({ photo }) {
  const dead = photo.cards.filter(({ kind }) => !kind).length;
  const remarks = [
    photo.own_label && texts.picture.ownLabel,
    photo.doubts.length > 0 && texts.picture.doubts(photo.doubts.length),
    dead > 0 && texts.picture.dead(dead),
    photo.strangers.length > 0 && texts.picture.strangers(photo.strangers.length),
    // That strange codes do not count has just been said.
    ...helping(photo.hints.filter(({ slug }) => slug !== "stranger"), photo.cards.length + photo.strangers.length + photo.doubts.length).map(hintText),
  ].filter(Boolean);
  if (!remarks.length) return null;
  return html`<ul class="picture-remarks">
    ${remarks.map((remark) => html`<li>${remark}</li>`)}
  </ul>`;
}

// A bin, and the question before it. `remove` takes the picture away, and `onChange` hears of it.
function Remove({ number, remove, onChange }) {
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState(null);
  const words = texts.picture;
  const sure = async () => {
    try {
      await remove();
      setAsking(false);
      onChange();
    } catch (error) {
      if (error.slug === "not-found") onChange();
      else setProblem(error);
    }
  };
  return html`<button type="button" class="bare" aria-label=${words.remove(number)} title=${words.remove(number)} onClick=${() => setAsking(true)}><${Icon} name="bin" /></button>
    ${asking &&
    html`<${Dialog} title=${words.removeTitle} onClose=${() => setAsking(false)}>
      <p>${words.removeDetail}</p>
      ${problem && html`<${Notice} problem=${problem} small />`}
      <div class="pair">
        <button type="button" class="secondary" onClick=${() => setAsking(false)}>${texts.cancel}</button>
        <button type="button" onClick=${sure}>${words.removeYes}</button>
      </div>
    <//>`}`;
}

// A picture on its way to the server.
export function Upload({ number, item }) {
  const words = texts.picture;
  const { preview, hidden } = useImage({ file: fileOf(item) });
  const percent = Math.round(item.progress * 100);
  const waits = item.state === "waiting";
  return html`<article class="picture" aria-label=${words.name(number)}>
    <div class="picture-frame picture-busy">
      ${preview || hidden
        ? html`<${Photo} photo=${{ url: preview }} label=${words.name(number)} />`
        : html`<div class="picture-empty skeleton"></div>`}
    </div>
    ${item.state !== "refused" &&
    html`<div class="picture-words">
        <p class="picture-state">${waits ? texts.outbox.waiting : words.sending(percent)}</p>
        <${Remove} number=${number} remove=${() => outbox.drop(item.id)} onChange=${() => {}} />
      </div>
      <progress class="picture-progress" max="100" value=${waits ? 0 : percent} aria-label=${words.progress}></progress>`}
    ${item.slow && html`<p class="picture-note" role="status">${texts.outbox.slow}</p>`}
    ${item.unkept && html`<p class="picture-note">${texts.outbox.unkept}</p>`}
  </article>`;
}

const WIDTH = 800; // pixels of the server's small copy: two for each of a phone's own, and a fiftieth of the bytes

// A picture of a deck: the file that this page has sent, else the server's, which is small until it is looked at from near.
// As `useImage` gives it.
function usePicture(deck, photo, item, near) {
  const { seat } = usePlace();
  const there = photo.image && photo.state !== "waiting";
  const whole = there ? pictureOf(deck, photo.id) : null;
  const shown = useImage({ file: item ? fileOfSent(item) : null, path: whole && photo.state === "done" ? `${whole}?width=${WIDTH}` : whole, token: seat.token });
  const close = useImage({ path: near && !shown.own ? whole : null, token: seat.token });
  return { ...shown, url: close.url ?? shown.url };
}

// The picture that was sent, with whatever is drawn over it. Where the browser cannot show the picture, or has none, a blank
// sheet of its shape takes its place, with the words `blank` below it.
function Photo({ photo, width, height, label, blank, children }) {
  const [broken, setBroken] = useState(null);
  const hidden = !photo.url || photo.url === broken;
  const shape = width && height ? { aspectRatio: `${width} / ${height}`, "--shape": width / height } : {};
  const name = label ?? texts.photo.name;
  return html`
    <figure class=${`photo ${hidden ? "photo-blank" : ""}`} style=${shape} role=${hidden ? "img" : undefined} aria-label=${hidden ? name : undefined}>
      ${!hidden && html`<img src=${photo.url} alt=${name} width=${width} height=${height} onError=${() => setBroken(photo.url)} />`}
      ${children}
    </figure>
    ${hidden && html`<p class="photo-note">${blank ?? texts.photo.noPreview}</p>`}
  `;
}

// Pictures to show: from this device's own file, or from the server where the browser cannot show that file (as HEIC on
// most) or where there is none. A list shows small ones, since ten pictures of 12 megapixels make a phone crawl.

const SIDE = 1400; // pixels of a preview's width: three for each of a phone's own
const SMALL = 300_000; // bytes of a picture that is its own preview
const QUALITY = 0.85;
const TRIES = 6;
const PAUSE = 2; // seconds before a picture that did not come is asked for again, where the server does not say
const NOTHING = { blob: null, gone: false };

// `path` of a picture on the server, the player's `token` for it, and the `file` where this page has it. Gives addresses:
// `url` of the whole picture, `preview` of a small one, each null until it is there; whether there is nothing that the
// browser can show (`hidden`), and whether they are of the `file` (`own`).
function useImage({ file = null, path = null, token, side = SIDE }) {
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

// The pictures that this page itself has sent, by the id under which they waited: shown from here, not from the server.

const files = new Map();

// The file of a waiting picture.
function fileOf(item) {
  if (item.file) files.set(item.id, item.file);
  return files.get(item.id) ?? null;
}

const fileOfSent = (id) => files.get(id) ?? null;

// A player's picture in the form in which outlines are drawn: cards that count with their names, all else as crosses.
function scanOf(photo) {
  const dead = photo.cards.filter(({ kind }) => !kind).map(({ outline }) => outline);
  return {
    width: photo.width,
    height: photo.height,
    seen: photo.cards.filter(({ kind }) => kind).map((card) => ({ ...card, quads: [] })),
    codes: [...photo.strangers, ...dead].map((quad) => ({ quad, status: "foreign" })),
    doubts: photo.doubts,
  };
}

await speak("hints").catch(() => {}); // without these words the scanner's own are better than no page

// The hints that help: where nothing was found at all, the time that it took is not what was wrong.
const helping = (hints, found) => hints.filter(({ slug }) => found > 0 || slug !== "time");

// A hint of the scanner in the page's language. Its own English sentence is kept: it also says how many cards, and where.
const hintText = ({ slug, text }) => (language() === "en" ? text : (texts.hintWords?.[slug] ?? text));
