// The list of the player's decks.

import type { DeckSummaryModel, ListedDeckModel, PlayerGameModel, ReceiptModel } from "../../../api";
import { formatDateTime, formatPoints, loadTexts, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Link } from "../../shared/router";
import { lazy } from "../lazy";
import type { OutboxItem } from "../offline/outbox";
import { fetchDecks, hasHandIn, useOutbox, usePlayerFetch, usePlayerState } from "../player-state";

const Thumbnail = lazy(() => import("./deck-photo").then(({ Thumbnail }) => Thumbnail), { small: true });
const CompareDecks = lazy(
  () => Promise.all([import("./compare-decks"), loadTexts("deck")]).then(([{ CompareDecks }]) => CompareDecks),
  { small: true },
);

// A deck of the server, or one that only this phone knows.
type KnownDeck = Pick<DeckSummaryModel, "id" | "created" | "confirmed" | "cards"> & {
  state: DeckSummaryModel["state"] | "local";
};

// The player's decks, newest first, including those that only this phone knows.
export function Decks() {
  const { player, me } = usePlayerState();
  const items = useOutbox(player.token);
  const count = me.decks.length;
  const { data } = usePlayerFetch(async (token, signal) => (count ? fetchDecks(token, signal) : { decks: [] }), `decks ${count}`);
  const listed = new Map(data?.decks.map((deck) => [deck.id, deck]));
  const comparable = (data?.decks ?? []).filter(({ cards, score }) => cards !== null || score !== null).reverse();
  const known = new Set(me.decks.map(({ id }) => id));
  const local = [...new Map(items.filter(({ deck }) => !known.has(deck)).map((item) => [item.deck, item])).values()];
  const decks: KnownDeck[] = [
    ...me.decks,
    ...local.map(({ deck, at }) => ({ id: deck, state: "local" as const, created: at, confirmed: null, cards: null })),
  ].reverse();
  const seen = me.provisional.mode === "off" ? decks.filter(({ state }) => state !== "open") : decks;
  // Tries without any card are no decks yet.
  const isDraft = ({ id, state }: KnownDeck) => {
    const { found, photo } = listed.get(id) ?? {};
    return state === "open" && found === 0 && Boolean(photo) && !items.some(({ deck }) => deck === id);
  };
  const shown = [...seen.filter((deck) => !isDraft(deck)), ...seen.filter(isDraft)];
  if (!shown.length || (me.provisional.mode === "off" && !local.length)) return null;
  return (
    <section class="decks" aria-labelledby="decks-title">
      <h2 id="decks-title">{texts.decks.title}</h2>
      <ol class="stack">
        {shown.map((deck) => (
          <li key={deck.id}>
            <DeckRow
              deck={deck}
              listed={listed.get(deck.id)}
              draft={isDraft(deck)}
              game={me.game}
              receipt={me.receipt}
              items={items.filter((item) => item.deck === deck.id)}
            />
          </li>
        ))}
      </ol>
      {comparable.length > 1 && <CompareDecks decks={comparable} />}
    </section>
  );
}

type DeckRowProps = {
  deck: KnownDeck;
  listed: ListedDeckModel | undefined;
  draft: boolean;
  game: PlayerGameModel;
  receipt: ReceiptModel | null;
  items: OutboxItem[];
};

function DeckRow({ deck, listed, draft, game, receipt, items }: DeckRowProps) {
  const words = texts.decks;
  const cards = deck.cards ?? (listed?.found || null);
  const unread = deck.state === "open" ? listed?.unread : 0;
  const score = listed?.score;
  // The time of the state that is named beside it; that of the hand-in is on the receipt.
  const at = (deck.state === "handed-in" && receipt?.at) || (deck.state === "confirmed" && deck.confirmed) || deck.created;
  const refused = items.some(({ state }) => state === "refused");
  const waiting = items.filter(({ state, kind }) => state !== "refused" && kind === "picture").length;
  return (
    <Link class={`choice deck-row deck-row-${draft ? "draft" : deck.state}`} href={`/p/deck/${deck.id}`}>
      <span class="deck-cards" aria-hidden="true">
        <b class="number">{cards ?? (!draft && (deck.state === "open" || deck.state === "local") ? "…" : "–")}</b>
        {listed?.photo && <Thumbnail deck={deck.id} photo={listed.photo} />}
      </span>
      <span class="grow">
        <strong>
          {draft ? words.draft : cards === null ? words.state.open : texts.cards.total({ count: cards })}
          {unread ? `, ${words.unread({ count: unread })}` : ""}
          {score && score !== "0" ? ` · ${formatPoints(score)} ${texts.score.points({ count: Number(score) })}` : ""}
        </strong>
        <small>
          {(cards !== null || deck.state !== "open") && `${words.state[hasHandIn(items) ? "waits" : deck.state]} · `}
          {formatDateTime(at, game.timezone)}
        </small>
        {waiting > 0 && (
          <small class="strong">
            {texts.cards.titled({ generic: texts.outbox.waiting, name: texts.waiting.pictures({ count: waiting }) })}
          </small>
        )}
        {refused && <small class="strong wrong">{words.refused}</small>}
      </span>
      <Icon name="next" />
    </Link>
  );
}
