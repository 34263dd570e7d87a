// The home screen.

import { useState } from "preact/hooks";
import type { DeckSummaryModel, ListedDeckModel, PlayerGameModel, ReceiptModel } from "../../api";
import { formatDateTime, formatPoints, loadTexts, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { Link, View } from "../shared/router";
import { AddPhotos } from "./deck/photo-upload";
import { lazy } from "./lazy";
import type { OutboxItem } from "./offline/outbox";
import {
  fetchDecks,
  hasHandIn,
  isPlaying,
  StateMessage,
  takesPhotos,
  useOutbox,
  usePlayerFetch,
  usePlayerState,
  useReceipt,
} from "./player-state";
import { Ticket } from "./ticket";

const NameDialog = lazy(() => import("./name-dialog").then(({ NameDialog }) => NameDialog), { small: true });
const OwnRank = lazy(() => Promise.all([import("./result"), loadTexts("result")]).then(([{ OwnRank }]) => OwnRank));
const HandInOnly = lazy(() => Promise.all([import("./deck/hand-in"), loadTexts("deck")]).then(([{ HandInOnly }]) => HandInOnly));

const Thumbnail = lazy(() => import("./deck/deck-photo").then(({ Thumbnail }) => Thumbnail), { small: true });
const CompareDecks = lazy(
  () => Promise.all([import("./deck/compare-decks"), loadTexts("deck")]).then(([{ CompareDecks }]) => CompareDecks),
  { small: true },
);

// The home screen: the player's envelope, the state of the game, and what to do next.
export function Home() {
  const { me } = usePlayerState();
  const [naming, setNaming] = useState(false);
  const waits = hasHandIn(useReceipt()) && !me.receipt;
  const takes = takesPhotos(me, waits);
  return (
    <View title={texts.home.title(me.envelope.number)} name="home">
      <Ticket me={me} onName={() => setNaming(true)} />
      <div class="home-main">
        <StateMessage me={me} waits={waits} />
        {me.game.state === "published" && <OwnRank />}
        {takes && <AddPhotos first={!me.decks.length} />}
        {!takes && isPlaying(me, waits) && <HandInOnly />}
        {waits && ["open", "closed"].includes(me.game.state) && <PendingReceipt />}
        {me.receipt && <Receipt receipt={me.receipt} game={me.game} />}
        <Decks />
      </div>
      {naming && <NameDialog onClose={() => setNaming(false)} />}
    </View>
  );
}

// A deck of the server, or one that only this phone knows.
type KnownDeck = Pick<DeckSummaryModel, "id" | "created" | "cards"> & { state: DeckSummaryModel["state"] | "local" };

// The player's decks, newest first, including those that only this phone knows.
function Decks() {
  const { player, me } = usePlayerState();
  const items = useOutbox(player.token);
  const count = me.decks.length;
  const { data } = usePlayerFetch(async (token, signal) => (count ? fetchDecks(token, signal) : { decks: [] }), `decks ${count}`);
  const listed = new Map(data?.decks.map((deck) => [deck.id, deck]));
  const comparable = (data?.decks ?? []).filter(({ cards }) => cards !== null).reverse();
  const known = new Set(me.decks.map(({ id }) => id));
  const local = [...new Map(items.filter(({ deck }) => !known.has(deck)).map((item) => [item.deck, item])).values()];
  const decks: KnownDeck[] = [
    ...me.decks,
    ...local.map(({ deck, at }) => ({ id: deck, state: "local" as const, created: at, cards: null })),
  ].reverse();
  const shown = me.provisional.mode === "off" ? decks.filter(({ state }) => state !== "open") : decks;
  if (!shown.length || (me.provisional.mode === "off" && !local.length)) return null;
  return (
    <section class="decks" aria-labelledby="decks-title">
      <h2 id="decks-title">{texts.decks.title}</h2>
      <ol>
        {shown.map((deck) => (
          <li key={deck.id}>
            <DeckRow
              deck={deck}
              listed={listed.get(deck.id)}
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
  game: PlayerGameModel;
  receipt: ReceiptModel | null;
  items: OutboxItem[];
};

function DeckRow({ deck, listed, game, receipt, items }: DeckRowProps) {
  const words = texts.decks;
  const cards = deck.cards ?? (listed?.found || null);
  const unread = deck.state === "open" ? listed?.unread : 0;
  const score = listed?.score;
  // The time of the hand-in, as on the receipt.
  const at = (deck.state === "handed-in" && receipt?.at) || deck.created;
  const refused = items.some(({ state }) => state === "refused");
  const waiting = items.filter(({ state, kind }) => state !== "refused" && kind === "picture").length;
  return (
    <Link class={`deck-row deck-row-${deck.state}`} href={`/p/deck/${deck.id}`}>
      <span class="deck-cards" aria-hidden="true">
        <b>{cards ?? (deck.state === "open" || deck.state === "local" ? "…" : "–")}</b>
        {listed?.photo && <Thumbnail deck={deck.id} photo={listed.photo} />}
      </span>
      <span class="deck-words">
        <strong>
          {cards === null ? words.unconfirmed : words.cards(cards)}
          {unread ? `, ${words.unread(unread)}` : ""}
          {score && score !== "0" ? ` · ${formatPoints(score)} ${texts.score.points(score)}` : ""}
        </strong>
        <small>
          {(cards !== null || deck.state !== "open") && `${words.state[hasHandIn(items) ? "waits" : deck.state]} · `}
          {formatDateTime(at, game.timezone)}
        </small>
        {waiting > 0 && <small class="deck-note">{texts.waiting.pictures(waiting)}</small>}
        {refused && <small class="deck-note deck-refused">{words.refused}</small>}
      </span>
      <Icon name="next" />
    </Link>
  );
}

// Confirms that the server has the hand-in, with its time by the server's clock.
function Receipt({ receipt, game }: { receipt: ReceiptModel; game: PlayerGameModel }) {
  const words = texts.receipt;
  return (
    <section class="receipt" aria-labelledby="receipt-title">
      <p class="receipt-mark" aria-hidden="true">
        <Icon name="check" />
      </p>
      <h2 id="receipt-title">{words.title}</h2>
      <p class="receipt-time">
        <time datetime={receipt.at}>{formatDateTime(receipt.at, game.timezone)}</time>
      </p>
      <p class={receipt.late ? "receipt-late" : "receipt-in-time"}>{receipt.late ? words.late : words.inTime}</p>
      <dl>
        <div>
          <dt>{words.cards}</dt>
          <dd>{receipt.cards ?? words.noList}</dd>
        </div>
        <div>
          <dt>{words.code}</dt>
          <dd class="receipt-code">{receipt.code}</dd>
        </div>
      </dl>
      <p class="receipt-help">{words.help}</p>
    </section>
  );
}

// In place of the receipt until the hand-in arrives.
function PendingReceipt() {
  const words = texts.receipt.waits;
  return (
    <section class="receipt" aria-labelledby="receipt-title">
      <p class="receipt-mark" aria-hidden="true">
        <Icon name="send" />
      </p>
      <h2 id="receipt-title">{words.title}</h2>
      <p>{words.detail}</p>
    </section>
  );
}
