import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../shared/ask.js";
import { useFetched } from "../shared/fetched.js";
import { Notice, Skeleton } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { texts } from "../shared/texts.js";
import { LiveProvider, useEvents, useOn } from "./live.js";

// The parts of a game's desk, each in a module that is loaded when it is opened. Each gets { game, again }: the game as
// the server describes it, kept fresh, and how to fetch it anew after a change of one's own.
const TABS = {
  overview: () => import("./games/overview.js"),
  print: () => import("./print/print.js"),
  envelopes: () => import("./envelopes/envelopes.js"),
  pictures: () => import("./pictures/pictures.js"),
  queue: () => import("./queue/queue.js"),
  results: () => import("./results/results.js"),
  audit: () => import("./results/audit.js"),
};

export function Game({ id, tab }) {
  const live = useEvents(id);
  return html`<${LiveProvider} value=${live}><${Desk} id=${id} tab=${tab in TABS ? tab : "overview"} /><//>`;
}

function Desk({ id, tab }) {
  const { data: game, problem, again } = useFetched((signal) => ask(`/api/v1/games/${id}`, { signal }), id);
  const [part, setPart] = useState(null);
  const [broken, setBroken] = useState(null);
  useOn(["game", "envelopes", "photos", "queue", "results"], again);
  useEffect(() => {
    let current = true;
    TABS[tab]().then(
      ({ default: component }) => current && setPart({ tab, component }),
      () => current && setBroken(texts.problems.network),
    );
    return () => {
      current = false;
    };
  }, [tab]);

  if (problem && !game) return html`<${Notice} problem=${problem} onAgain=${again} />`;
  if (!game) return html`<${Skeleton} rows=${5} />`;
  return html`<nav class="tabs" aria-label=${game.name}>
      ${Object.keys(TABS).map(
        (name) => html`<${Link} href=${`/desk/games/${id}/${name}`} aria-current=${name === tab ? "page" : undefined}>${texts.desk.tabs[name]}<//>`,
      )}
    </nav>
    ${broken && html`<${Notice} problem=${broken} onAgain=${() => location.reload()} />`}
    ${part?.tab === tab ? html`<${part.component} game=${game} again=${again} />` : html`<${Skeleton} rows=${4} />`}`;
}
