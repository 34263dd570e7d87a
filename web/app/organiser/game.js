import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { ask } from "../shared/http.js";
import { setClock, speak, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Notice, Skeleton } from "../shared/notices.js";
import { Link, go } from "../shared/router.js";
import { GameBar } from "./game-bar.js";
import { useDeskKeys, useHelp } from "./keyboard.js";
import { Part } from "./layout.js";
import { LiveProvider, useCounts, useEvents, useSteady } from "./live.js";

// The parts of a game's desk, each with the key after g that opens it, its icon, and how it is loaded: the module first,
// then its words. Each gets { game, again, counts }: the game as the server describes it, kept fresh, how to fetch it anew
// after a change of one's own, and the numbers on the tabs.
const TABS = {
  overview: { key: "o", icon: "list", load: () => Promise.all([import("./games/overview.js"), speak("games")]).then(([{ Overview }]) => Overview) },
  print: { key: "p", icon: "print", load: () => Promise.all([import("./print/print.js"), speak("print")]).then(([{ Print }]) => Print) },
  envelopes: { key: "e", icon: "envelope", load: () => Promise.all([import("./envelopes/envelopes.js"), speak("envelopes")]).then(([{ Envelopes }]) => Envelopes) },
  pictures: { key: "i", icon: "picture", load: () => import("./photos/photos.js").then(({ Photos }) => Photos) },
  queue: { key: "d", icon: "question", load: () => import("./review/review.js").then(({ Review }) => Review) },
  results: { key: "r", icon: "trophy", load: () => Promise.all([import("./results/results.js"), speak("games", "results")]).then(([{ Results }]) => Results) },
  audit: { key: "l", icon: "clock", load: () => Promise.all([import("./audit.js"), speak("results")]).then(([{ Audit }]) => Audit) },
  settings: { key: "s", icon: "gear", load: () => Promise.all([import("./games/game-form.js"), speak("games")]).then(([{ EditGame }]) => EditGame) },
};

export function Game({ id, tab }) {
  const live = useEvents(id);
  return html`<${LiveProvider} value=${live}><${Desk} id=${id} tab=${tab in TABS ? tab : "overview"} /><//>`;
}

function Desk({ id, tab }) {
  const load = async (signal) => {
    const told = await ask(`/api/v1/games/${id}`, { signal });
    setClock(told.now);
    return told;
  };
  const { data: game, problem, again } = useSteady(load, id, ["game", "envelopes", "photos", "queue", "results"]);
  const counts = useCounts(id, game);
  const words = texts.desk;
  useDeskKeys(Object.fromEntries(Object.entries(TABS).map(([name, { key }]) => [`g ${key}`, () => go(`/desk/games/${id}/${name}`)])));
  useHelp(
    words.keys.tabs,
    Object.entries(TABS).map(([name, { key }]) => [`g ${key}`, words.tabs[name]]),
  );

  if (!game) return problem ? html`<${Notice} problem=${problem} onAgain=${again} />` : html`<${Skeleton} rows=${5} />`;
  return html`<${GameBar} game=${game} gone=${problem?.slug === "not-found"} />
    <${Tabs} game=${game} tab=${tab} counts=${counts} />
    <${Part} key=${tab} load=${TABS[tab].load} game=${game} again=${again} counts=${counts} />`;
}

function Tabs({ game, tab, counts }) {
  const strip = useRef(null);
  useEffect(() => {
    // On a narrow screen the row of tabs is wider than the screen; a page that is zoomed or turned becomes one.
    const show = () => {
      const current = strip.current.querySelector("[aria-current]");
      strip.current.scrollLeft = current.offsetLeft - (strip.current.clientWidth - current.offsetWidth) / 2;
    };
    show();
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [tab]);
  return html`<nav class="tabs" aria-label=${game.name} ref=${strip}>
    ${Object.entries(TABS).map(([name, { icon }]) => {
      const count = counts[name];
      return html`<${Link} key=${name} href=${`/desk/games/${game.id}/${name}`} aria-current=${name === tab ? "page" : undefined}>
        <${Icon} name=${icon} /><span>${texts.desk.tabs[name]}</span>
        ${count > 0 && html`<b class="tab-count" title=${texts.desk.counts[name](count)}>${count}<span class="unseen"> ${texts.desk.counts[name](count)}</span></b>`}
      <//>`;
    })}
  </nav>`;
}
