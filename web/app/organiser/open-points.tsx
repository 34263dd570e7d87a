// The open points of a closed game.

import type { ComponentChildren } from "preact";
import type { FullGameModel, OpenPointModel, VersionsModel } from "../../api";
import { request } from "../shared/http";
import { say, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { Link } from "../shared/router";
import { useLiveData } from "./live";

// Kinds of open points that have lines of their own; all others are doubts.
const KINDS = ["confirm", "pictures", "doubts", "question"] as const;
const MISSING = ["missing", "unseen"] as const; // kinds of doubts about missing envelopes
type Kind = (typeof KINDS)[number] | (typeof MISSING)[number];
const LINKS: Record<Kind, string> = {
  confirm: "settings#confirm",
  pictures: "pictures",
  doubts: "queue",
  question: "queue/questions",
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
  if (!data) return <p class="note warm next-open">{words.looking}</p>;
  const counts = countByKind(data.open);
  const { missing } = counts;
  const { doubts, question: questions } = counts;
  const toPhotograph = missing > 0 && game.counts.received === 0;
  const at = `/desk/games/${game.id}`;
  const line = (kind: Kind, part = false) => (
    <Link href={`${at}/${LINKS[kind]}`}>{say(words[kind], { count: counts[kind], part })}</Link>
  );
  const lines = missing === counts.unseen ? (["unseen"] as const) : MISSING.filter((kind) => counts[kind]);
  const only = lines.length === 1 && missing > 0 && missing === doubts ? lines[0] : undefined;
  return (
    <>
      {data.open.length ? (
        <div class="note warm next-open">
          <p>
            <b>{words.title}</b>
          </p>
          <ul class="bullets">
            {KINDS.filter((kind) => counts[kind]).map((kind) => (
              <li key={kind}>
                {line(kind === "doubts" && only ? only : kind)}
                {kind === "doubts" && !only && missing > 0 && (
                  <ul class="bullets">
                    {lines.map((missing) => (
                      <li key={missing}>{line(missing, lines.length > 1)}</li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <p class="strong next-ready">{words.ready}</p>
      )}
      {count && (
        <div class="row next-actions above">
          {doubts + questions > 0 && !toPhotograph && (
            <Link class="as-button" href={`${at}/queue${doubts ? "" : "/questions"}`}>
              <Icon name="question" />
              {doubts ? words.settle : words.answer}
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

// Return the numbers of open points by kind. Most kinds of the queue are doubts, and missing envelopes are, too; those that were
// handed in by phone ("unseen") are also among the missing ones.
function countByKind(points: OpenPointModel[]): Record<Kind, number> {
  const counts = { confirm: 0, pictures: 0, doubts: 0, question: 0, missing: 0, unseen: 0 };
  const own = (slug: string): slug is Kind => slug in counts;
  const isMissing = (kind: string) => MISSING.some((one) => one === kind);
  for (const { slug } of points) {
    const kind = own(slug) ? slug : "doubts";
    counts[kind] += 1;
    if (kind === "unseen") counts.missing += 1;
    if (isMissing(kind)) counts.doubts += 1;
  }
  return counts;
}
