// The screen of a deck.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DeckModel } from "../../../api";
import { type CardKind, kindsBySlug } from "../../shared/cards";
import { Problem } from "../../shared/http";
import { formatDateTime, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice, Skeleton } from "../../shared/notices";
import { Link, navigate, View } from "../../shared/router";
import { type OutboxItem, outbox } from "../offline/outbox";
import { emptyDeck, withPhoto } from "../offline/storage";
import {
  type Deck as DeckData,
  deleteDeck,
  fetchDeck,
  hasHandIn,
  StateMessage,
  useLoadingPlayerState,
  useOffline,
  useOutbox,
  usePlayerFetch,
  usePlayerState,
  useReceipt,
  useStalled,
} from "../player-state";
import { CardList } from "./breakdown";
import { DeckPhoto, DeleteDialog, PendingPhoto } from "./deck-photo";
import { DeckBar, HandIn, HandInDialog, RejectedItems, unreadPlaces, useEnding } from "./hand-in";
import { AddPhotos } from "./photo-upload";
import { ProvisionalPanel } from "./provisional-score";

const QUEUE_POLL_INTERVAL = 10_000; // milliseconds between two looks at the position in the queue

// A deck, from its first photo to the hand-in. `id` may be one that only this phone knows.
export function Deck({ id }: { id: string }) {
  const { player, me } = useLoadingPlayerState();
  const real = outbox.deckOf(id);
  const { data, problem, refetch, put } = usePlayerFetch(
    (token, signal) => (real ? fetchDeck(token, real, signal) : Promise.resolve<DeckData>(emptyDeck(id))),
    real ?? id,
  );
  const [sent, setSent] = useState<Record<string, string>>({});
  const [settled, setSettled] = useState<string | null>(null); // the list whose score is there
  const [asking, setAsking] = useState(false);
  const ending = useEnding(me?.game);
  const all = useOutbox(player.token, (change) => {
    const arrived = change.sent;
    if (!arrived || arrived.deck !== outbox.deckOf(id)) return;
    // The photo stays in place, now as the server's.
    if (arrived.kind === "picture") {
      setSent((before) => ({ ...before, [arrived.answer.id]: arrived.id }));
      put((before) => withPhoto(before, arrived.answer, arrived.deck));
    }
    if (arrived.kind === "confirm") put(arrived.answer);
    else refetch();
  });
  useReceipt();
  const offline = useOffline();
  const ready = useOutboxStarted();
  const queued = Boolean(data?.ahead);
  useEffect(() => {
    // No event tells this phone about the photos of others.
    const timer = queued ? setInterval(refetch, QUEUE_POLL_INTERVAL) : undefined;
    return () => clearInterval(timer);
  }, [queued, refetch]);
  useEffect(() => {
    // Put the deck's permanent address into the history; the screen stays as it is.
    if (real && real !== id) history.replaceState(null, "", `/p/deck/${real}`);
  }, [real]);
  const items = all.filter(({ deck }) => deck === (real ?? id));
  const uploads = items.filter(({ kind, state }) => kind === "picture" && state !== "refused");
  const underway = useUploadProgress(uploads, Object.values(sent));
  const kinds = useMemo(() => kindsBySlug({ kinds: (data?.kinds ?? []).map((kind) => ({ ...kind, slug: kind.kind })) }), [data]);

  if (!me) return <Skeleton rows={4} />;
  if (me.provisional.mode === "off" && data?.state === "open") return <ScoresOff />;
  if (problem?.slug === "not-found" || (ready && !real && !items.length)) return <Missing items={items} onLook={refetch} />;
  if (!data) return problem ? <Notice problem={problem} onRetry={refetch} /> : <Skeleton />;
  const sending = offline ? null : underway;
  const waits = sending ? 0 : uploads.length;
  const reading = data.pending;
  // OutboxStatus already says what is sent or waits.
  const announcement = reading ? texts.picture.reading : sending || waits ? "" : texts.cards.total({ count: data.total });
  const open = data.state === "open";
  const { mode } = me.provisional;
  // A score that costs nothing needs no yes to the list.
  const complete = ["known", "full"].includes(mode) && isComplete(data) && !(sending || waits || offline);
  const listed = data.state === "confirmed" || (open && complete);
  const asks = listed && me.game.state === "open" && !me.receipt && mode !== "off";
  // The elements below the score wait for it, so that nothing moves under a finger.
  const quiet = !asks || settled === data.digest;
  const acts = !me.receipt && ["open", "closed"].includes(me.game.state);
  const handIn = acts && listed && (
    <HandIn items={items} primary={ending && me.game.state === "open"} onAsk={() => setAsking(true)} />
  );
  const photos = (
    <div key="photos" hidden={!quiet}>
      <DeckPhotos deck={data} id={real ?? id} kinds={kinds} items={items} sent={sent} onChange={refetch} />
    </div>
  );
  const more = acts && open && data.photos.length + uploads.length > 0;
  return (
    <View title={titleOf(data, Boolean(sending || reading || waits))} name={`deck deck-${data.state}`}>
      <p class="back">
        <Link href="/">
          <Icon name="back" />
          {texts.deck.back}
        </Link>
      </p>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      <RejectedItems items={items.filter(({ kind }) => kind === "picture")} onLook={refetch} />
      {data.state === "handed-in" && <p class="lead">{texts.deck.handedIn}</p>}
      {!["printed", "open"].includes(me.game.state) && <StateMessage me={me} waits={hasHandIn(all)} />}
      {ending && handIn}
      <div class="columns">
        {open && !asks && photos}
        <div class="deck-list" key="list">
          {asks && <ProvisionalPanel key={data.digest} deck={data} onSettled={() => setSettled(data.digest)} />}
          <div hidden={!quiet}>
            <DeckList deck={data} kinds={kinds} sending={sending} growing={reading > 0 || Boolean(sending)} />
            {more && <AddPhotos deck={real ?? id} more />}
          </div>
        </div>
        {(!open || asks) && photos}
      </div>
      {quiet && !ending && handIn}
      {quiet && !open && data.state !== "handed-in" && !me.receipt && (
        <p class="caption center">{texts.problems["list-confirmed"].detail}</p>
      )}
      {quiet && data.state !== "handed-in" && <DeleteDeck deck={real ?? id} local={!real} />}
      {acts && <DeckBar deck={data} items={items} reading={reading} waits={uploads.length} onLook={refetch} />}
      {asking && acts && <HandInDialog deck={data.id} list={data} onClose={() => setAsking(false)} />}
    </View>
  );
}

// Return true if everything in a deck's photos was read.
const isComplete = (deck: DeckModel) => deck.total > 0 && !deck.pending && !deck.other_label && !unreadPlaces(deck);

// Return true once the outbox is loaded.
function useOutboxStarted() {
  const [started, setStarted] = useState(false);
  useEffect(() => {
    outbox.start().then(() => setStarted(true));
  }, []);
  return started;
}

// `growing` is true while photos are on their way or are being read.
function titleOf(deck: DeckModel, growing: boolean) {
  if (deck.total) return texts.cards.total({ count: deck.total });
  return deck.photos.length && !growing ? texts.decks.draft : texts.deck.empty;
}

// Provisional scores were switched off while this deck was open.
function ScoresOff() {
  return (
    <View title={texts.deck.empty} name="deck-off">
      <Notice problem={new Problem("off")} />
      <p>
        <Link href="/">{texts.deck.back}</Link>
      </p>
    </View>
  );
}

function Missing({ items, onLook }: { items: OutboxItem[]; onLook: () => void }) {
  return (
    <View title={texts.deck.gone} name="deck-gone">
      <p>{texts.deck.goneDetail}</p>
      <RejectedItems items={items} onLook={onLook} />
      <p>
        <Link href="/">{texts.deck.back}</Link>
      </p>
    </View>
  );
}

// The deck's cards by kind, for the player to confirm.
type Kinds = Map<string, CardKind>;

type DeckListProps = { deck: DeckModel; kinds: Kinds; sending: Progress | null; growing: boolean };

function DeckList({ deck, kinds, sending, growing }: DeckListProps) {
  const { me } = usePlayerState();
  const cards = Object.fromEntries(deck.kinds.map(({ kind, count }) => [kind, count]));
  const words = texts.deck;
  return (
    <div class={growing ? "list-busy" : ""} aria-busy={growing}>
      {deck.total > 0 && <CardList cards={cards} kinds={kinds} />}
      {deck.confirmed && (
        <p class="list-note soft">{words.confirmed({ time: formatDateTime(deck.confirmed, me.game.timezone) })}</p>
      )}
      {deck.confirmed && deck.counted !== null && deck.counted !== deck.total + deck.dead && (
        <p class="list-note soft">{words.counted({ count: deck.counted })}</p>
      )}
      {deck.dead > 0 && <p class="list-note soft">{texts.picture.dead({ count: deck.dead })}</p>}
      {sending && sending.count > 1 && <p class="list-note soft">{words.sending(sending)}</p>}
    </div>
  );
}

// The photos of a deck, on the server first, then those on their way, or the ways to add the first one.
type DeckPhotosProps = {
  deck: DeckModel;
  id: string;
  kinds: Kinds;
  items: OutboxItem[];
  sent: Record<string, string>;
  onChange: () => void;
};

function DeckPhotos({ deck, id, kinds, items, sent, onChange }: DeckPhotosProps) {
  const { me } = usePlayerState();
  const open = deck.state === "open" && ["open", "closed"].includes(me.game.state) && !me.receipt;
  const uploads = items.filter(({ kind, state }) => kind === "picture" && state !== "refused");
  return (
    <>
      {deck.photos.map((photo, at) => (
        <DeckPhoto
          key={photo.id}
          number={at + 1}
          photo={photo}
          deck={id}
          kinds={kinds}
          item={sent[photo.id]}
          open={open}
          onChange={onChange}
        />
      ))}
      {uploads.map((item, at) => (
        <PendingPhoto key={item.id} number={deck.photos.length + at + 1} item={item} />
      ))}
      {open && !(deck.photos.length || uploads.length) && (
        <>
          <p class="lead">{texts.deck.first}</p>
          <AddPhotos deck={id} first />
        </>
      )}
    </>
  );
}

// Return how many photos of a deck are being uploaded, and how much is done, null if none is. `arrived` are the ids of photos
// on the server: they count until all are there, so that the percentage only grows.
type Progress = { count: number; percent: number };

function useUploadProgress(uploads: OutboxItem[], arrived: string[]): Progress | null {
  const seen = useRef(new Set<string>());
  if (!uploads.length) seen.current.clear();
  for (const { id } of uploads) seen.current.add(id);
  const stuck = useStalled(uploads);
  if (!uploads.length || stuck) return null;
  const there = arrived.filter((id) => seen.current.has(id)).length;
  const count = there + uploads.length;
  const share = uploads.reduce((sum, { progress }) => sum + progress, there) / count;
  return { count, percent: Math.round(share * 100) };
}

// A button to delete a deck with its photos and queued items; `local` if the server does not know it yet.
function DeleteDeck({ deck, local }: { deck: string; local: boolean }) {
  const { player, refetch } = usePlayerState();
  const [asking, setAsking] = useState(false);
  const words = texts.deck;
  const onDelete = async () => {
    if (!local) await deleteDeck(player.token, deck);
    await outbox.dropDeck({ token: player.token, deck });
    if (!local) await refetch();
    navigate("/");
  };
  return (
    <>
      <p class="center above">
        <button type="button" class="plain" onClick={() => setAsking(true)}>
          {words.drop}
        </button>
      </p>
      {asking && (
        <DeleteDialog title={words.drop} detail={words.dropDetail} onDelete={onDelete} onClose={() => setAsking(false)} />
      )}
    </>
  );
}
