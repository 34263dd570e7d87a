// A deck to try the rules of a draft, and another one at the same table.

import { useState } from "preact/hooks";
import { formatPoints, texts } from "../../../shared/i18n";
import { Notice } from "../../../shared/notices";
import { RowButton } from "./fields";
import { useScores } from "./model/checks";
import { useEditing } from "./model/context";
import { namedIn } from "./model/names";

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
      <div class="edition-decks" role="group" aria-label={words.decks}>
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
        <ul>
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
