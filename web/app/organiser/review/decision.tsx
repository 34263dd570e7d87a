// The form for a decision on an issue.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DecisionBody, IssueModel } from "../../../api";
import type { CardKind } from "../../shared/cards";
import type { Problem } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Notice } from "../../shared/notices";
import { EnvelopeField, ReasonField, WHOLE_NUMBER } from "../forms";
import { Thumbnail } from "../photos/thumbnail";
import { CodeField } from "./card-entry";
import { suggestedEnvelope } from "./decisions";
import { defaultReason, hintText, type Option, optionsOf, optionText, storeReason } from "./issue-text";

// The options for an issue with their keys, and the form of the chosen one. `chosen` is the index of an option or null.
// `onDecide` gets the request's body and rejects with a Problem; `others` returns the further issues that may be decided
// alike, all at once.
type Common = {
  game: string;
  kinds: Map<string, CardKind> | null;
  item: IssueModel;
  onDecide: (body: DecisionBody, all: boolean) => Promise<unknown>;
  others?: (option: Option) => IssueModel[];
};
type DecisionProps = Common & { chosen: number | null; onChoose: (chosen: number | null) => void };

export function DecisionForm({ chosen, onChoose, ...common }: DecisionProps) {
  const { item } = common;
  const options = optionsOf(item);
  const option = options[chosen ?? -1];
  return (
    <div>
      <ol class="stack options" aria-label={texts.queue.options}>
        {options.map((one, at) => (
          <li key={at}>
            <button
              type="button"
              class="choice option"
              aria-pressed={at === chosen ? "true" : "false"}
              onClick={() => onChoose(at === chosen ? null : at)}
            >
              <kbd aria-hidden="true">{at + 1}</kbd>
              <span>
                <strong>{optionText(item, one)}</strong>
                {one.hint && <small>{hintText(one.hint)}</small>}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {option && <DecisionFields key={`${item.key}/${chosen}`} {...common} option={option} onCancel={() => onChoose(null)} />}
    </div>
  );
}

type FieldsProps = Common & { option: Option; onCancel: () => void };

function DecisionFields({ game, kinds, item, option, onDecide, others, onCancel }: FieldsProps) {
  const { choice } = option;
  const needs = (name: string) => choice.needs.includes(name);
  const [code, setCode] = useState("");
  const [envelope, setEnvelope] = useState("");
  const [piles, setPiles] = useState(() => choice.labels.map((label) => String(label ?? "")));
  const [reason, setReason] = useState(() => defaultReason(item, choice.do));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const first = form.current?.querySelector("input");
    first?.focus();
    if (first?.name === "reason") first.select();
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);

  const alike = choice.needs.length && !option.envelope ? [] : (others?.(option) ?? []);

  const send = async (event: Event, all = false) => {
    event.preventDefault();
    if (busy || (all && !form.current?.reportValidity())) return;
    const body: DecisionBody = { do: choice.do as DecisionBody["do"], reason: reason.trim() };
    if (needs("card")) body.card = code.trim();
    if (option.envelope) body.envelope = option.envelope;
    else if (needs("envelope")) body.envelope = Number(envelope);
    if (needs("envelopes")) body.envelopes = piles.map((number) => (number ? Number(number) : null));
    setBusy(true);
    setProblem(null);
    try {
      if (reason !== defaultReason(item, choice.do)) storeReason(item, choice.do, reason);
      await onDecide(body, all);
    } catch (error) {
      setProblem(error as Problem);
      setBusy(false);
    }
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key === "Enter" && event.shiftKey && alike.length) return send(event, true);
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault();
    onCancel();
  };
  return (
    <form ref={form} class="panel decide-form" onSubmit={send} onKeyDown={leave}>
      {needs("card") && <CodeField game={game} kinds={kinds} value={code} onInput={setCode} />}
      {needs("envelope") && !option.envelope && <EnvelopeField value={envelope} onInput={setEnvelope} />}
      {needs("envelopes") && (
        <fieldset class="tiles piles">
          <legend class="wide">{texts.queue.piles}</legend>
          {piles.map((value, at) => (
            <label key={at} class="pile-field" data-pile={at + 1}>
              {texts.queue.pile({ number: at + 1 })}
              <input
                name={`pile-${at + 1}`}
                {...WHOLE_NUMBER}
                value={value}
                onInput={(event) => setPiles(Object.assign([...piles], { [at]: event.currentTarget.value }))}
              />
            </label>
          ))}
        </fieldset>
      )}
      <ReasonField value={reason} onInput={setReason} />
      {problem && <Notice problem={problem} small />}
      {option.envelope && alike.length > 0 && <Suggestions game={game} issues={[item, ...alike]} />}
      <div class="row">
        <button disabled={busy}>{texts.queue.decide}</button>
        {alike.length > 0 && (
          <button type="button" class="secondary" disabled={busy} onClick={(event) => send(event, true)}>
            {texts.queue.decideAll({ count: alike.length + 1 })}
          </button>
        )}
        <button type="button" class="secondary" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
}

// The photos that are assigned all at once, each with its envelope.
function Suggestions({ game, issues }: { game: string; issues: IssueModel[] }) {
  return (
    <ul class="tiles scroll suggested" tabIndex={0} aria-label={texts.queue.suggested}>
      {issues.map((issue, at) => (
        <li key={issue.key}>
          <span class="visually-hidden">{texts.queue.pictureOf({ number: at + 1, all: issues.length })}</span>
          <Thumbnail src={`/api/v1/games/${game}/photos/${issue.places[0]?.photo}/image`} />
          <span>→ {texts.envelope({ number: suggestedEnvelope(issue) ?? 0 })}</span>
        </li>
      ))}
    </ul>
  );
}
