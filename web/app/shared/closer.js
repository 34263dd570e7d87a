import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { DoubtMarks, DoubtWords } from "./doubt-marks.js";
import { Icon } from "./icon.js";
import { Outlines } from "./outlines.js";
import { speak, texts } from "./texts.js";
import { useCloser } from "./use-closer.js";

await speak("closer");

const SETTLED = 160; // milliseconds after which names are placed anew for how close one looks

// A picture to look at closely, over the whole window, with its outlines and doubts, for players and organisers.
//   url, width, height   of the picture       scan, kinds   what was read, as for Outlines (optional)
//   quad                 a place to begin at  title         of the window; `children` are drawn over the picture as well
export function Closer({ url, width, height, scan, kinds, quad, title = texts.closer.title, label = texts.photo.name, onClose, children }) {
  const box = useRef(null);
  const heading = useRef(null);
  const stage = useRef(null);
  const [shown, setShown] = useState({ width, height });
  const size = [shown.width || 4, shown.height || 3];
  const { view, fit, hands, on, onKeyDown, look, closer, farther } = useCloser(stage, size, quad);
  const [doubt, setDoubt] = useState(null);
  const settled = useSettled(view.zoom);
  useEffect(() => {
    const dialog = box.current;
    dialog.showModal();
    heading.current.focus();
    return () => dialog.open && dialog.close();
  }, []);
  const pick = (picked) => {
    setDoubt(picked);
    if (picked) look(picked.quad);
  };
  const place = fit && {
    width: `${fit.wide}px`,
    height: `${fit.high}px`,
    transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) scale(${view.zoom})`,
    "--zoom": view.zoom,
  };
  const learn = ({ currentTarget: { naturalWidth, naturalHeight } }) => width || setShown({ width: naturalWidth, height: naturalHeight });
  return html`<dialog ref=${box} class="closer" aria-labelledby="closer-title" onClose=${onClose} onKeyDown=${onKeyDown}>
    <header class="closer-top">
      <h2 ref=${heading} id="closer-title" tabindex="-1">${title}</h2>
      <button type="button" class="bare" aria-label=${texts.closer.farther} disabled=${view.zoom <= 1} onClick=${farther}><${Icon} name="less" /></button>
      <button type="button" class="bare" aria-label=${texts.closer.closer} disabled=${fit && view.zoom >= fit.most} onClick=${closer}><${Icon} name="add" /></button>
      <button type="button" class="bare" aria-label=${texts.closer.whole} disabled=${view.zoom <= 1} onClick=${() => look(null)}><${Icon} name="whole" /></button>
      <button type="button" class="bare" aria-label=${texts.close} onClick=${() => box.current.close()}><${Icon} name="close" /></button>
    </header>
    <div ref=${stage} class="closer-stage" data-zoom=${view.zoom.toFixed(2)} ...${on}>
      <div class=${hands ? "closer-picture" : "closer-picture closer-calm"} style=${place ?? { visibility: "hidden" }}>
        ${url && html`<img src=${url} alt=${label} draggable=${false} decoding="async" onLoad=${learn} />`}
        ${fit && scan && html`<${Outlines} scan=${scan} kinds=${kinds} zoom=${settled} buttons=${scan.doubts.length > 0} />`}
        ${fit && scan?.doubts.length > 0 && html`<${DoubtMarks} scan=${scan} picked=${doubt} onPick=${pick} />`}
        ${children}
      </div>
    </div>
    <footer class="closer-foot">${doubt ? html`<${DoubtWords} doubt=${doubt} />` : html`<p>${texts.closer.how}</p>`}</footer>
  </dialog>`;
}

// A number that follows another once that has come to rest.
function useSettled(value) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const clock = setTimeout(() => setSettled(value), SETTLED);
    return () => clearTimeout(clock);
  }, [value]);
  return settled;
}
