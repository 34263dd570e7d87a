// The dialog about one envelope.

import type { TargetedSubmitEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EnvelopeModel, FullGameModel } from "../../../api";
import { Dialog } from "../../shared/dialog";
import { Problem } from "../../shared/http";
import { formatDateTime, formatGain, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice } from "../../shared/notices";
import { ConfirmDialog, Field, focusFirstError, useSubmit } from "../forms";
import { Download, LABEL_RATIO, Preview } from "../print/preview";
import {
  CountField,
  changeEnvelope,
  givePoints,
  labelFile,
  labelImage,
  type OnChanged,
  renewLink,
  withdrawPoints,
} from "./changes";
import { EnvelopeHand } from "./hand";
import { EnvelopeStatus } from "./row";

// A dialog about one envelope: its data and what can be done with it.
type EnvelopeProps = { game: FullGameModel; envelope: EnvelopeModel; onChanged: OnChanged };
type DialogProps = EnvelopeProps & { onClose: () => void };

export function EnvelopeDialog({ game, envelope, onChanged, onClose }: DialogProps) {
  const [asking, setAsking] = useState("");
  const [label, setLabel] = useState(0); // number of renewals of the link; 0: the label is hidden
  const [code, setCode] = useState<string | null>(null); // the code to type instead of a new link
  const { send, busy, problem } = useSubmit();
  const words = texts.envelopes.one;
  const { number } = envelope;
  const may = (act: FullGameModel["allowed"][number]) => game.allowed.includes(act);
  const open = () => send(async () => onChanged(await changeEnvelope(game, number, { open: true })));
  const opens = !envelope.opened && may("open_envelope") && (game.state === "open" || envelope.spare);
  const seals =
    may("seal_envelope") &&
    !envelope.claimed &&
    !envelope.received &&
    (game.state === "printed" ? !envelope.spare : envelope.opened);
  return (
    <Dialog title={texts.envelope({ number })} wide onClose={onClose}>
      <div class="columns envelope-one">
        <div>
          <p class="ink-card envelope-number" aria-hidden="true">
            {number}
          </p>
          <p>
            <EnvelopeStatus envelope={envelope} game={game} />
          </p>
          <dl class="stack">
            {(["joined", "claimed", "received"] as const).map((name) => (
              <div class="row between">
                <dt>{texts.envelopes.columns[name]}</dt>
                <dd>{formatIfSet(envelope[name], game.timezone)}</dd>
              </div>
            ))}
            <div class="row between">
              <dt>{words.cards}</dt>
              <dd>{envelope.cards}</dd>
            </div>
          </dl>
          <CountField game={game} envelope={envelope} onChanged={onChanged} />
        </div>
        <div>
          <NameForm game={game} envelope={envelope} onChanged={onChanged} />
          {problem && <Notice problem={problem} small />}
          <div class="row">
            {opens && (
              <button type="button" aria-busy={busy ? "true" : undefined} onClick={open}>
                <Icon name="envelope" /> {words.open}
              </button>
            )}
            {seals && (
              <button type="button" class="secondary" onClick={() => setAsking("seal")}>
                {texts.envelopes.bulk.seal}
              </button>
            )}
            {label === 0 && (
              <button type="button" class="secondary" onClick={() => setLabel(1)}>
                <Icon name="zoom" /> {words.showLabel}
              </button>
            )}
            <Download kind="secondary" address={labelFile(game, envelope)} title={`${words.label} (PDF)`} />
            {may("revoke") && (
              <button type="button" class="secondary" onClick={() => setAsking("renew")}>
                <Icon name="link" /> {words.renew}
              </button>
            )}
            {envelope.claimed && may("hand_in") && (
              <button type="button" class="secondary" onClick={() => setAsking("take_back")}>
                {words.takeBack}
              </button>
            )}
          </div>
          {label > 0 && (
            <div class="above">
              <p>{words.labelText}</p>
              {code && <p>{words.typed({ code })}</p>}
              <Preview
                key={label}
                address={labelImage(game, envelope, 900, label)}
                name={texts.desk.named({ what: texts.envelope({ number }), name: words.label })}
                ratio={LABEL_RATIO}
              />
            </div>
          )}
          {may("adjust") && <EnvelopePoints game={game} envelope={envelope} onChanged={onChanged} />}
          {PLAYED_STATES.includes(game.state) && <EnvelopeHand game={game} envelope={envelope} />}
        </div>
      </div>
      {asking === "seal" && <SealDialog game={game} envelope={envelope} onChanged={onChanged} onClose={() => setAsking("")} />}
      {asking === "renew" && (
        <ConfirmDialog
          title={texts.desk.named({ what: texts.envelope({ number }), name: words.renew })}
          confirm={words.renew}
          reason="optional"
          onConfirm={async (reason) => {
            const renewed = await renewLink(game, number, reason);
            setCode(renewed.code);
            setLabel(label + 1);
            announce(words.renewed);
          }}
          onClose={() => setAsking("")}
        >
          <p>{words.renewText}</p>
        </ConfirmDialog>
      )}
      {asking === "take_back" && (
        <ConfirmDialog
          title={texts.desk.named({ what: texts.envelope({ number }), name: words.takeBack })}
          confirm={words.takeBack}
          reason="needed"
          onConfirm={async (reason) => onChanged(await changeEnvelope(game, number, { take_back: true, reason }))}
          onClose={() => setAsking("")}
        >
          <p>{words.takeBackText}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

const formatIfSet = (time: string | null, timezone: string) => (time ? formatDateTime(time, timezone) : texts.envelopes.no);

const PLAYED_STATES = ["open", "closed", "frozen", "published"];
const COUNTED_STATES = ["frozen", "published"];

// A form for an envelope's name. If another organiser or the player changes it meanwhile, it says so, and the typed name stays.
function NameForm({ game, envelope, onChanged }: EnvelopeProps) {
  const now = envelope.name ?? "";
  const [name, setName] = useState(now);
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const base = useRef(now);
  const { send, busy, problem } = useSubmit();
  const words = texts.envelopes.one;
  const changed = name.trim() !== base.current;
  const theirs = now !== base.current && changed && now !== name.trim();
  useEffect(() => {
    // An untouched field follows the server.
    if (now === base.current || changed) return;
    base.current = now;
    setName(now);
  }, [now]);
  const needsWhy = COUNTED_STATES.includes(game.state) && changed;
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!changed) return;
    if (needsWhy && !reason.trim()) return focusFirstError(event.currentTarget);
    const wanted = name.trim();
    const done = await send(async () => {
      const response = await changeEnvelope(game, envelope.number, {
        name: wanted || null,
        ...(reason.trim() ? { reason: reason.trim() } : {}),
      });
      base.current = response.name ?? "";
      setName(base.current);
      onChanged(response);
    });
    if (!done) return;
    setAsked(false);
    announce(texts.queue.questions.said({ envelope: envelope.number }));
  };
  return (
    <form class="below" onSubmit={submit} noValidate>
      <Field label={texts.envelopes.columns.name}>
        {(more) => (
          <input
            {...more}
            value={name}
            maxLength={200}
            autocomplete="off"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      {needsWhy && (
        <Field label={texts.desk.confirm.why} wrong={asked && !reason.trim() && texts.problems["no-reason"].title}>
          {(more) => <input {...more} value={reason} maxLength={500} onInput={(event) => setReason(event.currentTarget.value)} />}
        </Field>
      )}
      {theirs && (
        <p class="wrong" role="alert">
          {words.theirs({ name: now || texts.envelopes.nameless })}
        </p>
      )}
      {problem && <Notice problem={problem} small />}
      <button class="secondary" disabled={!changed} aria-busy={busy ? "true" : undefined}>
        {texts.queue.questions.send}
      </button>
    </form>
  );
}

// A dialog to seal the envelope of an absent player. It asks again if cards of it were seen.
// Where cards of an envelope were seen.
type Seen = { envelope: number; cards: unknown[] }[];

function SealDialog({ game, envelope, onChanged, onClose }: DialogProps) {
  const [seen, setSeen] = useState<Seen | null>(null);
  const words = texts.envelopes.one;
  const { number } = envelope;
  async function seal(reason: string) {
    try {
      onChanged(await changeEnvelope(game, number, { open: false, reason, insist: Boolean(seen) }));
    } catch (problem) {
      if (problem instanceof Problem && problem.slug === "cards-seen" && !seen) setSeen(problem.body.seen as Seen);
      throw problem;
    }
  }
  return (
    <ConfirmDialog
      title={texts.desk.named({ what: texts.envelope({ number }), name: texts.envelopes.bulk.seal })}
      confirm={seen ? words.sealInsist : texts.envelopes.bulk.seal}
      danger={Boolean(seen)}
      reason="optional"
      onConfirm={seal}
      onClose={onClose}
    >
      <p>{game.state === "printed" ? words.sealBefore : words.sealText}</p>
      {seen && (
        <ul>
          {seen.map(({ envelope: where, cards }) => (
            <li>{words.seenIn({ envelope: where, count: cards.length })}</li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

const MOST_POINTS = 9999;

// The points that organisers have given or taken, each with its reason, and a form for more of them.
function EnvelopePoints({ game, envelope, onChanged }: EnvelopeProps) {
  const [points, setPoints] = useState("");
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const { send, busy, problem } = useSubmit();
  const words = texts.envelopes.points;
  const { number, adjustments } = envelope;
  const given = Number(points || Number.NaN);
  const isWrong = !Number.isInteger(given) || Math.abs(given) > MOST_POINTS;
  const add = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (isWrong || !reason.trim()) return focusFirstError(event.currentTarget);
    const done = await send(async () => onChanged(await givePoints(game, number, { points: given, reason })));
    if (!done) return;
    announce(texts.desk.named({ what: texts.envelope({ number }), name: formatGain(points) }));
    setAsked(false);
    setPoints("");
    setReason("");
  };
  return (
    <details class="above points" open={adjustments.length > 0}>
      <summary>{words.title}</summary>
      <p>
        {words.text} {COUNTED_STATES.includes(game.state) && words.recount}
      </p>
      <ul class="ruled below">
        {adjustments.map((one) => {
          const gain = formatGain(String(one.points));
          return (
            <li key={one.id} class="row">
              <strong>{gain}</strong>
              <span class="grow">{one.reason}</span>
              <button
                type="button"
                class="icon-button"
                aria-label={texts.desk.named({ what: texts.queue.takeBack, name: `${gain} ${one.reason}` })}
                onClick={() => send(async () => onChanged(await withdrawPoints(game, number, one.id)))}
              >
                <Icon name="bin" />
              </button>
            </li>
          );
        })}
      </ul>
      <form onSubmit={add} noValidate>
        <div class="pair">
          <Field
            label={words.points}
            hint={words.pointsHint}
            wrong={
              asked && isWrong && texts.print.number({ least: formatGain(String(-MOST_POINTS)), most: MOST_POINTS, whole: true })
            }
          >
            {(more) => (
              <input
                {...more}
                type="number"
                min={-MOST_POINTS}
                max={MOST_POINTS}
                step="1"
                value={points}
                onInput={(event) => setPoints(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label={words.why} wrong={asked && !reason.trim() && texts.problems["no-reason"].title}>
            {(more) => (
              <input {...more} maxLength={200} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
            )}
          </Field>
        </div>
        <button class="secondary" aria-busy={busy ? "true" : undefined}>
          {texts.queue.byHand.buttons.add}
        </button>
      </form>
      {problem && <Notice problem={problem} small />}
    </details>
  );
}
