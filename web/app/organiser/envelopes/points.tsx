// The organisers' points for an envelope's hand.

import { useState } from "preact/hooks";
import type { EnvelopeModel, FullGameModel } from "../../../api";
import { formatGain, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice } from "../../shared/notices";
import { Field, useSubmit } from "../forms";
import { givePoints, type OnChanged, withdrawPoints } from "./changes";

const MOST = 9999;

// The points that organisers have given or taken, each with its reason, and a form for more of them.
type PointsProps = { game: FullGameModel; envelope: EnvelopeModel; onChanged: OnChanged };

export function EnvelopePoints({ game, envelope, onChanged }: PointsProps) {
  const [points, setPoints] = useState("");
  const [reason, setReason] = useState("");
  const { send, busy, problem } = useSubmit();
  const words = texts.envelopes.points;
  const { number, adjustments } = envelope;
  const add = async (event: Event) => {
    event.preventDefault();
    const done = await send(async () => onChanged(await givePoints(game, number, { points: Number(points), reason })));
    if (!done) return;
    announce(words.done({ number, points: formatGain(points) }));
    setPoints("");
    setReason("");
  };
  return (
    <details class="points" open={adjustments.length > 0}>
      <summary>{words.title}</summary>
      <p>
        {words.text} {COUNTED_STATES.includes(game.state) && words.recount}
      </p>
      <ul>
        {adjustments.map((one) => {
          const gain = formatGain(String(one.points));
          return (
            <li key={one.id}>
              <strong>{gain}</strong>
              <span>{one.reason}</span>
              <button
                type="button"
                class="icon-button"
                aria-label={words.withdraw({ points: gain, reason: one.reason })}
                onClick={() => send(async () => onChanged(await withdrawPoints(game, number, one.id)))}
              >
                <Icon name="bin" />
              </button>
            </li>
          );
        })}
      </ul>
      <form class="points-form" onSubmit={add}>
        <Field label={words.points} hint={words.pointsHint}>
          {(more) => (
            <input
              {...more}
              type="number"
              min={-MOST}
              max={MOST}
              step="1"
              required
              value={points}
              onInput={(event) => setPoints(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={words.why}>
          {(more) => (
            <input {...more} required maxLength={200} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
          )}
        </Field>
        <button class="secondary" aria-busy={busy ? "true" : undefined}>
          {words.add}
        </button>
      </form>
      {problem && <Notice problem={problem} small />}
    </details>
  );
}

const COUNTED_STATES = ["frozen", "published"];
