import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../shared/icon.js";
import { texts } from "../../shared/texts.js";
import { ACCEPT, chosen, dropped } from "./files.js";

// Where pictures come in: dropped anywhere on the page, pasted, or chosen as files or as a folder. `onFiles` gets the
// entries of one drop.
export function DropZone({ onFiles }) {
  const [over, setOver] = useState(false);
  const files = useRef(null);
  const folder = useRef(null);
  const latest = useRef(onFiles);
  latest.current = onFiles;

  useEffect(() => {
    const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const listeners = {
      dragover: (event) => {
        if (!carries(event)) return;
        event.preventDefault();
        setOver(true);
      },
      dragleave: (event) => event.relatedTarget || setOver(false),
      drop: (event) => {
        if (!carries(event)) return;
        event.preventDefault();
        setOver(false);
        dropped(event.dataTransfer).then(latest.current);
      },
      paste: (event) => event.clipboardData?.files.length && latest.current(chosen(event.clipboardData.files)),
    };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener);
    };
  }, []);

  const take = (event) => {
    const entries = chosen(event.currentTarget.files);
    // The same files may be chosen again, and must then count as a change.
    event.currentTarget.value = "";
    if (entries.length) onFiles(entries);
  };
  const words = texts.pictures.drop;
  return html`<section class=${`drop-zone ${over ? "drop-over" : ""}`} aria-labelledby="drop-title">
    <${Icon} name="picture" />
    <h2 id="drop-title">${over ? words.over : words.title}</h2>
    <p>${words.lead}</p>
    <div class="drop-buttons">
      <input ref=${files} type="file" accept=${ACCEPT} multiple hidden tabindex="-1" aria-label=${words.files} onChange=${take} />
      <input ref=${folder} type="file" webkitdirectory hidden tabindex="-1" aria-label=${words.folder} onChange=${take} />
      <button type="button" onClick=${() => files.current.click()}><${Icon} name="picture" />${words.files}</button>
      <button type="button" class="secondary" onClick=${() => folder.current.click()}><${Icon} name="list" />${words.folder}</button>
    </div>
  </section>`;
}
