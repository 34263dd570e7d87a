// The deck of an envelope: photos, cards, the player's list, decisions, score, and corrections.

import type {
  CardNameModel,
  EnvelopeDeckModel,
  EnvelopeModel,
  FullGameModel,
  PhotosModel,
  QueueModel,
  ResultModel,
  VersionsModel,
} from "../../../api";
import { type CardKind, CardSymbol } from "../../shared/cards";
import { request } from "../../shared/http";
import { language, loadTexts, texts } from "../../shared/i18n";
import { Notice, Skeleton } from "../../shared/notices";
import { Link } from "../../shared/router";
import { useLiveData } from "../live";
import { Thumbnail } from "../photos/thumbnail";
import { HandLines, scoreOf } from "../results/version";
import { AddCardButton, AddCardField, useKinds } from "../review/card-entry";
import { decisionText, nameOf, sentenceOf, settledText } from "../review/issue-text";

await loadTexts("queue", "hints", "results");

const TOPICS = ["queue", "photos", "envelopes", "results"];

// Everything that is known about an envelope's deck. Cards can be added and removed by hand, also after the count, as corrections.
export function EnvelopeHand({ game, envelope }: { game: FullGameModel; envelope: EnvelopeModel }) {
  const words = texts.envelopes.hand;
  const kinds = useKinds(game.id);
  const { number } = envelope;
  const at = `/api/v1/games/${game.id}`;
  const load = async (signal: AbortSignal) => {
    const [hand, photos, queue, results] = await Promise.all([
      request<EnvelopeDeckModel>(`${at}/hands/${number}`, { signal }),
      request<PhotosModel>(`${at}/photos?envelope=${number}`, { signal }),
      request<QueueModel>(`${at}/queue?standing=all&envelope=${number}`, { signal }),
      request<VersionsModel>(`${at}/results`, { signal }),
    ]);
    const version = results.versions[0]?.version;
    const path = `${at}/results/${version}?language=${language()}`;
    const result = version ? await request<ResultModel>(path, { signal }) : null;
    return { hand, photos: photos.photos, issues: queue.items, standing: result?.hands.find((one) => one.envelope === number) };
  };
  const { data, problem, refetch } = useLiveData(load, `hand ${game.id}/${number}`, TOPICS);
  if (!data) return problem ? <Notice problem={problem} onRetry={refetch} small /> : <Skeleton rows={3} />;
  const { hand, photos, issues, standing } = data;
  const listed = new Map(hand.listed?.map((card) => [card.card, card]));
  const extra = hand.cards.filter(({ card }) => !listed.has(card));
  const missing = [...listed.values()].filter(({ card }) => hand.cards.every((one) => one.card !== card));
  const reasons: Record<string, string> = texts.results.leftOut.reasons;
  return (
    <div class="tiles section envelope-hand">
      {standing && (
        <section class="wide">
          <h3>{words.score({ rank: standing.rank, score: scoreOf(standing) })}</h3>
          <HandLines lines={standing.lines} />
        </section>
      )}
      <section>
        <h3 class="row">
          {texts.cards.total({ count: hand.cards.length })}{" "}
          {hand.excluded && <mark class="badge warm">{reasons[hand.excluded] ?? hand.excluded}</mark>}
        </h3>
        <CardList cards={hand.cards} kinds={kinds} />
        {hand.listed && (missing.length + extra.length === 0 ? <p>{words.same}</p> : null)}
        {hand.listed && missing.length > 0 && (
          <>
            <h4>{texts.queue.missingCards}</h4>
            <CardList cards={missing} kinds={kinds} />
          </>
        )}
        {hand.listed && extra.length > 0 && (
          <>
            <h4>{texts.queue.extraCards}</h4>
            <CardList cards={extra} kinds={kinds} />
          </>
        )}
        <details>
          <summary>{words.correct}</summary>
          <AddCardField game={game.id} kinds={kinds} envelope={number} />
          <ul class="stack above">
            {hand.cards.map((card) => (
              <li key={card.card}>
                <AddCardButton game={game.id} card={card} envelope={number} act="remove" />
              </li>
            ))}
          </ul>
        </details>
      </section>
      <section>
        <h3>
          <Link href={`/desk/games/${game.id}/pictures?envelope=${number}`}>{texts.desk.tabs.pictures}</Link>
        </h3>
        <div class="row hand-photos">
          {photos.map(({ id, erased, state }) => (
            <Link
              key={id}
              href={`/desk/games/${game.id}/pictures/photos/${id}?envelope=${number}`}
              aria-label={texts.queue.whole({ name: "", known: false })}
            >
              {state === "done" && !erased && <Thumbnail src={`${at}/photos/${id}/image`} />}
            </Link>
          ))}
        </div>
      </section>
      {issues.length > 0 && (
        <section>
          <h3>{texts.queue.parts.doubts}</h3>
          <ul class="bullets">
            {issues.map((issue) => (
              <li key={issue.key}>
                <Link href={`/desk/games/${game.id}/queue/doubts/${encodeURIComponent(issue.key)}`}>{nameOf(issue)}</Link>
                <small class="block">{sentenceOf(issue)}</small>
                {issue.ruling && (
                  <small>
                    <b>{decisionText(issue, issue.ruling.decision)}</b> <q>{issue.ruling.reason}</q> {issue.ruling.who}
                  </small>
                )}
                {issue.standing === "settled" && <small>{settledText(issue)}</small>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

// Cards as chips, with the number of each kind.
function CardList({ cards, kinds }: { cards: CardNameModel[]; kinds: Map<string, CardKind> | null }) {
  const counts = new Map<string, { name: string; count: number }>();
  for (const { kind, name } of cards) counts.set(kind, { name, count: (counts.get(kind)?.count ?? 0) + 1 });
  return (
    <p class="row">
      {[...counts].map(([slug, { name, count }]) => {
        const kind = kinds?.get(slug);
        return (
          <span key={slug} class="chip card-chip" style={kind ? { "--ink": kind.ink, "--on": kind.on } : {}}>
            {kind && <CardSymbol name={kind.symbol} class="disc" />}
            {count > 1 ? `${count} × ${name}` : name}
          </span>
        );
      })}
    </p>
  );
}
