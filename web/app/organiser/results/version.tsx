// A version of the results.

import { useState } from "preact/hooks";
import type {
  ExcludedHandModel,
  FullGameModel,
  LineModel,
  RankModel,
  ResultChangeModel,
  ResultModel,
  StandingModel,
  VersionModel,
} from "../../../api";
import { lineName } from "../../shared/cards";
import { request, useFetch } from "../../shared/http";
import { formatGain, formatPoints, LANGUAGES, language, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice, Skeleton } from "../../shared/notices";
import { Link } from "../../shared/router";

// A version of the count in full: ranking, excluded envelopes, changes since another version, files.
type VersionProps = { game: FullGameModel; version: number; versions: VersionModel[] };

export function Version({ game, version, versions }: VersionProps) {
  const [since, setSince] = useState("");
  const words = texts.results;
  const path = `/api/v1/games/${game.id}/results/${version}?language=${language()}${since && `&since=${since}`}`;
  const { data, problem, refetch } = useFetch((signal) => request<ResultModel>(path, { signal }), path);
  const [last, setLast] = useState<ResultModel | null>(null);
  // Keep the ranking while another comparison is loaded.
  if (data && data !== last) setLast(data);
  const shown = data ?? last;
  if (!shown) return problem ? <Notice problem={problem} onRetry={refetch} /> : <Skeleton rows={6} />;
  const beside = shown.left_out.length > 0 || shown.overridden.length > 0;
  return (
    <section class="above" aria-labelledby="ranking-title">
      <VersionChanges result={shown} versions={versions.filter((one) => one.version !== version)} onSince={setSince} />
      <h2 id="ranking-title">{words.ranking.title({ version })}</h2>
      <Ranking game={game} hands={shown.hands} />
      <div class={beside ? "columns" : ""}>
        {beside && (
          <div>
            {shown.left_out.length > 0 && <ExcludedEnvelopes envelopes={shown.left_out} />}
            {shown.overridden.length > 0 && <CountOverride version={shown.version} />}
          </div>
        )}
        <Files game={game} version={version} />
      </div>
    </section>
  );
}

// Envelopes whose hands do not count.
function ExcludedEnvelopes({ envelopes }: { envelopes: ExcludedHandModel[] }) {
  const words = texts.results.leftOut;
  return (
    <section class="panel" aria-labelledby="left-out-title">
      <h2 id="left-out-title">{texts.audit.names.left_out}</h2>
      <ul class="ruled">
        {envelopes.map((one) => (
          <li>
            <b>{texts.envelope({ number: one.envelope })}</b>{" "}
            {(words.reasons as Record<string, string>)[one.reason] ?? one.reason}
          </li>
        ))}
      </ul>
    </section>
  );
}

function CountOverride({ version }: { version: VersionModel }) {
  const words = texts.results.versions;
  return (
    <section class="panel" aria-labelledby="overridden-title">
      <h2 id="overridden-title">{words.override}</h2>
      <p>
        <q>{version.override}</q>
      </p>
    </section>
  );
}

// Changes since an earlier version, by envelope.
type VersionChangesProps = { result: ResultModel; versions: VersionModel[]; onSince: (version: string) => void };

function VersionChanges({ result, versions, onSince }: VersionChangesProps) {
  const words = texts.results.moves;
  if (!versions.length) return null;
  return (
    <section class="panel" aria-labelledby="moves-title">
      <h2 id="moves-title">{words.title}</h2>
      <label class="row">
        {words.since}
        <select value={result.since ?? ""} onChange={(event) => onSince(event.currentTarget.value)}>
          {result.since === null && <option value="">–</option>}
          {versions.map((one) => (
            <option value={one.version} selected={one.version === result.since}>
              {texts.results.versions.version({ number: one.version })}
            </option>
          ))}
        </select>
      </label>
      {result.since !== null && result.moves.length === 0 && <p>{words.none}</p>}
      <ul class="ruled">
        {result.moves.map((move) => (
          <li key={move.envelope}>
            <details>
              <summary>
                <ChangedPlayer {...move} /> <span>{change(move)}</span>
              </summary>
              {move.gone.length > 0 && (
                <>
                  <h3>{words.gone}</h3>
                  <HandLines lines={move.gone} class="changes-gone" />
                </>
              )}
              {move.come.length > 0 && (
                <>
                  <h3>{words.come}</h3>
                  <HandLines lines={move.come} />
                </>
              )}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

// The player with the envelope's number, which is also the name of players without one.
function ChangedPlayer({ before, after, envelope }: ResultChangeModel) {
  const player = (after ?? before)?.player;
  const number = texts.envelope({ number: envelope });
  return (
    <>
      <b>{player}</b> {player !== number && <small>{number}</small>}
    </>
  );
}

function change({ before, after }: ResultChangeModel): string {
  const words = texts.results.moves;
  if (!after) return words.left;
  if (!before) return words.entered({ rank: after.rank });
  const changes: string[] = [];
  if (before.player !== after.player) changes.push(words.renamed({ name: before.player }));
  if (before.rank !== after.rank) changes.push(words.place({ before: before.rank, after: after.rank }));
  if (before.score !== after.score) changes.push(words.score({ before: scoreOf(before), after: scoreOf(after) }));
  return changes.join(" · ") || words.lines;
}

export const scoreOf = ({ eliminated, score }: Pick<RankModel, "eliminated" | "score">) =>
  eliminated || score === null ? texts.score.out : formatPoints(score);

// The ranking; each hand unfolds to its lines.
function Ranking({ game, hands }: { game: FullGameModel; hands: StandingModel[] }) {
  const [opened, setOpened] = useState(() => new Set<number>());
  const [wanted, setWanted] = useState("");
  const words = texts.results.ranking;
  const plain = (text: string) => text.normalize("NFKD").toLowerCase();
  const found = hands.filter(
    (hand) => !wanted || plain(hand.player).includes(plain(wanted)) || String(hand.envelope) === wanted.trim(),
  );
  const all = found.length > 0 && found.every((hand) => opened.has(hand.envelope));
  const turn = (envelope: number) => {
    const next = new Set(opened);
    if (!next.delete(envelope)) next.add(envelope);
    setOpened(next);
  };
  return (
    <>
      <div class="row">
        <input
          type="search"
          class="grow narrow"
          aria-label={words.search}
          placeholder={words.search}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <button type="button" class="secondary" onClick={() => setOpened(new Set(all ? [] : found.map((hand) => hand.envelope)))}>
          {all ? words.closeAll : words.openAll}
        </button>
      </div>
      <table class="ranking">
        <thead>
          <tr>
            <th scope="col">{words.rank}</th>
            <th scope="col">{texts.games.form.name}</th>
            <th scope="col" class="ranking-envelope">
              {texts.audit.names.envelope}
            </th>
            <th scope="col">{texts.audit.names.score}</th>
          </tr>
        </thead>
        <tbody>
          {found.map((hand) => (
            <Hand
              key={hand.envelope}
              game={game}
              hand={hand}
              open={opened.has(hand.envelope)}
              onTurn={() => turn(hand.envelope)}
            />
          ))}
        </tbody>
      </table>
      {found.length === 0 && <p>{words.none}</p>}
    </>
  );
}

type HandProps = { game: FullGameModel; hand: StandingModel; open: boolean; onTurn: () => void };

function Hand({ game, hand, open, onTurn }: HandProps) {
  const words = texts.results.ranking;
  const lines = `lines-${hand.envelope}`;
  const row = (
    <tr class={open ? "ranking-open" : ""}>
      <td class="ranking-rank number">{hand.rank}</td>
      <td>
        <button
          type="button"
          class="bare ranking-name"
          aria-expanded={open ? "true" : "false"}
          aria-controls={open ? lines : undefined}
          onClick={onTurn}
        >
          <Icon name="open" />
          <span>{hand.player}</span>
        </button>
        {hand.hidden && <small class="strong">{words.hidden}</small>}
        {hand.decided_by && <small>{texts.score.tie({ tie: hand.decided_by })}</small>}
      </td>
      <td class="ranking-envelope">
        <Link href={`/desk/games/${game.id}/envelopes/${hand.envelope}`} aria-label={texts.envelope({ number: hand.envelope })}>
          {hand.envelope}
        </Link>
      </td>
      <td class="number">{scoreOf(hand)}</td>
    </tr>
  );
  if (!open) return row;
  return (
    <>
      {row}
      <tr id={lines}>
        <td colSpan={4}>
          <Link href={`/desk/games/${game.id}/envelopes/${hand.envelope}`}>{texts.envelope({ number: hand.envelope })}</Link>
          <HandLines lines={hand.lines} />
        </td>
      </tr>
    </>
  );
}

// The lines of a hand: rule, text, points. Void lines are struck through, with the rule that voided them.
export function HandLines({ lines, class: extra = "" }: { lines: LineModel[]; class?: string }) {
  if (!lines.length) return <p>{texts.lines.none}</p>;
  return (
    <ol class={`ruled hand-lines ${extra}`}>
      {lines.map((line) => (
        <li>
          <b>{line.rule === null ? texts.lines.plain : lineName(line.rule)}</b>
          <span>
            {line.void ? (
              <>
                <s>{line.text}</s> <span class="wrong block">{texts.lines.void({ number: line.voided_by ?? "" })}</span>
              </>
            ) : (
              line.text
            )}
          </span>
          <strong>{line.void ? <s>{formatGain(line.points)}</s> : formatGain(line.points)}</strong>
        </li>
      ))}
    </ol>
  );
}

// Files of a version, and the export of the whole game.
function Files({ game, version }: { game: FullGameModel; version: number }) {
  const [tongue, setTongue] = useState(game.languages.includes(language()) ? language() : game.language);
  const [paper, setPaper] = useState("a4");
  const words = texts.results.files;
  const at = `/api/v1/games/${game.id}/results/${version}`;
  const { exportAll, exportPlain, exportNote } = texts.games.list;
  const rows: [words: { title: string; text?: string }, href: string][] = [
    [words.pdf, `${at}/results.pdf?language=${tongue}&paper=${paper}`],
    [words.ranking, `${at}/ranking.csv`],
    [words.matrix, `${at}/matrix.csv?language=${tongue}`],
    [words.replay, `${at}/replay.json`],
    [{ title: exportAll, text: exportNote }, `/api/v1/games/${game.id}/export`],
    [{ title: exportPlain, text: exportNote }, `/api/v1/games/${game.id}/export?photos=false`],
  ];
  return (
    <section class="panel" aria-labelledby="files-title">
      <h2 id="files-title">{words.title}</h2>
      <div class="pair narrow">
        <label>
          {texts.language}
          <select value={tongue} onChange={(event) => setTongue(event.currentTarget.value)}>
            {game.languages.map((code) => (
              <option value={code} selected={code === tongue}>
                {LANGUAGES[code] ?? code}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.paper}
          <select value={paper} onChange={(event) => setPaper(event.currentTarget.value)}>
            <option value="a4" selected={paper === "a4"}>
              A4
            </option>
            <option value="letter" selected={paper === "letter"}>
              Letter
            </option>
          </select>
        </label>
      </div>
      <ul class="ruled files">
        {rows.map(([{ title, text }, href]) => (
          <li key={title}>
            <a href={href} download>
              <Icon name="download" />
              <b>{title}</b>
            </a>
            {text && <small class="block">{text}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
