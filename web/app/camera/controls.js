import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Icon } from "../shared/icon.js";
import { texts } from "../shared/texts.js";
import { abilities, set } from "./lens.js";

// What this camera has: its light, its zoom, other lenses.
export function Controls({ lens, onLens }) {
  const { torch, zoom } = abilities(lens.track);
  const [lit, setLit] = useState(false);
  const [near, setNear] = useState(lens.track.getSettings().zoom ?? zoom?.min);
  const light = async () => (await set(lens.track, { torch: !lit })) && setLit(!lit);
  const change = (value) => {
    setNear(value);
    set(lens.track, { zoom: value });
  };
  const at = lens.lenses.indexOf(lens.id);
  const next = lens.lenses[(at + 1) % lens.lenses.length];
  return html`<div class="camera-controls">
    ${zoom?.max > zoom?.min &&
    html`<label class="camera-zoom">
      <span class="unseen">${texts.camera.zoom}</span><${Icon} name="zoom" />
      <input type="range" min=${zoom.min} max=${zoom.max} step=${zoom.step || "any"} value=${near} onInput=${(event) => change(Number(event.currentTarget.value))} />
    </label>`}
    ${torch &&
    html`<button type="button" class="bare" aria-pressed=${lit} aria-label=${texts.camera.torch} onClick=${light}><${Icon} name="torch" /></button>`}
    ${lens.lenses.length > 1 &&
    html`<button type="button" class="bare" aria-label=${texts.camera.lens(at + 1, lens.lenses.length)} onClick=${() => onLens(next)}><${Icon} name="again" /></button>`}
  </div>`;
}
