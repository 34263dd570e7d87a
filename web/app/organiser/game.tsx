// The page of a game with its tabs.

import type { FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FullGameModel } from "../../api";
import { request } from "../shared/http";
import { loadTexts, setServerTime, texts } from "../shared/i18n";
import { Icon, type IconName } from "../shared/icon";
import { Notice, Skeleton } from "../shared/notices";
import { Link, navigate } from "../shared/router";
import { GameBar } from "./game-bar";
import { useShortcutHelp, useShortcuts } from "./keyboard";
import { LazyPart, UnknownAddress } from "./layout";
import { LiveProvider, type TabCounts, useCounts, useEvents, useLiveData } from "./live";

// The tabs of a game, each with the key after g that opens it, its icon, and a function that loads its component and texts.
// Each component gets { game, refetch, counts }: the game, kept up to date; a function to fetch it again after a change; and the
// numbers on the tabs.
type TabProps = { game: FullGameModel; refetch: () => Promise<void> | undefined; counts: TabCounts };
type TabName = keyof typeof texts.desk.tabs;
type Tab = { key: string; icon: IconName; load: () => Promise<FunctionComponent<TabProps>> };

const TABS: Record<TabName, Tab> = {
  overview: {
    key: "o",
    icon: "list",
    load: () => Promise.all([import("./games/overview"), loadTexts("games", "pictures")]).then(([{ Overview }]) => Overview),
  },
  print: {
    key: "p",
    icon: "print",
    load: () => Promise.all([import("./print/print"), loadTexts("print")]).then(([{ Print }]) => Print),
  },
  envelopes: {
    key: "e",
    icon: "envelope",
    load: () =>
      Promise.all([import("./envelopes/envelopes"), loadTexts("envelopes", "print")]).then(([{ Envelopes }]) => Envelopes),
  },
  pictures: { key: "i", icon: "picture", load: () => import("./photos/photos").then(({ Photos }) => Photos) },
  queue: { key: "d", icon: "question", load: () => import("./review/review").then(({ Review }) => Review) },
  results: {
    key: "r",
    icon: "trophy",
    load: () =>
      Promise.all([import("./results/results"), loadTexts("games", "pictures", "results")]).then(([{ Results }]) => Results),
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

const isTab = (name: string): name is TabName => name in TABS;
const allTabs = () => Object.entries(TABS) as [TabName, Tab][];

export function Game({ id, tab }: { id: string; tab: string }) {
  const live = useEvents(id);
  if (!isTab(tab)) return <UnknownAddress />;
  return (
    <LiveProvider value={live}>
      <GamePage id={id} tab={tab} />
    </LiveProvider>
  );
}

function GamePage({ id, tab }: { id: string; tab: TabName }) {
  const load = async (signal: AbortSignal) => {
    const response = await request<FullGameModel>(`/api/v1/games/${id}`, { signal });
    setServerTime(response.now);
    return response;
  };
  const { data: game, problem, refetch } = useLiveData(load, id, ["game", "envelopes", "photos", "queue", "results"]);
  const counts = useCounts(id, game);
  const words = texts.desk;
  useShortcuts(Object.fromEntries(allTabs().map(([name, { key }]) => [`g ${key}`, () => navigate(`/desk/games/${id}/${name}`)])));
  useShortcutHelp(
    words.keys.tabs,
    allTabs().map(([name, { key }]) => [`g ${key}`, words.tabs[name]]),
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

function Tabs({ game, tab, counts }: { game: FullGameModel; tab: TabName; counts: TabCounts }) {
  const strip = useRef<HTMLElement>(null);
  useEffect(() => {
    // Scroll the current tab into view on narrow screens, also after zooming or turning the device.
    const show = () => {
      const current = strip.current?.querySelector<HTMLElement>("[aria-current]");
      if (!strip.current || !current) return;
      strip.current.scrollLeft = current.offsetLeft - (strip.current.clientWidth - current.offsetWidth) / 2;
    };
    show();
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [tab]);
  return (
    <nav class="tabs" aria-label={game.name} ref={strip}>
      {allTabs().map(([name, { icon }]) => {
        const count = countOf(counts, name);
        const words: Record<string, (values: { count: number }) => string> = texts.desk.counts;
        return (
          <Link key={name} href={`/desk/games/${game.id}/${name}`} aria-current={name === tab ? "page" : undefined}>
            <Icon name={icon} />
            <span>{texts.desk.tabs[name]}</span>
            {count > 0 && (
              <b class="badge warm tab-count" title={words[name]?.({ count })}>
                {count}
                <span class="visually-hidden"> {words[name]?.({ count })}</span>
              </b>
            )}
          </Link>
        );
      })}
    </nav>
  );
}

const countOf = (counts: TabCounts, name: TabName): number =>
  name === "pictures" || name === "queue" || name === "envelopes" ? (counts[name] ?? 0) : 0;
