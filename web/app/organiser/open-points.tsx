// The open points of a closed game.

import type { ComponentChildren } from "preact";
import type { FullGameModel, OpenPointModel, VersionsModel } from "../../api";
import { request } from "../shared/http";
import { say, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { Link } from "../shared/router";
import { useLiveData } from "./live";

const OWN_KINDS = ["confirm", "pictures", "question", "missing", "unseen"] as const;
type Kind = (typeof OWN_KINDS)[number] | "doubts";
const LINKS: Partial<Record<Kind, string>> = {
  confirm: "settings#confirm",
  pictures: "pictures",
  missing: "pictures#missing",
  unseen: "queue?kind=unseen",
};

// The points to settle before a closed game can be counted, with links. `count` renders a button to count; then there is one
// for the next step too, which is the main one: photos, then doubts and questions, then the count.
type OpenPointsProps = { game: FullGameModel; count?: (main: boolean) => ComponentChildren };

export function OpenPoints({ game, count }: OpenPointsProps) {
  const load = (signal: AbortSignal) => request<VersionsModel>(`/api/v1/games/${game.id}/results`, { signal });
  const { data } = useLiveData(load, `open ${game.id}`, ["game", "envelopes", "photos", "queue", "results"]);
  const words = texts.games.open;
  if (!data) return <p class="next-open">{words.looking}</p>;
  const counts = countByKind(data.open);
  const missing = (counts.get("missing") ?? 0) + (counts.get("unseen") ?? 0);
  const questions = counts.get("question") ?? 0;
  const doubts = missing + (counts.get("doubts") ?? 0);
  const toPhotograph = missing > 0 && game.counts.received === 0;
  const at = `/desk/games/${game.id}`;
  return (
    <>
      {data.open.length ? (
        <div class="next-open">
          <p>
            <b>{words.title({ count: data.open.length })}</b>
          </p>
          <ul>
            {[...counts].map(([what, count]) => (
              <li key={what}>
                <Link href={`${at}/${LINKS[what] ?? "queue"}`}>{say(words[what], { count })}</Link>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <p class="next-ready">{words.ready}</p>
      )}
      {count && (
        <div class="row-actions next-actions">
          {doubts + questions > 0 && !toPhotograph && (
            <Link class="as-button" href={`${at}/queue${doubts ? "" : "/questions"}`}>
              <Icon name="question" />
              {doubts ? words.settle({ count: doubts }) : words.answer}
            </Link>
          )}
          {toPhotograph && (
            <Link class="as-button" href={`${at}/pictures/count`}>
              <Icon name="camera" />
              {texts.pictures.count.open}
            </Link>
          )}
          {missing > 0 && (
            <Link class="as-button secondary" href={`${at}/pictures`}>
              <Icon name="picture" />
              {texts.games.next.closed.pictures}
            </Link>
          )}
          {count(doubts + questions === 0)}
        </div>
      )}
    </>
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
