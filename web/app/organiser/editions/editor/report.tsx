// The report beside the forms: mistakes, a card as it is printed, its rule with decks on either side of its boundaries, and a
// deck to try.

import { useState } from "preact/hooks";
import type { AskedFactModel, DraftModel, UploadFindingModel } from "../../../../api";
import { formatPoints, texts } from "../../../shared/i18n";
import { Notice } from "../../../shared/notices";
import { FactField, factValue, takes } from "../../fact-field";
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
  <ul class="bullets">
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
      <div class="row edition-card">
        {face && <img src={`data:image/png;base64,${face}`} alt={words.face({ name })} />}
        {rule && (
          <div class="grow">
            <h2>{rule.name}</h2>
            <ul class="bullets">
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

type Deck = { cards: Record<string, number>; facts: Record<string, string> };
const EMPTY: Deck = { cards: {}, facts: {} };

// Return the values of facts that were entered for a deck.
function valuesOf(facts: AskedFactModel[], deck: Deck) {
  return Object.fromEntries(
    facts.flatMap((fact) => {
      const entered = deck.facts[fact.name] ?? "";
      const value = takes(fact, entered) ? factValue(fact, entered) : null;
      return value === null ? [] : [[fact.name, value]];
    }),
  );
}

export function DeckScore({ slug, text }: { slug: string; text: string }) {
  const { blocks, report } = useEditing();
  const [decks, setDecks] = useState([EMPTY]);
  const [shown, setShown] = useState(0);
  const facts = report?.facts ?? [];
  const values = decks.map((one) => valuesOf(facts, one));
  const { scores, problem, scoring } = useScores(
    slug,
    text,
    decks.map((one) => one.cards),
    values,
  );
  const words = texts.editions.editor.score;
  const cards = namedIn(blocks, report?.cards ?? [], "cards");
  const deck = decks[shown] ?? EMPTY;
  const change = (next: Partial<Deck>, most = decks.length) =>
    setDecks(Array.from({ length: most }, (_, at) => ({ ...(decks[at] ?? EMPTY), ...(at === shown && next) })));
  const changeCard = (slug: string, by: number) => {
    const number = Math.min(MOST, Math.max(0, (deck.cards[slug] ?? 0) + by));
    const { [slug]: _, ...rest } = deck.cards;
    change({ cards: number ? { ...rest, [slug]: number } : rest });
  };
  // A fact that names the other deck adds it.
  const changeFact = ({ name, player }: AskedFactModel, value: string) =>
    change({ facts: { ...deck.facts, [name]: value } }, player && Number(value) ? 2 : decks.length);
  const others = [{ number: 2 - shown, name: shown ? words.own : words.other }];
  const score = scores?.[shown];
  const entered = Object.keys({ ...deck.cards, ...values[shown] }).length > 0;
  return (
    <section class="section" aria-labelledby="edition-deck-title">
      <h2 id="edition-deck-title">{words.title}</h2>
      <p class="caption">{words.text}</p>
      <div class="row" role="group" aria-label={words.decks}>
        {[0, 1].map((at) => (
          <button
            key={at}
            type="button"
            class="secondary"
            aria-pressed={at === shown ? "true" : "false"}
            onClick={() => {
              if (at === decks.length) setDecks([...decks, EMPTY]);
              setShown(at);
            }}
          >
            {at ? words.other : words.own}
          </button>
        ))}
        <p class="number" role="status">
          {score &&
            (score.score === null ? words.out : words.points({ points: formatPoints(score.score), count: Number(score.score) }))}
        </p>
      </div>
      <ul class="tiles scroll edition-counts">
        {cards.map(({ slug, name }) => (
          <li key={slug} class={deck.cards[slug] ? "strong" : ""}>
            <span>{name}</span>
            <RowButton
              icon="less"
              label={words.less({ name })}
              disabled={!deck.cards[slug]}
              onClick={() => changeCard(slug, -1)}
            />
            <output>{deck.cards[slug] ?? 0}</output>
            <RowButton icon="add" label={words.more({ name })} onClick={() => changeCard(slug, 1)} />
          </li>
        ))}
      </ul>
      {facts.length > 0 && (
        <div class="above" key={shown}>
          {facts.map((fact) => (
            <FactField
              key={fact.name}
              fact={fact}
              players={others}
              value={deck.facts[fact.name] ?? ""}
              onInput={(value) => changeFact(fact, value)}
            />
          ))}
        </div>
      )}
      {problem && <Notice problem={problem} small />}
      <div class={scoring ? "edition-score edition-score-old" : "edition-score"}>
        <ul class="ruled">
          {score?.lines.map(({ rule, points, text, void: gone }) => (
            <li class="row between nowrap">
              <span>
                {rule && <small>{words.rule({ rule })} </small>}
                {gone ? <s>{text}</s> : text}
              </span>
              <b>{gone ? <s>{formatPoints(points)}</s> : formatPoints(points)}</b>
            </li>
          ))}
        </ul>
        {!score && scores?.length === 0 && entered && !scoring && <p>{words.none}</p>}
      </div>
    </section>
  );
}
