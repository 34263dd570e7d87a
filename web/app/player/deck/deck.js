import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Problem } from "../../shared/ask.js";
import { Icon } from "../../shared/icon.js";
import { kindsOf } from "../../shared/kinds.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { Link } from "../../shared/router.js";
import { View } from "../../shared/view.js";
import { texts } from "../../shared/texts.js";
import { readDeck } from "../calls.js";
import { withPicture } from "../outbox/arrived.js";
import { outbox } from "../outbox/outbox.js";
import { useOffline } from "../network.js";
import { useFresh, usePlace } from "../place.js";
import { useOutbox, useReceipt } from "../use-outbox.js";
import { Finish } from "./finish.js";
import { Drop } from "./drop.js";
import { List } from "./list.js";
import { Pictures } from "./pictures.js";
import { Provisional } from "./provisional.js";
import { Refused } from "./refused.js";
import { useSending } from "./sending.js";

const NOTHING = { state: "open", photos: [], kinds: [], total: 0, pending: 0, ahead: 0, dead: 0, digest: null };
const QUEUE = 10_000; // milliseconds between two looks at how many pictures of others come first

// One deck, from its first picture to the hand-in. `id` may be one that only this phone knows yet.
export function Deck({ id }) {
  const { seat, me } = usePlace();
  const real = outbox.deckOf(id);
  const { data, problem, again, put } = useFresh((token, signal) => (real ? readDeck(token, real, signal) : Promise.resolve(NOTHING)), real ?? id);
  const [sent, setSent] = useState({});
  const [settled, setSettled] = useState(false);
  const all = useOutbox(seat.token, (change) => {
    const arrived = change.sent;
    if (!arrived || arrived.deck !== outbox.deckOf(id)) return;
    // The picture that was sent goes on standing where it stood, now as the server's.
    if (arrived.kind === "picture") {
      setSent((before) => ({ ...before, [arrived.answer.id]: arrived.id }));
      put((before) => withPicture(before, arrived.answer, arrived.deck));
    }
    if (arrived.kind === "confirm") put(arrived.answer);
    else again();
  });
  useReceipt();
  const offline = useOffline();
  const ready = useStarted();
  const queued = Boolean(data?.ahead);
  useEffect(() => {
    // What others' pictures do is told to nobody else.
    const clock = queued && setInterval(again, QUEUE);
    return () => clearInterval(clock);
  }, [queued, again]);
  useEffect(() => {
    // The deck's own address, to come back to; the screen stays as it is.
    if (real && real !== id) history.replaceState(null, "", `/p/deck/${real}`);
  }, [real]);
  const items = all.filter(({ deck }) => deck === (real ?? id));
  const uploads = items.filter(({ kind, state }) => kind === "picture" && state !== "refused");
  const underway = useSending(uploads, Object.values(sent));
  const kinds = useMemo(() => kindsOf({ kinds: (data?.kinds ?? []).map((kind) => ({ ...kind, slug: kind.kind })) }), [data]);

  if (!me) return html`<${Skeleton} rows=${4} />`;
  if (me.provisional.mode === "off" && data?.state === "open") return html`<${Off} />`;
  if (problem?.slug === "not-found" || (ready && !real && !items.length)) return html`<${Missing} items=${items} onLook=${again} />`;
  if (!data) return problem ? html`<${Notice} problem=${problem} onAgain=${again} />` : html`<${Skeleton} />`;
  const sending = offline ? null : underway;
  const waits = sending ? 0 : uploads.length;
  const reading = data.pending;
  // What is sent or waits is said above, as on every screen.
  const told = reading ? texts.deck.reading(reading) : sending || waits ? "" : texts.deck.found(data.total);
  const open = data.state === "open";
  const asks = data.state === "confirmed" && me.game.state === "open" && !me.receipt && me.provisional.mode !== "off";
  // What stands below the score comes after it, so that nothing moves under a finger.
  const quiet = !asks || settled;
  return html`<${View} title=${titleOf(data, { sending, reading, waits })} name=${`deck deck-${data.state}`}>
    <p class="back"><${Link} href="/"><${Icon} name="back" />${texts.deck.back}<//></p>
    <p class="unseen" role="status">${told}</p>
    <${Refused} items=${items.filter(({ kind }) => kind === "picture")} onLook=${again} />
    ${data.state === "handed-in" && html`<p class="lead">${texts.deck.handedIn}</p>`}
    <div class="deck-columns">
      <div class="deck-pictures">
        <${Pictures} deck=${data} id=${real ?? id} kinds=${kinds} items=${items} sent=${sent} onChange=${again} />
      </div>
      <div class="deck-list">
        <${List} deck=${data} kinds=${kinds} sending=${sending} reading=${reading} waits=${waits} />
        <${Finish} deck=${data} items=${items} reading=${reading} waits=${uploads.length} onLook=${again} />
        ${asks && html`<${Provisional} deck=${data} onSettled=${() => setSettled(true)} />`}
        ${quiet && !open && data.state !== "handed-in" && !me.receipt && html`<p class="aside">${texts.deck.otherList}</p>`}
        ${quiet && data.state !== "handed-in" && html`<${Drop} deck=${real ?? id} local=${!real} />`}
      </div>
    </div>
  <//>`;
}

// Whether it is known what waits on this phone.
function useStarted() {
  const [started, setStarted] = useState(false);
  useEffect(() => {
    outbox.start().then(() => setStarted(true));
  }, []);
  return started;
}

function titleOf(deck, { sending, reading, waits }) {
  if (deck.total) return texts.deck.found(deck.total);
  if (sending) return texts.deck.sendingTitle;
  if (reading) return texts.deck.readingTitle;
  if (waits) return texts.deck.waitingTitle;
  return deck.photos.length ? texts.deck.nothing : texts.deck.empty;
}

// What phones tell of cards was switched off while this deck lay open.
function Off() {
  return html`<${View} title=${texts.deck.empty} name="deck-off">
    <${Notice} problem=${new Problem("off")} />
    <p><${Link} href="/">${texts.deck.back}<//></p>
  <//>`;
}

function Missing({ items, onLook }) {
  return html`<${View} title=${texts.deck.gone} name="deck-gone">
    <p>${texts.deck.goneDetail}</p>
    <${Refused} items=${items} onLook=${onLook} />
    <p><${Link} href="/">${texts.deck.back}<//></p>
  <//>`;
}
