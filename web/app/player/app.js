import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { clockTime, speak, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Notice, Said, Skeleton, say } from "../shared/notices.js";
import { Link, useRoute } from "../shared/router.js";
import { remember, seats, settle, watchSeats } from "./envelopes.js";
import { Home } from "./home.js";
import { Offers } from "./install.js";
import { lazy } from "./lazy.js";
import { outbox } from "./offline/offline-queue.js";
import { shared } from "./photo-upload.js";
import { PlaceProvider, useMyPlace, useOffline, useOutbox, usePlace, useStuck } from "./player-state.js";

const Welcome = lazy(() => import("./welcome.js").then(({ Welcome }) => Welcome));
const NoEnvelope = lazy(() => import("./no-envelope.js").then(({ NoEnvelope }) => NoEnvelope));
const Gone = lazy(() => import("./no-envelope.js").then(({ Gone }) => Gone));
const Deck = lazy(() => Promise.all([import("./deck.js"), speak("deck")]).then(([{ Deck }]) => Deck));
const Result = lazy(() => Promise.all([import("./result.js"), speak("deck", "result")]).then(([{ Result }]) => Result));

// The players' page: whose envelope it is, then what that player can do now.
export function App() {
  const [all, setAll] = useState(seats);
  useEffect(() => watchSeats(() => setAll(seats())), []);
  const [seat] = all;
  useEffect(() => void (!seat && sharedLater()), [seat]);
  return html`${seat ? html`<${Player} key=${seat.token} seat=${seat} others=${all.slice(1)} />` : html`<${Header} /><main><${NoEnvelope} /></main>`}
    <${SharedLost} />
    <${Said} />`;
}

function Player({ seat, others }) {
  const place = useMyPlace(seat);
  const { me, problem } = place;
  useEffect(() => me && remember(seat.id, me.game.name), [me?.game.name]);
  useEffect(() => {
    if (seat.former) outbox.move(seat.former, seat.token).then(() => settle(seat.id), () => {});
  }, [seat.former]);
  const [section] = useRoute();
  const gone = problem?.slug === "bad-token" || problem?.slug === "not-found";
  return html`<${PlaceProvider} value=${place}>
    <${Header} seat=${seat} others=${others} />
    <main>
      <${Waiting} />
      ${gone && html`<${Gone} seat=${seat} others=${others} problem=${problem} />`}
      ${!gone && (me || !problem) && html`<${Screens} me=${me} />`}
      ${!gone && !me && problem && html`<${Notice} problem=${problem} onAgain=${place.again} />`}
      ${me?.envelope.joined && html`<${Shared} seat=${seat} me=${me} />`}
      <${Offers} quiet=${Boolean(me?.envelope.joined) && section !== "p"} />
    </main>
  <//>`;
}

// Screens with addresses of their own begin before it is known whose place it is, and ask for what is theirs beside it: on a
// slow network a question that waits for the answer to another one costs half a second. They show it once `me` is there.
function Screens({ me }) {
  const [section, screen, id] = useRoute();
  if (me && !me.envelope.joined) return html`<${Welcome} />`;
  if (section === "p" && screen === "deck" && id) return html`<${Deck} key=${id} id=${id} />`;
  if (section === "p" && screen === "result") return html`<${Result} />`;
  return me ? html`<${Home} />` : html`<${Skeleton} rows=${4} />`;
}

const Menu = lazy(() => import("./menu.js").then(({ Menu }) => Menu), { small: true });

// Above every screen: the game, whose envelope it is, and what is seldom needed.
function Header({ seat, others = [] }) {
  const [open, setOpen] = useState(false);
  return html`<header class="masthead">
    <div class="masthead-inner">
      <${Link} class="brand" href="/">
        <span class="brand-name">${texts.brand}</span>
        <span class="brand-edition brand-game">${seat?.name ?? texts.tagline}</span>
      <//>
      <div class="masthead-side">
        ${seat && html`<p class="envelope"><span class="envelope-word">${texts.envelope(seat.envelope)}</span><span class="envelope-short" aria-hidden="true">${seat.envelope}</span></p>`}
        <button type="button" class="bare" aria-label=${texts.menu.open} onClick=${() => setOpen(true)}><${Icon} name="menu" /></button>
      </div>
    </div>
    ${open && html`<${Menu} seat=${seat} others=${others} onClose=${() => setOpen(false)} />`}
  </header>`;
}

// In words, on every screen: whether there is network, and what waits for it. Nothing where all is well.
function Waiting() {
  const { seat, me } = usePlace();
  const offline = useOffline();
  const waiting = useOutbox(seat.token).filter((item) => item.state !== "refused");
  const stuck = useStuck(waiting);
  const count = (kind) => waiting.filter((item) => item.kind === kind).length;
  const { pictures, confirms, handIn } = offline || stuck ? texts.waiting : texts.waiting.sending;
  const says = offline ? texts.waiting.later : stuck ? texts.waiting.putOff : texts.waiting.now;
  const things = [
    count("picture") && pictures(count("picture")),
    count("confirm") && confirms(count("confirm")),
    count("hand-in") && handIn,
  ].filter(Boolean);
  const words = [
    offline && texts.waiting.offline,
    me?.asOf && texts.outbox.asOf(clockTime(me.asOf)),
    things.length > 0 && says(things.join(", ")),
  ];
  const said = words.filter(Boolean).join(" ");
  return html`<p class=${said ? `waiting ${offline ? "waiting-offline" : ""}` : "waiting unseen"} role="status">
    ${said && html`<${Icon} name=${offline ? "offline" : "send"} /><span>${said}</span>`}
  </p>`;
}

const SHARED = "haggle-shared"; // the service worker has the same name

const AskShared = lazy(() => import("./shared-files.js").then(({ AskShared }) => AskShared), { small: true });
const Told = lazy(() => import("./shared-files.js").then(({ Told }) => Told), { small: true });

// Pictures that were shared with the app, once it is known whose envelope this is and which decks there are.
function Shared({ seat, me }) {
  const [waiting, setWaiting] = useState(false);
  useEffect(() => {
    if ("caches" in window) caches.has(SHARED).then(setWaiting).catch(() => {});
  }, []);
  return waiting && html`<${AskShared} seat=${seat} me=${me} onDone=${() => setWaiting(false)} />`;
}

// Nothing of what was shared could be kept, whosever envelope this is.
function SharedLost() {
  const [lost, setLost] = useState(shared === "lost");
  return lost && html`<${Told} ...${texts.outbox.sharedLost} onClose=${() => setLost(false)} />`;
}

// Without an envelope a shared picture waits.
function sharedLater() {
  if (shared === "yes") say(texts.outbox.sharedLater);
}
