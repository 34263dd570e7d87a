// What organisers do with envelopes.

import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask, freshKey } from "../../shared/http.js";
import { texts } from "../../shared/i18n.js";
import { Icon } from "../../shared/icon.js";
import { Notice } from "../../shared/notices.js";
import { useSending } from "../forms.js";

const path = (game, number) => `/api/v1/games/${game.id}/envelopes/${number}`;

// Change an envelope: { open, name, counted, insist, take_back, reason }; gives it as it is then.
export const change = (game, number, body) => ask(path(game, number), { method: "PATCH", body });

// End the link of an envelope's label, and make a new one; gives { link }.
export const renew = (game, number, reason, key = freshKey()) => ask(`${path(game, number)}/token`, { method: "POST", body: { reason }, key });

// Where an envelope's label is drawn.
export const labelImage = (game, envelope, width, version = 0) =>
  `/api/v1/games/${game.id}/runs/${envelope.run}/envelopes/${envelope.number}/label.png?width=${width + (version % 2)}`;
export const labelFile = (game, envelope) => `/api/v1/games/${game.id}/runs/${envelope.run}/labels.pdf?envelope=${envelope.number}`;

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
