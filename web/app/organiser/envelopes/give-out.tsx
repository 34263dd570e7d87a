// The dialog for handing out envelopes.

import { useEffect, useRef, useState } from "preact/hooks";
import type { EnvelopeModel, FullGameModel } from "../../../api";
import { Dialog } from "../../shared/dialog";
import { formatDateTime, texts } from "../../shared/i18n";
import { Notice } from "../../shared/notices";
import { Field, useSubmit } from "../forms";
import { LABEL_RATIO, Preview } from "../print/preview";
import { changeEnvelope, labelImage, type OnChanged } from "./changes";

// A dialog for handing out envelopes at the door: number, perhaps a name, Enter. The number is then shown in large type with
// the label, for the player's phone. A second Enter confirms what would undo another organiser's work.
type GiveOutProps = { game: FullGameModel; envelopes: EnvelopeModel[]; onChanged: OnChanged; onClose: () => void };
type Words = typeof texts.envelopes.give;

const NO_HINT = "\u00a0"; // keeps the line

export function GiveOut({ game, envelopes, onChanged, onClose }: GiveOutProps) {
  const [number, setNumber] = useState("");
  const [name, setName] = useState("");
  const [given, setGiven] = useState<number | null>(null);
  const [warned, setWarned] = useState(""); // the warning after the first Enter
  const field = useRef<HTMLInputElement>(null);
  const { send, busy, problem } = useSubmit();
  const words = texts.envelopes.give;
  const envelope = envelopes.find((one) => one.number === Number(number));
  const spare = envelopes.find((one) => one.spare && !one.opened && !one.name && one.number !== given);
  const shown = envelopes.find((one) => one.number === given);
  const opens = game.allowed.includes("open_envelope");
  const stop = obstacleOf(envelope, number, opens, words);
  const doubt = envelope && !stop ? warningOf(envelope, name.trim(), game, words) : "";
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!envelope || stop) return field.current?.focus();
    if (busy) return;
    if (doubt && warned !== doubt) return setWarned(doubt);
    const closed = game.state === "open" ? !envelope.opened : envelope.spare;
    const body = {
      ...(closed ? { open: true } : {}),
      ...(opens ? { give: true as const } : {}),
      ...(name.trim() ? { name: name.trim() } : {}),
    };
    const done = await send(async () => {
      if (Object.keys(body).length) onChanged(await changeEnvelope(game, envelope.number, body));
      setGiven(envelope.number);
    });
    if (!done) return;
    setNumber("");
    setName("");
    setWarned("");
    field.current?.focus();
  };
  return (
    <Dialog title={words.open} wide onClose={onClose}>
      <div class="columns give">
        <form onSubmit={submit} noValidate>
          <Field
            label={texts.queue.envelope}
            wrong={number ? stop : ""}
            hint={envelope && !stop ? knownOf(envelope, game, words) : NO_HINT}
          >
            {(more) => (
              <input
                {...more}
                ref={field}
                class="give-number"
                inputmode="numeric"
                autocomplete="off"
                value={number}
                onInput={(event) => setNumber(event.currentTarget.value.replace(/\D/g, ""))}
              />
            )}
          </Field>
          <Field label={words.name}>
            {(more) => (
              <input
                {...more}
                autocomplete="off"
                maxLength={200}
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
            )}
          </Field>
          {problem && <Notice problem={problem} small />}
          <div role="alert">
            {doubt && warned === doubt && (
              <p class="note">
                {doubt} <b>{words.sure}</b>
              </p>
            )}
          </div>
          <div class="row">
            <button class="action" aria-busy={busy ? "true" : undefined} disabled={!envelope || Boolean(stop)}>
              {words.send({ number: envelope ? envelope.number : "…" })}
            </button>
            {spare && opens && (
              <button type="button" class="secondary" onClick={() => setNumber(String(spare.number))}>
                {words.spare({ number: spare.number })}
              </button>
            )}
          </div>
        </form>
        <div class="dashed stack center give-done" role="status">
          {shown ? (
            <>
              <p class="soft">{words.done}</p>
              <p class="ink-card envelope-number">{shown.number}</p>
              <p class="number">{shown.name}</p>
              <Preview
                key={shown.number}
                address={labelImage(game, shown, 700)}
                name={texts.desk.named({ what: texts.envelope({ number: shown.number }), name: texts.envelopes.one.label })}
                ratio={LABEL_RATIO}
              />
            </>
          ) : (
            <p class="soft">{words.empty}</p>
          )}
        </div>
      </div>
    </Dialog>
  );
}

// Return why this envelope cannot be given out, "" if it can.
function obstacleOf(envelope: EnvelopeModel | undefined, number: string, opens: boolean, words: Words): string {
  if (!number) return "";
  if (!envelope) return texts.queue.noEnvelope;
  if (envelope.claimed || envelope.received) return words.handedIn;
  return !envelope.opened && !opens ? words.closed : "";
}

// Return what is known of an envelope that is about to be given out.
function knownOf(envelope: EnvelopeModel, game: FullGameModel, words: Words): string {
  if (envelope.given)
    return words.again({
      time: formatDateTime(envelope.given, game.timezone),
      name: envelope.name ?? "",
      known: Boolean(envelope.name),
    });
  if (envelope.name) return words.named({ name: envelope.name });
  return envelope.joined ? words.taken : words.free({ spare: envelope.spare });
}

// Return why this may be a mistake, such as an envelope that somebody else has, "" if all is well.
function warningOf(envelope: EnvelopeModel, name: string, game: FullGameModel, words: Words): string {
  if (name && name !== envelope.name) {
    if (envelope.name) return words.replace({ before: envelope.name, name });
    if (envelope.joined) return `${words.taken} ${words.joined({ name })}`;
  }
  return envelope.given
    ? words.again({
        time: formatDateTime(envelope.given, game.timezone),
        name: envelope.name ?? "",
        known: Boolean(envelope.name),
      })
    : "";
}
