// The provisional score of a deck.

import { useEffect, useState } from "preact/hooks";
import type { AttemptsModel, ProvisionalScoreModel } from "../../../api";
import { type CardKind, CardSymbol, kindsBySlug } from "../../shared/cards";
import type { Problem } from "../../shared/http";
import { formatDuration, formatPoints, serverNow, texts, useTimeLeft } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice, Skeleton } from "../../shared/notices";
import { noteScoreRequest, wasScoreRequested } from "../envelopes";
import { type Deck, requestScore, usePlayerState } from "../player-state";
import { BreakdownLine } from "./breakdown";

// Return true if another try may help.
const mayHelp = ({ slug, passing }: Problem) => slug === "conflict" || (passing && !["no-tries", "too-soon"].includes(slug));

const summaryOf = ({ score, unknown }: ProvisionalScoreModel) =>
  score === null
    ? texts.told.none
    : unknown.length
      ? texts.told.soFar({ points: formatPoints(score), count: Number(score) })
      : texts.told.summary({ points: formatPoints(score) });

// The provisional score of a deck. It is requested at once if that is free, and by a button if it costs a try.
// `onSettled` is called when the score is there or needs a button.
export function ProvisionalPanel({ deck, onSettled }: { deck: Deck; onSettled: () => void }) {
  const { player, me, refetch } = usePlayerState();
  const [answer, setAnswer] = useState<ProvisionalScoreModel | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { mode } = me.provisional;
  const free = mode !== "total" || wasScoreRequested(deck.id);
  const ask = async () => {
    setProblem(null);
    try {
      const given = await requestScore(player.token, deck.id, mode);
      if (given.mode === "total") noteScoreRequest(deck.id);
      setAnswer(given);
      if (given.spent) refetch();
    } catch (error) {
      const given = error as Problem;
      setProblem(given);
      // Tries, pause or mode have changed meanwhile.
      if (given.status === 409 || given.status === 429) refetch();
    }
  };
  useEffect(() => {
    setAnswer(null);
    setProblem(null);
    if (free) ask();
  }, [deck.id, mode]);
  const settled = answer || problem || !free;
  useEffect(() => {
    if (settled) onSettled();
  }, [Boolean(settled)]);

  return (
    <section class="provisional" aria-label={texts.told.title}>
      <p class="visually-hidden" role="status">
        {answer && summaryOf(answer)}
      </p>
      {problem && <Notice problem={problem} onRetry={mayHelp(problem) ? ask : undefined} small />}
      {answer && <ProvisionalScore answer={answer} />}
      {!answer && !problem && free && <Skeleton rows={6} />}
      {mode === "total" && <Tries tries={me.provisional} answered={Boolean(answer)} onAsk={ask} />}
    </section>
  );
}

// The tries left, when the next one is allowed, and the button for it.
type TriesProps = { tries: AttemptsModel; answered: boolean; onAsk: () => void };

function Tries({ tries, answered, onAsk }: TriesProps) {
  const words = texts.told;
  const [until, setUntil] = useState("");
  useEffect(() => setUntil(new Date(serverNow() + tries.wait * 1000).toISOString()), [tries]);
  const left = useTimeLeft(until);
  const triesLeft = tries.left ?? 0;
  const spendable = triesLeft > 0 && left <= 0;
  return (
    <div class="panel stack">
      <p>
        <strong>{words.left({ count: triesLeft })}</strong>{" "}
        {triesLeft > 0 && left > 0 && (
          <span>
            {words.pause} <b role="timer">{formatDuration(left)}</b>
          </span>
        )}
      </p>
      {!answered && spendable && (
        <button type="button" class="action secondary" onClick={onAsk}>
          {words.spend}
        </button>
      )}
      {!answered && !spendable && (
        <button type="button" class="secondary" onClick={onAsk}>
          {words.old}
        </button>
      )}
      {!answered && <p class="caption">{words.free}</p>}
    </div>
  );
}

// A provisional score: points, reasons as far as the mode shows them, and what it leaves out.
type AnswerProps = { answer: ProvisionalScoreModel };

function ProvisionalScore({ answer }: AnswerProps) {
  const words = texts.told;
  const kinds = kindsBySlug({ kinds: answer.kinds.map((kind) => ({ ...kind, slug: kind.kind })) });
  const score = answer.score === null ? null : formatPoints(answer.score);
  const valued = answer.unknown.length > 0 ? [...new Set(answer.lines.flatMap(({ kind }) => kind ?? []))] : [];
  const lines = answer.lines.filter(({ kind, points }) => !kind || points !== null || !answer.unknown.includes(kind));
  return (
    <>
      <div class="ink-card score score-provisional">
        <h2 class="over">{words.title}</h2>
        {answer.eliminated ? (
          <p class="strong score-out">{texts.score.eliminated}</p>
        ) : valued.length > 0 ? (
          <KnownKinds kinds={valued.flatMap((slug) => kinds.get(slug) ?? [])} unknown={answer.unknown} score={answer.score} />
        ) : score !== null ? (
          <p class="number score-number">
            <strong>{score}</strong> <span>{texts.score.points({ count: Number(answer.score) })}</span>
          </p>
        ) : (
          <p class="strong score-out">{words.none}</p>
        )}
        <p class="caption">{words.note}</p>
      </div>
      {answer.lines.length > 0 && (
        <section class="lines" aria-labelledby="score-lines">
          <h2 id="score-lines">{texts.lines.title}</h2>
          <ol>
            {lines.map((line, at) => (
              <BreakdownLine key={at} line={line} rules={answer.rules} kinds={kinds} />
            ))}
            {lines.length < answer.lines.length && (
              <li class="line line-quiet line-unknown">
                <div class="line-plain">
                  <span class="line-badge">
                    <Icon name="question" />
                  </span>
                  <span class="line-title strong">{answer.unknown.map((slug) => kinds.get(slug)?.name ?? slug).join(", ")}</span>
                  <span class="line-text soft">{words.findOut}</span>
                </div>
              </li>
            )}
          </ol>
          {score !== null && !valued.length && (
            <p class="sum number">
              <span>{texts.lines.sum}</span>
              <strong>{score}</strong>
            </p>
          )}
        </section>
      )}
      <RulesWithoutLine answer={answer} />
      {answer.leaves_out.length > 0 && (
        <section class="dashed above">
          <h3>{words.leavesOut}</h3>
          <ul class="bullets">
            {answer.leaves_out.map((slug) => (
              <li key={slug}>{words.leaves[slug]}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

// How many of the deck's kinds the player knows the worth of, and the points of those. Their number is no headline, since
// zero points of unknown cards say nothing.
type KnownKindsProps = { kinds: CardKind[]; unknown: string[]; score: string | null };

function KnownKinds({ kinds, unknown, score }: KnownKindsProps) {
  const known = kinds.filter(({ slug }) => !unknown.includes(slug)).length;
  const colours = kinds.every(({ category }) => category === "colour");
  return (
    <>
      <p class="number">{(colours ? texts.told.knowsColours : texts.told.knowsKinds)({ known, all: kinds.length })}</p>
      <p class="row score-suits" aria-hidden="true">
        {kinds.map((kind) => (
          <span
            class={unknown.includes(kind.slug) ? "disc score-suit-unknown" : "disc"}
            style={{ "--ink": kind.ink, "--on": kind.on }}
          >
            <CardSymbol name={kind.symbol} />
          </span>
        ))}
      </p>
      {score !== null && score !== "0" && (
        <p class="strong">{texts.told.soFar({ points: formatPoints(score), count: Number(score) })}</p>
      )}
    </>
  );
}

// Rules in the deck that have no line, with their wordings.
function RulesWithoutLine({ answer: { lines, rules } }: AnswerProps) {
  const withLine = new Set(lines.map(({ rule }) => rule));
  const silent = Object.entries(rules).filter(([key]) => !withLine.has(key));
  if (!silent.length) return null;
  return (
    <section class="lines">
      <h3>{texts.told.silent}</h3>
      <ol>
        {silent.map(([key, rule]) => (
          <li class="line line-quiet" key={key}>
            <details>
              <summary>
                <span class="line-badge">
                  <CardSymbol name="seal" />
                  <b aria-hidden="true">{rule.number ?? ""}</b>
                </span>
                <span class="line-title strong">
                  <small class="over block">{texts.cards.rule({ number: rule.number ?? key })}</small> {rule.name}
                </span>
                <span class="line-open">
                  {texts.lines.wording}
                  <Icon name="open" />
                </span>
              </summary>
              <blockquote>
                <p>{rule.text}</p>
              </blockquote>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}
