// The result after publication.

import { useMemo, useState } from "preact/hooks";
import type { KindCountModel, PlayerHandModel, PublishedRuleModel } from "../../api";
import { CardSymbol, kindsBySlug } from "../shared/cards";
import { formatPoints, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { Notice, Skeleton } from "../shared/notices";
import { Link, View } from "../shared/router";
import { BreakdownLine, CardList } from "./deck/breakdown";
import { fetchResult, type Result as ResultData, useLoadingPlayerState, usePlayerFetch } from "./player-state";

// The result after publication: the player's own place with all lines, the ranking, and all rules of the game.
export function Result() {
  const { me } = useLoadingPlayerState();
  const { data, problem, refetch } = usePlayerFetch(fetchResult, "result");
  const rules = useMemo(() => Object.fromEntries((data?.rules ?? []).map((rule) => [rule.key, rule])), [data]);
  const words = texts.result;
  if (!me) return <Skeleton rows={4} />;
  return (
    <View title={words.title} name="my-result">
      <p class="back">
        <Link href="/">
          <Icon name="back" />
          {words.back}
        </Link>
      </p>
      {problem && !data && <Notice problem={problem} onRetry={refetch} />}
      {!problem && !data && <Skeleton rows={4} />}
      {data && (
        <>
          <div class="columns my-result">
            <div>
              <Standing result={data} />
              {data.own && <OwnResult own={data.own} listed={data.listed} rules={rules} />}
            </div>
            <Ranking places={data.ranking} />
          </div>
          <Rules rules={data.rules} />
        </>
      )}
    </View>
  );
}

function Standing({ result: { own, ranking, left_out: reason } }: { result: ResultData }) {
  const words = texts.result;
  if (!own) {
    return (
      <div class="ink-card score">
        <h2 class="over">{texts.own.none}</h2>
        <p class="caption">{(words.leftOut as Record<string, string>)[reason ?? ""] ?? words.askWhy}</p>
      </div>
    );
  }
  const score = own.score === null ? null : formatPoints(own.score);
  return (
    <div class="ink-card score">
      <h2 class="over">{texts.own.place({ rank: own.rank, of: ranking.length })}</h2>
      {own.eliminated || score === null ? (
        <p class="strong score-out">{own.verdict ?? texts.score.eliminated}</p>
      ) : (
        <p class="number score-number">
          <strong>{score}</strong> <span>{texts.score.points({ count: Number(own.score) })}</span>
        </p>
      )}
      {own.decided_by && <p class="caption">{texts.score.tie({ tie: own.decided_by })}</p>}
    </div>
  );
}

type OwnResultProps = { own: PlayerHandModel; listed: KindCountModel[] | null; rules: Record<string, PublishedRuleModel> };

function OwnResult({ own, listed, rules }: OwnResultProps) {
  const kinds = kindsBySlug({ kinds: own.kinds.map((kind) => ({ ...kind, slug: kind.kind })) });
  const cards = Object.fromEntries(own.kinds.map(({ kind, count }) => [kind, count]));
  return (
    <>
      <CardList cards={cards} kinds={kinds} />
      <ListDifference own={own.kinds} listed={listed} />
      <section class="lines" aria-labelledby="lines-title">
        <h2 id="lines-title">{texts.lines.title}</h2>
        <ol>
          {own.lines.map((line, at) => (
            <BreakdownLine key={at} line={line} rules={rules} kinds={kinds} />
          ))}
        </ol>
        <p class="sum number">
          <span>{texts.lines.sum}</span>
          <strong>{own.score === null ? texts.score.eliminated : formatPoints(own.score)}</strong>
        </p>
      </section>
    </>
  );
}

// The ranking with the player's own place marked. Players without a public name are called "a player".
function Ranking({ places }: { places: ResultData["ranking"] }) {
  const words = texts.result;
  return (
    <section class="ranking" aria-labelledby="ranking-title">
      <h2 id="ranking-title">{words.ranking}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.place}</th>
            <th scope="col">{words.player}</th>
            <th scope="col">{words.score}</th>
          </tr>
        </thead>
        <tbody>
          {places.map((one, at) => (
            <tr key={at} class={one.me ? "me" : ""} aria-current={one.me ? "true" : undefined}>
              <td>
                <b class={`number rank rank-${one.rank}`}>{one.rank}</b>
              </td>
              <td>
                <span>{one.player ?? texts.player}</span>
                {one.me && (
                  <>
                    {" "}
                    <mark class="badge">{words.you}</mark>
                  </>
                )}
                {one.decided_by && <small>{texts.score.tie({ tie: one.decided_by })}</small>}
              </td>
              <td>{one.score === null ? texts.score.out : formatPoints(one.score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// All rules of the game with their wordings and a search by number or words.
function Rules({ rules }: { rules: PublishedRuleModel[] }) {
  const [wanted, setWanted] = useState("");
  const words = texts.result;
  const found = rules.filter((rule) => matchesSearch(rule, wanted.trim()));
  return (
    <section class="rules" aria-labelledby="rules-title">
      <h2 id="rules-title">{words.rules}</h2>
      <input
        type="search"
        class="narrow"
        aria-label={words.search}
        placeholder={words.search}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <p class="caption" role="status">
        {found.length < rules.length && words.found({ count: found.length, all: rules.length })}
      </p>
      <ul class="tiles above">
        {found.map((rule) => (
          <li key={rule.key} class={rule.active ? "panel rule" : "panel rule rule-idle"}>
            <span class="line-badge">
              <CardSymbol name="seal" />
              <b aria-hidden="true">{rule.number ?? ""}</b>
            </span>
            <div>
              <h3>
                {rule.number !== null && <small class="over block">{texts.cards.rule({ number: rule.number })}</small>}{" "}
                {rule.name}
              </h3>
              <p>{rule.text}</p>
              {!rule.active && <p class="caption">{words.idle}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

// Return true if a rule has this number or contains all these words.
function matchesSearch(rule: PublishedRuleModel, wanted: string) {
  if (!wanted) return true;
  if (/^\d+$/.test(wanted)) return String(rule.number) === wanted;
  return `${rule.name} ${rule.text}`.toLocaleLowerCase().includes(wanted.toLocaleLowerCase());
}

// The difference between the count and the list that the player confirmed, by kind.
function ListDifference({ own, listed }: { own: KindCountModel[]; listed: KindCountModel[] | null }) {
  if (!listed) return null;
  const counted = new Map(own.map(({ kind, count }) => [kind, count]));
  const wanted = new Map(listed.map(({ kind, count }) => [kind, count]));
  const more = (kinds: KindCountModel[], than: Map<string, number>) =>
    kinds.map((kind) => ({ ...kind, count: kind.count - (than.get(kind.kind) ?? 0) })).filter(({ count }) => count > 0);
  const missing = more(listed, counted);
  const extra = more(own, wanted);
  const words = texts.result;
  if (!missing.length && !extra.length) return <p class="list-note soft">{words.asListed}</p>;
  const named = (kinds: KindCountModel[]) => kinds.map(({ name, count }) => `${count} × ${name}`).join(", ");
  return (
    <div class="notice notice-small">
      {missing.length > 0 && (
        <p>
          {words.missing} {named(missing)}
        </p>
      )}
      {extra.length > 0 && (
        <p>
          {words.extra} {named(extra)}
        </p>
      )}
      <p>{words.askWhy}</p>
    </div>
  );
}

// The own place on the home screen, with a link to the result.
export function OwnRank() {
  const { data, problem, refetch } = usePlayerFetch(fetchResult, "result");
  if (problem && !data) return <Notice problem={problem} onRetry={refetch} />;
  if (!data) return <Skeleton rows={1} />;
  const { own, ranking } = data;
  return (
    <Link class="framed stack center own-place" href="/p/result">
      {own ? (
        <>
          <span class="number own-rank">{texts.own.place({ rank: own.rank, of: ranking.length })}</span>
          <span>
            {own.score === null ? (
              texts.score.eliminated
            ) : (
              <>
                <strong>{formatPoints(own.score)}</strong> {texts.score.points({ count: Number(own.score) })}
              </>
            )}
          </span>
        </>
      ) : (
        <span class="number own-rank">{texts.own.none}</span>
      )}
      <span class="strong">{texts.own.more}</span>
    </Link>
  );
}
