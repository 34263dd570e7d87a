// The comparison of two decks that are confirmed or have a score.

import { useState } from "preact/hooks";
import type { ListedDeckModel } from "../../../api";
import { type CardKind, CardSymbol, kindsBySlug } from "../../shared/cards";
import { Dialog } from "../../shared/dialog";
import { formatDateTime, formatPoints, texts } from "../../shared/i18n";
import { Notice, Skeleton } from "../../shared/notices";
import { fetchDeck, usePlayerFetch, usePlayerState } from "../player-state";
import "../../../style/deck.css";

type Decks = ListedDeckModel[];

// A button that opens the comparison. `decks` are at least two, the newest first.
export function CompareDecks({ decks }: { decks: Decks }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="plain wide" onClick={() => setOpen(true)}>
        {texts.compare.title}
      </button>
      {open && <Comparison decks={decks} onClose={() => setOpen(false)} />}
    </>
  );
}

// The kinds of cards that two decks hold different numbers of, and their scores.
function Comparison({ decks, onClose }: { decks: Decks; onClose: () => void }) {
  const { me } = usePlayerState();
  const [pair, setPair] = useState(() => decks.slice(0, 2).map(({ id }) => id));
  const { data, problem, refetch } = usePlayerFetch(
    (token, signal) => Promise.all(pair.map((id) => fetchDeck(token, id, signal))).then((found) => ({ found })),
    pair.join(),
  );
  const words = texts.compare;
  const chosen = pair.map((id) => decks.find((deck) => deck.id === id));
  const counts = (data?.found ?? []).map(({ kinds }) => new Map(kinds.map(({ kind, count }) => [kind, count])));
  const all: Map<string, CardKind> = kindsBySlug({
    kinds: (data?.found ?? []).flatMap(({ kinds }) => kinds.map((kind) => ({ ...kind, slug: kind.kind }))),
  });
  const different = [...all.values()].filter(({ slug }) => new Set(counts.map((held) => held.get(slug) ?? 0)).size > 1);
  return (
    <Dialog title={words.title} onClose={onClose}>
      {problem && <Notice problem={problem} onRetry={refetch} small />}
      {pair.map((id, at) => (
        <label>
          {words.deck({ number: at + 1 })}
          <select
            value={id}
            onChange={({ currentTarget: { value } }) => setPair(pair.map((old, place) => (place === at ? value : old)))}
          >
            {decks.map((deck) => (
              <option value={deck.id}>
                {formatDateTime(deck.created, me.game.timezone)} · {texts.cards.total({ count: deck.cards ?? deck.found ?? 0 })}
              </option>
            ))}
          </select>
        </label>
      ))}
      <table class="comparison">
        <thead>
          <tr>
            <td />
            {pair.map((_, at) => (
              <th scope="col">{words.deck({ number: at + 1 })}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {chosen.some((deck) => deck?.score) && (
            <tr class="strong">
              <th scope="row">{texts.told.title}</th>
              {chosen.map((deck) => (
                <td>{deck?.score ? formatPoints(deck.score) : "–"}</td>
              ))}
            </tr>
          )}
          {different.map((kind) => (
            <tr>
              <th scope="row">
                <span class="row nowrap">
                  <span class="disc" style={{ "--ink": kind.ink, "--on": kind.on }}>
                    <CardSymbol name={kind.symbol} />
                  </span>
                  <span>{kind.title}</span>
                </span>
              </th>
              {counts.map((held) => (
                <td>{held.get(kind.slug) ?? 0}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!data && !problem && <Skeleton rows={3} />}
      {data && !different.length && <p>{words.same}</p>}
    </Dialog>
  );
}
