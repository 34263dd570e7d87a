import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog.js";
import { Icon } from "../../shared/icon.js";
import { helping, hintText } from "../../shared/hint-words.js";
import { Notice } from "../../shared/notice.js";
import { Outlines } from "../../shared/outlines.js";
import { Photo } from "../../shared/photo.js";
import { texts } from "../../shared/texts.js";
import { dropPicture } from "../calls.js";
import { lazy } from "../lazy.js";
import { usePlace } from "../place.js";
import { scanOf } from "./scan-of.js";
import { usePicture } from "./use-picture.js";

const Closer = lazy(() => import("../../shared/closer.js").then(({ Closer }) => Closer));

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
export function Remove({ number, remove, onChange }) {
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
