// Questions about hands.

import { useEffect, useRef, useState } from "preact/hooks";
import type { FactModel, FullGameModel, QuestionModel, QuestionsModel } from "../../../api";
import type { CardKind } from "../../shared/cards";
import { type Problem, request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { FactField, factValue } from "../fact-field";
import { ReasonField, useSubmit } from "../forms";
import type { LiveData } from "../live";
import { useKinds } from "./card-entry";
import { envelopeText } from "./issue-text";

// Questions about each hand before the count: a form for each envelope; after an answer the next open one is shown.
type QuestionsProps = { game: FullGameModel; questions: LiveData<QuestionsModel> };

export function Questions({ game, questions }: QuestionsProps) {
  const { data, problem, refetch, put } = questions;
  const kinds = useKinds(game.id);
  const [chosen, setChosen] = useState<number | null>(null);
  if (problem && !data) return <Notice problem={problem} onRetry={refetch} />;
  if (!data) return <Skeleton rows={3} />;
  if (!data.questions.length) return <p class="panel">{texts.queue.emptyFilter}</p>;
  const all = data.questions.length;
  const open = data.questions.filter((question) => question.open);
  const current = data.questions.find((question) => question.envelope === chosen) ?? open[0] ?? null;
  const answered = (response: QuestionModel) => {
    const later = [...open.filter(({ envelope }) => envelope > response.envelope), ...open].find(
      ({ envelope }) => envelope !== response.envelope,
    );
    put((before) => {
      if (!before) return before;
      const found = before.questions.map((one) => (one.envelope === response.envelope ? response : one));
      return { questions: found, open: found.filter((one) => one.open).length };
    });
    refetch();
    setChosen(response.open ? response.envelope : (later?.envelope ?? null));
  };
  return (
    <div>
      <div class="settled-count grow">
        <label class="number" for="questions-progress">
          {texts.queue.questions.progress({ answered: all - open.length, all })}
        </label>
        <progress id="questions-progress" max={all} value={all - open.length} />
      </div>
      <div class="doubts-body stack">
        <nav class="doubt-list" aria-label={texts.desk.tabs.envelopes}>
          <ol class="stack scroll">
            {data.questions.map((question) => (
              <li key={question.envelope}>
                <button
                  type="button"
                  class="choice"
                  aria-current={question === current ? "true" : undefined}
                  onClick={() => setChosen(question.envelope)}
                >
                  <span>
                    <strong>{envelopeText(question.envelope, question.player)}</strong>
                    {!question.open && <small>{texts.queue.questions.answered}</small>}
                  </span>
                </button>
              </li>
            ))}
          </ol>
        </nav>
        <div class="doubt">
          {current ? (
            <QuestionForm
              key={current.envelope}
              game={game}
              kinds={kinds}
              question={current}
              players={data.questions.filter((one) => one !== current)}
              onAnswered={answered}
              refetch={refetch}
            />
          ) : (
            <div class="panel stack center all-clear">
              <h2>{texts.queue.questions.done}</h2>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

const COUNTED_STATES = new Set(["frozen", "published"]); // states in which an answer is a correction and needs a reason

// What is typed: facts by name, and numbers of cards by part and kind.
type Facts = Record<string, string>;
type Layout = Record<string, Record<string, string>>;

const factsOf = (question: QuestionModel): Facts =>
  Object.fromEntries(
    question.facts.map((fact) => [
      fact.name,
      fact.value === null ? "" : fact.yes_no ? (fact.value ? "yes" : "no") : String(fact.value),
    ]),
  );
const layoutOf = (question: QuestionModel): Layout =>
  Object.fromEntries(
    question.parts.map(({ part }) => [
      part,
      Object.fromEntries(Object.keys(question.kinds).map((kind) => [kind, String(question.laid?.[part]?.[kind] ?? 0)])),
    ]),
  );

// Return the request's body.
function toAnswer(question: QuestionModel, facts: Facts, cancels: string[] | null, laid: Layout) {
  const numbers = (counts: Facts) =>
    Object.fromEntries(Object.entries(counts).flatMap(([kind, count]) => (Number(count) ? [[kind, Number(count)]] : [])));
  return {
    ...(question.facts.length > 0 && {
      facts: Object.fromEntries(question.facts.map((fact) => [fact.name, factValue(fact, facts[fact.name])])),
    }),
    ...(question.cards.length > 0 && cancels && { cancels }),
    ...(question.parts.length > 0 && {
      parts: Object.fromEntries(Object.entries(laid).map(([part, counts]) => [part, numbers(counts)])),
    }),
  };
}

// The form for an envelope: facts, rules to cancel, parts of the deck. If another organiser answers meanwhile, it says so and
// keeps what was typed; sending it again overwrites the other answer.
type FormProps = {
  game: FullGameModel;
  kinds: Map<string, CardKind> | null;
  question: QuestionModel;
  players: Pick<QuestionModel, "envelope" | "player">[];
  onAnswered: (response: QuestionModel) => void;
  refetch: () => void;
};

function QuestionForm({ game, kinds, question, players, onAnswered, refetch }: FormProps) {
  const [facts, setFacts] = useState(() => factsOf(question));
  const [cancels, setCancels] = useState(() => question.cancelled);
  const [laid, setLaid] = useState(() => layoutOf(question));
  const [reason, setReason] = useState("");
  const { send, busy, problem } = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus({ preventScroll: true }), []);

  const toggle = (rule: string) => {
    const rules = cancels ?? [];
    setCancels(rules.includes(rule) ? rules.filter((one) => one !== rule) : [...rules, rule]);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const body = { ...toAnswer(question, facts, cancels, laid), reason };
    send(async () => {
      const path = `/api/v1/games/${game.id}/questions/${question.envelope}`;
      try {
        onAnswered(await request<QuestionModel>(path, { method: "PUT", body, revision: question.revision }));
        announce(texts.queue.questions.said({ envelope: question.envelope }));
      } catch (error) {
        if ((error as Problem).slug === "changed") refetch();
        throw error;
      }
    });
  };

  // A player who was named before may be one whose hand does not count any more.
  const playersFor = ({ player }: FactModel, value: string | undefined) => {
    const chosen = player ? Number(value) : 0;
    const named = chosen && !players.some(({ envelope }) => envelope === chosen) ? [{ envelope: chosen, player: null }] : [];
    return [...players, ...named].map(({ envelope, player }) => ({ number: envelope, name: envelopeText(envelope, player) }));
  };

  return (
    <form ref={form} class="panel" onSubmit={submit}>
      <h2>{envelopeText(question.envelope, question.player)}</h2>
      {question.mistakes.length > 0 && (
        <div class="notice notice-small">
          <strong>{texts.queue.questions.mistakes}</strong>
          <ul class="bullets">
            {question.mistakes.map((mistake) => (
              <li key={mistake}>{mistake}</li>
            ))}
          </ul>
        </div>
      )}
      {question.facts.map((fact) => (
        <FactField
          key={fact.name}
          fact={fact}
          players={playersFor(fact, facts[fact.name])}
          value={facts[fact.name] ?? ""}
          onInput={(value) => setFacts({ ...facts, [fact.name]: value })}
        />
      ))}
      {question.cards.length > 0 && (
        <fieldset class="cancels">
          <legend>{texts.queue.questions.cancels({ most: question.most })}</legend>
          <p>
            {texts.queue.questions.because} {question.cards.map((rule) => `${rule.name} (${rule.rule})`).join(", ")}
          </p>
          {question.may_cancel.map((rule) => {
            const on = (cancels ?? []).includes(rule.rule);
            return (
              <label class="tick" key={rule.rule}>
                <input
                  type="checkbox"
                  checked={on}
                  disabled={!on && (cancels ?? []).length >= question.most}
                  onChange={() => toggle(rule.rule)}
                />
                <span>
                  <strong>
                    {rule.rule} · {rule.name}
                  </strong>
                  <small>{rule.text}</small>
                </span>
              </label>
            );
          })}
          <label class="tick">
            <input
              type="checkbox"
              checked={cancels?.length === 0}
              onChange={() => setCancels(cancels?.length === 0 ? null : [])}
            />
            <span>
              <strong>{texts.queue.questions.cancelsNone}</strong>
            </span>
          </label>
        </fieldset>
      )}
      {question.parts.length > 0 && <DeckParts question={question} kinds={kinds} laid={laid} onLay={setLaid} />}
      {COUNTED_STATES.has(game.state) && <ReasonField value={reason} onInput={setReason} />}
      {problem && <Notice problem={problem} small />}
      <button disabled={busy}>{texts.queue.questions.send}</button>
    </form>
  );
}

// The number of cards of each kind in each part of the deck.
type PartsProps = Pick<FormProps, "question" | "kinds"> & { laid: Layout; onLay: (laid: Layout) => void };

function DeckParts({ question, kinds, laid, onLay }: PartsProps) {
  const set = (part: string, kind: string, value: string) => onLay({ ...laid, [part]: { ...laid[part], [kind]: value } });
  const held = Object.entries(question.kinds);
  return (
    <fieldset class="parts">
      <legend>{texts.queue.questions.parts}</legend>
      <div class="parts-scroll" tabIndex={0} role="group" aria-label={texts.queue.questions.parts}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.queue.questions.kind}</th>
              {question.parts.map((part) => (
                <th key={part.part} scope="col">
                  {part.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {held.map(([kind, count]) => (
              <tr key={kind}>
                <th scope="row">
                  {kinds?.get(kind)?.title ?? kind} <small>{count} ×</small>
                </th>
                {question.parts.map(({ part, name }) => (
                  <td key={part}>
                    <input
                      type="number"
                      inputmode="numeric"
                      min="0"
                      max={count}
                      step="1"
                      aria-label={`${kinds?.get(kind)?.title ?? kind}, ${name}`}
                      value={laid[part]?.[kind]}
                      onInput={(event) => set(part, kind, event.currentTarget.value)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </fieldset>
  );
}
