import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { Icon } from "../../shared/icon.js";
import { Notice } from "../../shared/notice.js";
import { useSending } from "../sending.js";

const PATIENCE = 180_000; // milliseconds; a file may wait for others that are being drawn
const SAVED = 60_000; // milliseconds after which a browser has taken what it saves

// A file of the server's, fetched and then saved: a plain link would die without a word where the server refuses it. `about`
// says of what it is to those who do not see where it stands.
export function Download({ address, title, about, icon = "download", kind = "" }) {
  const { send, busy, problem, forget } = useSending();
  useEffect(() => forget(), [address]);
  const get = (event) => {
    event.preventDefault();
    send(async () => save(await ask(address, { as: "file", patience: PATIENCE })));
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
