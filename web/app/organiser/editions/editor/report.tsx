// The report beside the forms: mistakes, a card as it is printed, its rule with decks on either side of its boundaries, and a
// deck to try.

import { useState } from "preact/hooks";
import type { DraftModel, UploadFindingModel } from "../../../../api";
import { formatPoints, texts } from "../../../shared/i18n";
import { Notice } from "../../../shared/notices";
import { Finding } from "../finding";
import { RowButton } from "./fields";
import { useScores } from "./model/checks";
import { useEditing } from "./model/context";
import { namedIn } from "./model/names";

type FindingsProps = {
  findings: UploadFindingModel[];
  hasForm: (finding: UploadFindingModel) => boolean;
  onGo: (finding: UploadFindingModel) => void;
};

export const Findings = ({ findings, hasForm, onGo }: FindingsProps) => (
  <ul class="editions-mistakes">
    {findings.map((finding) => (
      <li>
        <Finding finding={finding} />
        {finding.file === "edition.toml" && finding.line > 0 && (
          <button type="button" class="plain" onClick={() => onGo(finding)}>
            {hasForm(finding) ? texts.editions.editor.show : texts.editions.editor.goTo({ line: finding.line })}
          </button>
        )}
      </li>
    ))}
  </ul>
);

// A card as it is printed, and its rule in plain words with decks on either side of its boundaries.
export function CardReport({ report, onChoose }: { report: DraftModel; onChoose: (card: string) => void }) {
  const { cards, card, face, rule } = report;
  const words = texts.editions.editor;
  const name = cards.find(({ slug }) => slug === card)?.name ?? "";
  if (!card) return null;
  return (
    <>
      <label>
        {words.card}
        <select value={card} onChange={({ currentTarget: { value } }) => onChoose(value)}>
          {cards.map((one) => (
            <option key={one.slug} value={one.slug} selected={one.slug === card}>
              {one.name} ({one.slug})
            </option>
          ))}
        </select>
      </label>
      <div class="edition-card">
        {face && <img src={`data:image/png;base64,${face}`} alt={words.face({ name })} />}
        {rule && (
          <div>
            <h2>{rule.name}</h2>
            <ul class="facts">
              {rule.words.map((line) => (
                <li>{line}</li>
              ))}
            </ul>
            {!rule.matters && <p>{words.idle}</p>}
            {rule.examples.length > 0 && (
              <table class="edition-examples">
                <thead>
                  <tr>
                    <th scope="col">{words.deck}</th>
                    <th scope="col">{words.scored}</th>
                  </tr>
                </thead>
                {rule.examples.map((pair) => (
                  <tbody>
                    {pair.map(({ deck, score }) => (
                      <tr>
                        <td>{deck.replaceAll(" × ", "\u00a0×\u00a0")}</td>
                        <td>{score}</td>
                      </tr>
                    ))}
                  </tbody>
                ))}
              </table>
            )}
          </div>
        )}
      </div>
    </>
  );
}

const MOST = 99; // cards of a kind

type Deck = Record<string, number>;

export function DeckScore({ slug, text }: { slug: string; text: string }) {
  const { blocks, report } = useEditing();
  const [decks, setDecks] = useState<Deck[]>([{}]);
  const [shown, setShown] = useState(0);
  const { scores, problem, scoring } = useScores(slug, text, decks);
  const words = texts.editions.editor.score;
  const cards = namedIn(blocks, report?.cards ?? [], "cards");
  const deck = decks[shown] ?? {};
  const change = (slug: string, by: number) => {
    const number = Math.min(MOST, Math.max(0, (deck[slug] ?? 0) + by));
    const { [slug]: _, ...rest } = deck;
    const next = number ? { ...rest, [slug]: number } : rest;
    setDecks(decks.map((one, at) => (at === shown ? next : one)));
  };
  const score = scores?.[shown];
  return (
    <section class="edition-deck" aria-labelledby="edition-deck-title">
      <h2 id="edition-deck-title">{words.title}</h2>
      <p class="field-hint">{words.text}</p>
      <div class="row" role="group" aria-label={words.decks}>
        {[0, 1].map((at) => (
          <button
            key={at}
            type="button"
            class="secondary"
            aria-pressed={at === shown ? "true" : "false"}
            onClick={() => {
              if (at === decks.length) setDecks([...decks, {}]);
              setShown(at);
            }}
          >
            {at ? words.other : words.own}
          </button>
        ))}
        <p class="edition-points" role="status">
          {score && (score.score === null ? words.out : words.points({ points: formatPoints(score.score) }))}
        </p>
      </div>
      <ul class="edition-counts">
        {cards.map(({ slug, name }) => (
          <li key={slug} class={deck[slug] ? "edition-count-some" : ""}>
            <span>{name}</span>
            <RowButton icon="less" label={words.less({ name })} disabled={!deck[slug]} onClick={() => change(slug, -1)} />
            <output>{deck[slug] ?? 0}</output>
            <RowButton icon="add" label={words.more({ name })} onClick={() => change(slug, 1)} />
          </li>
        ))}
      </ul>
      {problem && <Notice problem={problem} small />}
      <div class={scoring ? "edition-score edition-score-old" : "edition-score"}>
        <ul class="ruled">
          {score?.lines.map(({ rule, points, text, void: gone }) => (
            <li class={gone ? "edition-void" : ""}>
              <span>
                {rule && <small>{words.rule({ rule })} </small>}
                {text}
              </span>
              <b>{formatPoints(points)}</b>
            </li>
          ))}
        </ul>
        {!score && scores?.length === 0 && Object.keys(deck).length > 0 && !scoring && <p>{words.none}</p>}
      </div>
    </section>
  );
}
