// Requests about an envelope, and the field for its counted cards.

import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { EnvelopeModel, FullGameModel, LinkModel } from "../../../api";
import { newIdempotencyKey, request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice } from "../../shared/notices";
import { useSubmit } from "../forms";

// A request's body; see the API.
type Changes = {
  open?: boolean;
  give?: true;
  name?: string | null;
  counted?: number | null;
  insist?: boolean;
  take_back?: boolean;
  reason?: string;
};
export type OnChanged = (envelope: EnvelopeModel) => void;

const envelopePath = (game: FullGameModel, number: number) => `/api/v1/games/${game.id}/envelopes/${number}`;

// Change an envelope; resolves to the changed envelope.
export const changeEnvelope = (game: FullGameModel, number: number, body: Changes) =>
  request<EnvelopeModel>(envelopePath(game, number), { method: "PATCH", body });

// Replace the link of an envelope's label; resolves to { link }.
export const renewLink = (game: FullGameModel, number: number, reason: string, key = newIdempotencyKey()) =>
  request<LinkModel>(`${envelopePath(game, number)}/token`, { method: "POST", body: { reason }, key });

// Give an envelope's hand points, or take them; resolves to the changed envelope.
export const givePoints = (game: FullGameModel, number: number, body: { points: number; reason: string }) =>
  request<EnvelopeModel>(`${envelopePath(game, number)}/adjustments`, { method: "POST", body, key: newIdempotencyKey() });
export const withdrawPoints = (game: FullGameModel, number: number, id: string) =>
  request<EnvelopeModel>(`${envelopePath(game, number)}/adjustments/${id}`, { method: "DELETE" });

// Return the address of an image of an envelope's label.
export const labelImage = (game: FullGameModel, envelope: EnvelopeModel, width: number, version = 0) =>
  `/api/v1/games/${game.id}/runs/${envelope.run}/envelopes/${envelope.number}/label.png?width=${width + (version % 2)}`;
export const labelFile = (game: FullGameModel, envelope: EnvelopeModel) =>
  `/api/v1/games/${game.id}/runs/${envelope.run}/labels.pdf?envelope=${envelope.number}`;

// A field for the number of cards that somebody counted in an envelope. It is sent on blur or with Enter, which moves to the
// next envelope's field.
type CountFieldProps = { game: FullGameModel; envelope: EnvelopeModel; onChanged: OnChanged };

export function CountField({ game, envelope, onChanged }: CountFieldProps) {
  const known = envelope.counted === null ? "" : String(envelope.counted);
  const [typed, setTyped] = useState(known);
  const { send, problem } = useSubmit();
  useEffect(() => setTyped(known), [known]);
  const keep = async (field: HTMLInputElement) => {
    if (field.value === known || !field.reportValidity()) return;
    const counted = field.value ? Number(field.value) : null;
    await send(async () => onChanged(await changeEnvelope(game, envelope.number, { counted })));
  };
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const fields = [...document.querySelectorAll<HTMLInputElement>(".counted input")];
    const next = fields[fields.indexOf(event.currentTarget) + 1];
    if (next) next.focus();
    else event.currentTarget.blur();
  };
  return (
    <div class="counted">
      <label class="row small">
        {texts.desk.counted}
        <input
          type="number"
          inputmode="numeric"
          min="0"
          max="1000"
          step="1"
          value={typed}
          disabled={!game.allowed.includes("receive")}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={press}
          onBlur={(event) => keep(event.currentTarget)}
        />
        {known && typed === known && <Icon name="check" />}
      </label>
      {problem && <Notice problem={problem} small />}
    </div>
  );
}
