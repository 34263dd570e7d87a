// The open points of a closed game.

import type { FullGameModel, OpenPointModel, VersionsModel } from "../../api";
import { request } from "../shared/http";
import { texts } from "../shared/i18n";
import { Link } from "../shared/router";
import { useLiveData } from "./live";

const OWN_KINDS = ["confirm", "pictures", "question", "missing", "unseen"] as const;
type Kind = (typeof OWN_KINDS)[number] | "doubts";
const LINKS: Partial<Record<Kind, string>> = {
  confirm: "settings",
  pictures: "pictures",
  missing: "pictures#missing",
  unseen: "queue?kind=unseen",
};

// The points to settle before a closed game can be counted, with links.
export function OpenPoints({ game }: { game: FullGameModel }) {
  const load = (signal: AbortSignal) => request<VersionsModel>(`/api/v1/games/${game.id}/results`, { signal });
  const { data } = useLiveData(load, `open ${game.id}`, ["game", "envelopes", "photos", "queue", "results"]);
  const words = texts.games.open;
  if (!data) return <p class="next-open">{words.looking}</p>;
  if (!data.open.length) return <p class="next-ready">{words.ready}</p>;
  return (
    <div class="next-open">
      <p>
        <b>{words.title(data.open.length)}</b>
      </p>
      <ul>
        {[...countByKind(data.open)].map(([what, count]) => (
          <li key={what}>
            <Link href={`/desk/games/${game.id}/${LINKS[what] ?? "queue"}`}>{words[what](count)}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

// Return the numbers of open points by kind; most kinds of the queue are doubts.
function countByKind(points: OpenPointModel[]): Map<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const { slug } of points) {
    const what = OWN_KINDS.find((kind) => kind === slug) ?? "doubts";
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}
