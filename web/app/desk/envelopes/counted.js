import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../shared/icon.js";
import { Notice } from "../../shared/notice.js";
import { texts } from "../../shared/texts.js";
import { useSending } from "../sending.js";
import { change } from "./changes.js";

// How many cards somebody has counted in an envelope by hand. It is sent on leaving the field, or by Enter, which leads to the
// next envelope's field.
export function Counted({ game, envelope, onChanged }) {
  const known = envelope.counted === null ? "" : String(envelope.counted);
  const [typed, setTyped] = useState(known);
  const { send, problem } = useSending();
  useEffect(() => setTyped(known), [known]);
  const keep = async (field) => {
    if (field.value === known || !field.reportValidity()) return;
    const counted = field.value ? Number(field.value) : null;
    await send(async () => onChanged(await change(game, envelope.number, { counted })));
  };
  const press = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const fields = [...document.querySelectorAll(".counted input")];
    const next = fields[fields.indexOf(event.currentTarget) + 1];
    if (next) next.focus();
    else event.currentTarget.blur();
  };
  return html`<div class="counted">
    <label>${texts.desk.counted}
      <input type="number" inputmode="numeric" min="0" max="1000" step="1" value=${typed} disabled=${!game.allowed.includes("receive")} onInput=${(event) => setTyped(event.currentTarget.value)} onKeyDown=${press} onBlur=${(event) => keep(event.currentTarget)} />
      ${known && typed === known && html`<${Icon} name="check" />`}
    </label>
    ${problem && html`<${Notice} problem=${problem} small />`}
  </div>`;
}
