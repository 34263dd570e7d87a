// The page of a game with its tabs.

import { useEffect, useRef } from "preact/hooks";
import { request } from "../shared/http";
import { loadTexts, setServerTime, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { Notice, Skeleton } from "../shared/notices";
import { Link, navigate } from "../shared/router";
import { GameBar } from "./game-bar";
import { useShortcutHelp, useShortcuts } from "./keyboard";
import { LazyPart } from "./layout";
import { LiveProvider, useCounts, useEvents, useLiveData } from "./live";

// The tabs of a game, each with the key after g that opens it, its icon, and a function that loads its component and texts.
// Each component gets { game, refetch, counts }: the game, kept up to date; a function to fetch it again after a change; and the
// numbers on the tabs.
const TABS = {
  overview: {
    key: "o",
    icon: "list",
    load: () => Promise.all([import("./games/overview"), loadTexts("games")]).then(([{ Overview }]) => Overview),
  },
  print: {
    key: "p",
    icon: "print",
    load: () => Promise.all([import("./print/print"), loadTexts("print")]).then(([{ Print }]) => Print),
  },
  envelopes: {
    key: "e",
    icon: "envelope",
    load: () => Promise.all([import("./envelopes/envelopes"), loadTexts("envelopes")]).then(([{ Envelopes }]) => Envelopes),
  },
  pictures: { key: "i", icon: "picture", load: () => import("./photos/photos").then(({ Photos }) => Photos) },
  queue: { key: "d", icon: "question", load: () => import("./review/review").then(({ Review }) => Review) },
  results: {
    key: "r",
    icon: "trophy",
    load: () => Promise.all([import("./results/results"), loadTexts("games", "results")]).then(([{ Results }]) => Results),
  },
  audit: {
    key: "l",
    icon: "clock",
    load: () => Promise.all([import("./audit"), loadTexts("results")]).then(([{ Audit }]) => Audit),
  },
  settings: {
    key: "s",
    icon: "gear",
    load: () => Promise.all([import("./games/game-form"), loadTexts("games")]).then(([{ EditGame }]) => EditGame),
  },
};

export function Game({ id, tab }) {
  const live = useEvents(id);
  return (
    <LiveProvider value={live}>
      <GamePage id={id} tab={tab in TABS ? tab : "overview"} />
    </LiveProvider>
  );
}

function GamePage({ id, tab }) {
  const load = async (signal) => {
    const response = await request(`/api/v1/games/${id}`, { signal });
    setServerTime(response.now);
    return response;
  };
  const { data: game, problem, refetch } = useLiveData(load, id, ["game", "envelopes", "photos", "queue", "results"]);
  const counts = useCounts(id, game);
  const words = texts.desk;
  useShortcuts(
    Object.fromEntries(Object.entries(TABS).map(([name, { key }]) => [`g ${key}`, () => navigate(`/desk/games/${id}/${name}`)])),
  );
  useShortcutHelp(
    words.keys.tabs,
    Object.entries(TABS).map(([name, { key }]) => [`g ${key}`, words.tabs[name]]),
  );

  if (!game) return problem ? <Notice problem={problem} onRetry={refetch} /> : <Skeleton rows={5} />;
  return (
    <>
      <GameBar game={game} gone={problem?.slug === "not-found"} />
      <Tabs game={game} tab={tab} counts={counts} />
      <LazyPart key={tab} load={TABS[tab].load} game={game} refetch={refetch} counts={counts} />
    </>
  );
}

function Tabs({ game, tab, counts }) {
  const strip = useRef(null);
  useEffect(() => {
    // Scroll the current tab into view on narrow screens, also after zooming or turning the device.
    const show = () => {
      const current = strip.current.querySelector("[aria-current]");
      strip.current.scrollLeft = current.offsetLeft - (strip.current.clientWidth - current.offsetWidth) / 2;
    };
    show();
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [tab]);
  return (
    <nav class="tabs" aria-label={game.name} ref={strip}>
      {Object.entries(TABS).map(([name, { icon }]) => {
        const count = counts[name];
        return (
          <Link key={name} href={`/desk/games/${game.id}/${name}`} aria-current={name === tab ? "page" : undefined}>
            <Icon name={icon} />
            <span>{texts.desk.tabs[name]}</span>
            {count > 0 && (
              <b class="tab-count" title={texts.desk.counts[name](count)}>
                {count}
                <span class="visually-hidden"> {texts.desk.counts[name](count)}</span>
              </b>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
