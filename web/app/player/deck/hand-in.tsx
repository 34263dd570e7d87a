// The confirmation of a deck's list and the hand-in.

import type { TargetedEvent, TargetedPointerEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog";
import { serverNow, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice } from "../../shared/notices";
import { PhotoInput } from "../../shared/photo-input";
import { navigate } from "../../shared/router";
import { type OutboxItem, outbox } from "../offline/outbox";
import { type Deck, hasHandIn, type Me, useOutbox, usePlayerState } from "../player-state";
import { useAddPhotos } from "./photo-upload";
import "../../../style/deck.css";

const isRejectedStep = ({ kind, state }: OutboxItem) => kind !== "picture" && state === "refused";

// The bar at the bottom of a deck: to add a photo or to confirm the list, or why that must wait; and what the server rejected.
// `waits` is the number of photos that are not on the server yet.
type ConfirmListProps = { deck: Deck; items: OutboxItem[]; reading: number; waits: number };

export function DeckBar({ deck, items, reading, waits, onLook }: ConfirmListProps & { onLook: () => void }) {
  if (items.some(isRejectedStep))
    return (
      <div class="bar-bottom deck-bar">
        <RejectedItems items={items.filter(isRejectedStep)} onLook={onLook} />
      </div>
    );
  if (deck.state !== "open" || !(deck.photos.length || items.length)) return null;
  return <ConfirmList deck={deck} items={items} reading={reading} waits={waits} />;
}

function ConfirmList({ deck, items, reading, waits }: ConfirmListProps) {
  const { add, problem } = useAddPhotos(deck.id);
  const { all, counted, count, differs, confirm } = useConfirmation(deck);
  const words = texts.deck;
  const onYes = () => {
    confirm();
    // The button goes, and with it the focus: keyboards and screen readers go on from the top.
    document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  };
  const sent = items.find(({ kind, state }) => kind === "confirm" && state !== "refused");
  const stop = sent
    ? words.confirming
    : waits || reading
      ? words.confirmReading({ ahead: waits ? 0 : deck.ahead })
      : deck.other_label
        ? texts.problems["other-label"].detail
        : deck.total
          ? null
          : deck.photos.length > 0 && words.confirmNothing;
  const [asking, setAsking] = useState(false);
  const other = !stop && differs;
  const unread = unreadPlaces(deck);
  const retake = other ? counted > all : unread > 0;
  // A button for each list, so that a late tap does not confirm the next one.
  const advice =
    stop ||
    (other
      ? words.differs({ counted: counted, found: all, more: counted > all })
      : retake
        ? texts.picture.found({ cards: all, doubts: unread })
        : words.confirmAsk({ count: all, dead: deck.dead }));
  return (
    <div class="bar-bottom deck-bar">
      {problem && <Notice problem={problem} small />}
      <div class="row between nowrap deck-ask">
        <p id="confirm-help" class="strong">
          {advice}
        </p>
        {deck.total > 0 && !stop && (
          <button type="button" class="plain" onClick={() => setAsking(true)}>
            {other ? words.recount : words.confirmNo}
          </button>
        )}
      </div>
      <div class="deck-answers">
        {!sent && (
          <PhotoInput
            icon="add"
            label={texts.take.more}
            text={texts.take.plus}
            capture="environment"
            secondary={deck.total > 0 && !retake}
            onChoose={(file) => add([file])}
          />
        )}
        {deck.total > 0 && (
          <button
            type="button"
            class={retake || other ? "action secondary" : "action"}
            key={deck.digest}
            disabled={Boolean(stop)}
            aria-describedby="confirm-help"
            onClick={onYes}
          >
            <Icon name="check" />
            {other ? words.confirmAnyway({ count: all }) : words.confirm({ count: all })}
          </button>
        )}
      </div>
      {asking && (
        <CountDialog found={all} counted={differs ? counted : undefined} onCount={count} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}

// Return the number of places that the newest photo shows but that were not read. Earlier ones may be read by now.
export const unreadPlaces = ({ photos }: Deck) => photos.filter(({ state }) => state === "done").at(-1)?.doubts.length ?? 0;

// The cards in a deck's photos, including dead ones; the number that the player counted, and the yes to the list.
function useConfirmation(deck: Deck) {
  const { player } = usePlayerState();
  const [counted, count] = useCounted(deck.id);
  const all = deck.total + deck.dead;
  const differs = counted !== null && counted !== all;
  const confirm = () =>
    outbox.confirm({ token: player.token, deck: deck.id, digest: deck.digest ?? "", counted: counted ?? all });
  return { all, counted: counted ?? all, count, differs, confirm };
}

// Ask how many cards the player holds.
type CountDialogProps = {
  found: number;
  counted: number | undefined;
  onCount: (number: number) => void;
  onClose: () => void;
};

function CountDialog({ found, counted, onCount, onClose }: CountDialogProps) {
  const words = texts.deck;
  const send = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    onCount(Number(new FormData(event.currentTarget).get("counted")));
    onClose();
  };
  return (
    <Dialog title={words.countTitle} onClose={onClose}>
      <form onSubmit={send}>
        <label>
          {words.countLabel({ found })}
          <input
            name="counted"
            type="number"
            inputmode="numeric"
            min="1"
            max="1000"
            step="1"
            required
            autofocus
            defaultValue={counted ?? ""}
          />
        </label>
        <button class="action wide">{words.countKeep}</button>
      </form>
    </Dialog>
  );
}

// The number of cards that the player counted, null at first; kept until the list is confirmed, even if the camera app has
// pushed this page out of the phone's memory.
function useCounted(deck: string): [counted: number | null, count: (number: number) => void] {
  const kept = `haggle-counted ${deck}`;
  const [counted, setCounted] = useState(() => Number(sessionStorage.getItem(kept)) || null);
  const count = (number: number) => {
    sessionStorage.setItem(kept, String(number));
    setCounted(number);
  };
  return [counted, count];
}

const ENDING = 10 * 60_000; // milliseconds before the end in which handing in is the next step
const ENDING_POLL_INTERVAL = 5000; // milliseconds

// Return true in the last minutes of a game, and after its end.
export function useEnding(game: Me["game"] | undefined): boolean {
  const [ending, setEnding] = useState(false);
  const { state, deadline } = game ?? {};
  useEffect(() => {
    const update = () =>
      setEnding(state === "closed" || Boolean(deadline && new Date(deadline).getTime() - serverNow() < ENDING));
    update();
    const timer = setInterval(update, ENDING_POLL_INTERVAL);
    return () => clearInterval(timer);
  }, [state, deadline]);
  return ending;
}

// The button that hands in a confirmed deck: the primary one in the last minutes.
type HandInProps = { items: OutboxItem[]; primary: boolean; onAsk: () => void };

export function HandIn({ items, primary, onAsk }: HandInProps) {
  const words = texts.deck;
  const sent = hasHandIn(items);
  return (
    <div class="deck-end">
      <button type="button" class={primary ? "action" : "action secondary"} disabled={sent} onClick={onAsk}>
        <Icon name="envelope" />
        {words.handIn}
      </button>
      <p class="caption">{sent ? texts.receipt.arrives : words.handInHelp}</p>
    </div>
  );
}

// The consequences of a hand-in, and the button for it, after the yes to the list. `list` is null without a list.
type HandInDialogProps = { deck: string; list: Deck | null; onClose: () => void };

export function HandInDialog({ deck, list, onClose }: HandInDialogProps) {
  const { player, me } = usePlayerState();
  const [item, setItem] = useState<string | null>(null);
  const words = texts.handIn;
  // `useReceipt` goes on from here. Until then nothing more is asked.
  const items = useOutbox(player.token, ({ sent }) => void (sent?.kind === "hand-in" && onClose()));
  const now = items.find(({ id }) => id === item);
  const yes = items.find((one) => one.deck === deck && one.kind === "confirm");
  const handIn = async () => {
    const begun = await outbox.handIn({ token: player.token, deck });
    setItem(begun.id);
    if (!navigator.onLine) {
      onClose();
      navigate("/");
    }
  };
  const close = () => {
    if (now?.state === "refused") outbox.drop(now.id);
    onClose();
  };
  const unconfirmed = list?.state === "open" && (!yes || yes.state === "refused");
  const facts = [
    list ? texts.cards.total({ count: list.total }) : texts.receipt.noList,
    words.back,
    words.envelope,
    me.game.state === "closed" && texts.receipt.late,
    !navigator.onLine && texts.receipt.arrives,
  ].filter(Boolean);
  return (
    <Dialog title={words.title} onClose={close}>
      {unconfirmed ? (
        <ConfirmFirst list={list} refused={yes} />
      ) : (
        <>
          <ul class="bullets">
            {facts.map((fact) => (
              <li>{fact}</li>
            ))}
          </ul>
          {now?.problem && <Notice problem={now.problem} small />}
          {now && now.state !== "refused" ? (
            <p class="strong center" role="status">
              {words.sending}
            </p>
          ) : (
            <HoldButton label={words.hold} second={words.again} help={words.holdHelp} onDone={handIn} />
          )}
        </>
      )}
      <button type="button" class="plain wide" onClick={close}>
        {texts.cancel}
      </button>
    </Dialog>
  );
}

// The first step of a hand-in: the yes to the list, unless the player has given it before.
type ConfirmFirstProps = { list: Deck; refused: OutboxItem | undefined };

function ConfirmFirst({ list, refused }: ConfirmFirstProps) {
  const { all, counted, differs, confirm } = useConfirmation(list);
  const words = texts.deck;
  const onYes = async () => {
    if (refused) await outbox.drop(refused.id);
    await confirm();
  };
  return (
    <>
      {refused?.problem && <Notice problem={refused.problem} small />}
      <p>
        {differs
          ? words.differs({ counted: counted, found: all, more: counted > all })
          : words.confirmAsk({ count: all, dead: list.dead })}
      </p>
      <button type="button" class="action wide" key={list.digest} onClick={onYes}>
        <Icon name="check" />
        {differs ? words.confirmAnyway({ count: all }) : words.confirm({ count: all })}
      </button>
    </>
  );
}

const HOLD_TIME = 1200; // milliseconds to hold the button
const TAP_INTERVAL = 600; // milliseconds between two deliberate taps

// A button for what cannot be undone: it must be held. Keyboards and screen readers press it twice instead.
type HoldButtonProps = { label: string; second: string; help: string; onDone: () => void };

function HoldButton({ label, second, help, onDone }: HoldButtonProps) {
  const [share, setShare] = useState(0);
  const [armed, setArmed] = useState(0);
  const timer = useRef(0);
  const held = useRef(false);
  useEffect(() => () => cancelAnimationFrame(timer.current), []);

  const begin = (event: TargetedPointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = true;
    const from = performance.now();
    const grow = (at: number) => {
      const now = Math.min(1, (at - from) / HOLD_TIME);
      setShare(now);
      if (now < 1) timer.current = requestAnimationFrame(grow);
      else end(true);
    };
    timer.current = requestAnimationFrame(grow);
  };
  const end = (done: boolean) => {
    cancelAnimationFrame(timer.current);
    setShare(0);
    if (done) {
      held.current = false;
      navigator.vibrate?.(60);
      onDone();
    }
  };
  const cancel = () => {
    held.current = false;
    end(false);
  };
  const press = () => {
    // A touch or a click has called begin() before; keys have not.
    const finger = held.current;
    held.current = false;
    if (!armed) setArmed(performance.now());
    else if (!finger || performance.now() - armed > TAP_INTERVAL) onDone();
  };
  return (
    <>
      <button
        type="button"
        class="action wide hold"
        style={{ "--share": share }}
        aria-describedby="hold-help"
        onPointerDown={begin}
        onPointerUp={() => end(false)}
        onPointerCancel={cancel}
        onContextMenu={(event) => event.preventDefault()}
        onClick={press}
      >
        {armed ? second : label}
      </button>
      <p id="hold-help" class="caption">
        {!armed && help}
      </p>
      <p class="visually-hidden" role="status">
        {armed ? second : ""}
      </p>
    </>
  );
}

// The hand-in without a list, for games without photos of players.
export function HandInOnly() {
  const [deck, setDeck] = useState<string | null>(null);
  return (
    <section>
      <button type="button" class="action wide" onClick={() => setDeck(outbox.newDeck())}>
        {texts.handIn.only}
      </button>
      {deck && <HandInDialog deck={deck} list={null} onClose={() => setDeck(null)} />}
    </section>
  );
}

// Problems that sending the same file again cannot solve.
const FILE_PROBLEMS = ["not-a-picture", "too-many-bytes", "too-many-pixels", "several-pages", "truncated", "empty"];

// Items that the server rejected, with what to do.
export function RejectedItems({ items, onLook }: { items: OutboxItem[]; onLook: () => void }) {
  const drop = (item: OutboxItem) => {
    outbox.drop(item.id);
    onLook();
  };
  return items.map(
    (item) =>
      item.problem && (
        <Notice key={item.id} problem={item.problem}>
          <div class="pair">
            {item.kind === "confirm" ? (
              <button type="button" onClick={() => drop(item)}>
                {texts.deck.dropItem.confirm}
              </button>
            ) : (
              <>
                <button type="button" class={hopeless(item) ? "" : "secondary"} onClick={() => drop(item)}>
                  {texts.deck.dropItem[item.kind]}
                </button>
                <button type="button" class={hopeless(item) ? "secondary" : ""} onClick={() => outbox.retry(item.id)}>
                  {texts.again}
                </button>
              </>
            )}
          </div>
        </Notice>
      ),
  );
}

const hopeless = ({ problem }: OutboxItem) => FILE_PROBLEMS.includes(problem?.slug ?? "");
