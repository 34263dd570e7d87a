// The players' page: header, state of the outbox, shared photos, and the choice of a screen.

import { useEffect, useState } from "preact/hooks";
import { formatDateTime, formatList, loadTexts, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { Announcements, announce, Notice, Skeleton } from "../shared/notices";
import { Link, useRoute } from "../shared/router";
import { sharedStatus } from "./deck/photo-upload";
import { forgetFormerToken, rememberGameName, type StoredEnvelope, storedEnvelopes, watchEnvelopes } from "./envelopes";
import { Home } from "./home";
import { Offers } from "./install";
import { lazy } from "./lazy";
import { type OutboxItem, outbox } from "./offline/outbox";
import {
  type Me,
  PlayerStateProvider,
  useFetchedPlayerState,
  useLoadingPlayerState,
  useOffline,
  useOutbox,
  useStalled,
} from "./player-state";

const Welcome = lazy(() => import("./welcome").then(({ Welcome }) => Welcome));
const NoEnvelope = lazy(() => import("./no-envelope").then(({ NoEnvelope }) => NoEnvelope));
const InvalidLink = lazy(() => import("./no-envelope").then(({ InvalidLink }) => InvalidLink));
const Deck = lazy(() => Promise.all([import("./deck/deck"), loadTexts("deck")]).then(([{ Deck }]) => Deck));
const Result = lazy(() => Promise.all([import("./result"), loadTexts("deck", "result")]).then(([{ Result }]) => Result));

// The players' page: the active envelope's screens, or how to open an envelope.
export function App() {
  const [all, setAll] = useState(storedEnvelopes);
  useEffect(() => watchEnvelopes(() => setAll(storedEnvelopes())), []);
  const [player] = all;
  useEffect(() => void (!player && announceSharedFiles()), [player]);
  return (
    <>
      {player ? (
        <Player key={player.token} player={player} others={all.slice(1)} />
      ) : (
        <>
          <Header />
          <main>
            <NoEnvelope />
          </main>
        </>
      )}
      <SharedFilesLost />
      <Announcements />
    </>
  );
}

type Envelopes = { player: StoredEnvelope; others: StoredEnvelope[] };

function Player({ player, others }: Envelopes) {
  const state = useFetchedPlayerState(player);
  const { me, problem } = state;
  useEffect(() => {
    if (me) rememberGameName(player.id, me.game.name);
  }, [me?.game.name]);
  useEffect(() => {
    if (player.former)
      outbox.move(player.former, player.token).then(
        () => forgetFormerToken(player.id),
        () => {},
      );
  }, [player.former]);
  const [section] = useRoute();
  const invalid = problem?.slug === "bad-token" || problem?.slug === "not-found";
  return (
    <PlayerStateProvider value={state}>
      <Header player={player} others={others} />
      <main>
        <OutboxStatus />
        {invalid && <InvalidLink player={player} others={others} />}
        {!invalid && (me || !problem) && <Screens me={me} />}
        {!invalid && !me && problem && <Notice problem={problem} onRetry={state.refetch} />}
        {me?.envelope.joined && <SharedFiles player={player} me={me} />}
        <Offers quiet={Boolean(me?.envelope.joined) && section !== "p"} />
      </main>
    </PlayerStateProvider>
  );
}

// Screens with paths of their own are loaded, with their data, in parallel to `me`, since on a slow network each round trip
// costs half a second. They are shown once `me` is there.
function Screens({ me }: { me: Me | null }) {
  const [section, screen, id] = useRoute();
  if (me && !me.envelope.joined) return <Welcome />;
  if (section === "p" && screen === "deck" && id) return <Deck key={id} id={id} />;
  if (section === "p" && screen === "result") return <Result />;
  return me ? <Home /> : <Skeleton rows={4} />;
}

const Menu = lazy(() => import("./menu").then(({ Menu }) => Menu), { small: true });

// The header of every screen: game, envelope, and menu.
function Header({ player, others = [] }: Partial<Envelopes>) {
  const [open, setOpen] = useState(false);
  return (
    <header class="masthead">
      <div class="masthead-inner">
        <Link class="brand" href="/">
          <span class="over">{texts.brand}</span>
          <span class="display">{player?.name ?? texts.tagline}</span>
        </Link>
        <div class="row fixed">
          {player && (
            <p class="chip envelope">
              <span class="envelope-word">{texts.envelope({ number: player.envelope })}</span>
              <span class="envelope-short" aria-hidden="true">
                {player.envelope}
              </span>
            </p>
          )}
          <button type="button" class="icon-button" aria-label={texts.menu.title} onClick={() => setOpen(true)}>
            <Icon name="menu" />
          </button>
        </div>
      </div>
      {open && <Menu player={player} others={others} onClose={() => setOpen(false)} />}
    </header>
  );
}

// The state of network and outbox, on every screen. Empty if all is well.
function OutboxStatus() {
  const { player, me } = useLoadingPlayerState();
  const offline = useOffline();
  const waiting = useOutbox(player.token).filter((item) => item.state !== "refused");
  const stuck = useStalled(waiting);
  const count = (kind: OutboxItem["kind"]) => waiting.filter((item) => item.kind === kind).length;
  const { pictures, confirms, handIn } = texts.waiting;
  const says = offline || stuck ? texts.waiting.later : texts.waiting.now;
  const things = [
    count("picture") && pictures({ count: count("picture") }),
    count("confirm") && confirms({ count: count("confirm") }),
    count("hand-in") && handIn,
  ].filter(Boolean);
  const words = [
    offline && texts.waiting.offline,
    me?.asOf && texts.outbox.asOf({ time: formatDateTime(me.asOf) }),
    things.length > 0 && says({ things: formatList(things) }),
  ];
  const said = words.filter(Boolean).join(" ");
  return (
    <p class={`row dashed bar-top outbox-status ${said ? "" : "visually-hidden"}`} role="status">
      {said && (
        <>
          <Icon name={offline ? "offline" : "send"} />
          <span>{said}</span>
        </>
      )}
    </p>
  );
}

const SHARED_CACHE = "haggle-shared"; // the service worker uses the same name

const SharedFilesDialog = lazy(() => import("./shared-files").then(({ SharedFilesDialog }) => SharedFilesDialog), {
  small: true,
});
const MessageDialog = lazy(() => import("./shared-files").then(({ MessageDialog }) => MessageDialog), { small: true });

// Photos that were shared with the app, once envelope and decks are known.
function SharedFiles({ player, me }: { player: StoredEnvelope; me: Me }) {
  const [waiting, setWaiting] = useState(false);
  useEffect(() => {
    if ("caches" in window)
      caches
        .has(SHARED_CACHE)
        .then(setWaiting)
        .catch(() => {});
  }, []);
  return waiting && <SharedFilesDialog player={player} me={me} onDone={() => setWaiting(false)} />;
}

// A message that no shared photo could be stored.
function SharedFilesLost() {
  const [lost, setLost] = useState(sharedStatus === "lost");
  return lost && <MessageDialog {...texts.outbox.sharedLost} onClose={() => setLost(false)} />;
}

// Say that shared photos wait until there is an envelope.
function announceSharedFiles() {
  if (sharedStatus === "yes") announce(texts.outbox.sharedLater);
}
