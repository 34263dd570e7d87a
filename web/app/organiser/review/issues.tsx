// The queue of issues.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DecisionBody, DecisionOutcomeModel, FullGameModel, IssueModel, QueueModel } from "../../../api";
import { DOUBLE_CLICK_TIME } from "../../shared/dialog";
import { type Problem, request, useFetch } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Link, navigate } from "../../shared/router";
import { type HelpRow, useShortcutHelp, useShortcuts } from "../keyboard";
import type { LiveData } from "../live";
import { type OwnDecision, takeBackDecision, useKinds } from "./card-entry";
import { decideIssues, withDecision } from "./decisions";
import { type Moves, preloadEvidence } from "./evidence";
import { Issue } from "./issue";
import { decisionText, defaultReason, kindText, nameOf, optionsOf, sentenceOf } from "./issue-text";
import type { Standing } from "./review";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

// The list of doubts and the current one. After a decision the next open one is shown.
type IssuesProps = {
  game: FullGameModel;
  queue: LiveData<QueueModel>;
  standing: Standing;
  kind: string;
  wanted: string | undefined;
  refetch: () => void;
};

export function Issues({ game, queue, standing, kind, wanted, refetch }: IssuesProps) {
  const { data, problem } = queue;
  const kinds = useKinds(game.id);
  const items = data?.items ?? [];
  const [key, setKey] = useState<string | null>(wanted ?? null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [place, setPlace] = useState(0);
  const [actionProblem, setActionProblem] = useState<Problem | null>(null);
  const ownDecisions = useRef<OwnDecision[][]>([]); // own decisions, newest last, to undo by a key
  const { item, last, gone, others, restart } = useCurrentIssue(game.id, data, key);

  const show = (next: { key: string } | null | undefined) => {
    setKey(next?.key ?? null);
    setChosen(null);
    setPlace(0);
    setActionProblem(null);
    restart();
    const path = `/desk/games/${game.id}/queue${next ? `/doubts/${encodeURIComponent(next.key)}` : ""}${location.search}`;
    navigate(path, { replace: true });
  };
  useEffect(() => {
    const next = items.find((one) => one.standing === "open") ?? (standing === "open" ? null : items[0]);
    if (!key && next) show(next);
  }, [data, key]);
  // After a key or a decision, the focus follows.
  const deciding = useRef(false);
  const decidedAt = useRef(Number.NEGATIVE_INFINITY);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current && item) document.querySelector<HTMLElement>(".item-title")?.focus({ preventScroll: true });
    if (item) moved.current = false;
  }, [item?.key, item?.standing]);
  useEffect(() => {
    if (wanted && wanted !== key) {
      setKey(wanted);
      setChosen(null);
      setPlace(0);
    }
  }, [wanted]);

  useEffect(() => {
    // A card that was added changes the number of the same envelope, which stays until the number is right.
    const same =
      gone &&
      last?.kind === "count" &&
      items.find(
        ({ kind, envelopes, standing }) => kind === "count" && envelopes[0] === last.envelopes[0] && standing === "open",
      );
    if (same) show(same);
  }, [gone]);

  const at = items.findIndex((one) => one.key === key);
  const step = (by: number) => {
    moved.current = true;
    if (items.length) show(items[(at < 0 ? 0 : at + by + items.length) % items.length]);
  };
  const following = (done = new Set<string>()) => {
    const rest = [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))].filter((one) => !done.has(one.key));
    return rest.find((one) => one.key !== key && one.standing === "open") ?? null;
  };
  const upcoming = following();
  useEffect(() => {
    if (upcoming) preloadEvidence(game.id, upcoming);
  }, [upcoming?.key]);

  // The open issues of the same kind that have this choice too.
  const alike = (act: string) =>
    items.filter(
      ({ key, kind, standing, choices }) =>
        key !== item?.key && kind === item?.kind && standing === "open" && choices.some((one) => one.do === act),
    );

  const decide = async (body: DecisionBody, all = false, moves: Moves = {}) => {
    if (!item) return;
    const done: OwnDecision[] = [];
    ownDecisions.current.push(done);
    const issues = all ? [item, ...alike(body.do)] : [item];
    const onDecided = ({ key }: IssueModel, response: DecisionOutcomeModel | null) =>
      queue.put((before) => withDecision(before, key, response));
    try {
      await decideIssues({ game: game.id, issues, body, moves, done, onDecided });
    } catch (error) {
      // Another organiser was faster: keep what was typed and fetch the issue again.
      if ((error as Problem).slug === "changed") queue.refetch();
      throw error;
    } finally {
      if (!done.length) ownDecisions.current.pop();
    }
    const next = all ? following(new Set(done.map(({ key }) => key))) : upcoming;
    queue.refetch();
    refetch();
    announce(texts.queue.said({ what: decisionText(item, body) }));
    moved.current = true;
    show(next);
  };

  const takeBack = async (decisions: OwnDecision[]) => {
    setActionProblem(null);
    try {
      for (const { key, revision } of [...decisions].reverse()) await takeBackDecision(game.id, key, revision);
      ownDecisions.current = ownDecisions.current.filter((one) => one !== decisions);
      moved.current = true;
      show(decisions[0]);
      await queue.refetch();
      refetch();
    } catch (error) {
      setActionProblem(error as Problem);
    }
  };
  const undo = () => {
    const last = ownDecisions.current.at(-1);
    if (last) takeBack(last);
    else announce(texts.queue.nothingToTakeBack);
  };

  // A correct number of cards is confirmed by one key with the default reason; `u` undoes it.
  const choose = (number: number | null) => {
    const plain = item?.kind === "count" && item.expected !== null && !item.cards.length;
    if (!plain || number === null) {
      setChosen(number);
      return;
    }
    // A double click decides one issue, not the next one too.
    if (deciding.current || performance.now() - decidedAt.current < DOUBLE_CLICK_TIME) return;
    deciding.current = true;
    decide({ do: "accept", reason: defaultReason(item, "accept") })
      .catch(setActionProblem)
      .finally(() => {
        deciding.current = false;
        decidedAt.current = performance.now();
      });
  };

  const options = useMemo(() => (item ? optionsOf(item) : []), [item]);
  useShortcutHelp(texts.queue.help.title, texts.queue.help.keys as HelpRow[]);
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    u: undo,
    z: () => document.querySelector<HTMLElement>(".whole-zoom")?.click(),
    p: () => setPlace((before) => (before + 1) % Math.max(1, item?.places.filter(({ photo }) => photo).length ?? 1)),
    ...Object.fromEntries(
      DIGITS.map((digit, number) => [
        digit,
        ({ repeat }) => !repeat && item?.standing === "open" && number < options.length && choose(number),
      ]),
    ),
  });

  if (problem && !data) return <Notice problem={problem} onRetry={queue.refetch} />;
  if (!data) return <Skeleton rows={4} />;
  return (
    <div class="doubts">
      <ReviewProgress game={game} data={data} standing={standing} kind={kind} onFilter={() => show(null)} />
      {actionProblem && <Notice problem={actionProblem} small />}
      {!items.length && !item && <NoIssues game={game} data={data} standing={standing} />}
      {(items.length > 0 || item) && (
        <div class="doubts-body">
          <IssueList items={items} current={key} onLook={show} total={data.total} />
          <div class="doubt">
            {gone && <GoneIssue onNext={() => show(following())} />}
            {!gone && item && (
              <Issue
                key={item.key}
                game={game}
                kinds={kinds}
                item={item}
                chosen={chosen}
                onChoose={choose}
                place={place}
                onPlace={setPlace}
                onDecide={decide}
                others={({ choice }) => alike(choice.do).length}
                onTakeBack={() => takeBack([item])}
                onNext={upcoming && (() => show(upcoming))}
                lead={others && <DecidedByOthers item={item} />}
              />
            )}
            {!item && !gone && <Skeleton rows={3} />}
          </div>
        </div>
      )}
    </div>
  );
}

// Return the current issue. It stays, even if somebody else decides it: then there are `others`. `last` is the one that was last
// seen, `gone` that it does not exist any more; `restart` forgets how it was first shown.
function useCurrentIssue(game: string, data: QueueModel | null, key: string | null) {
  const listed = data?.items.find((item) => item.key === key);
  const kept = useRef<IssueModel | null>(null);
  const seen = useFetch(
    (signal) =>
      key && data && !listed
        ? request<IssueModel>(`/api/v1/games/${game}/queue/${encodeURIComponent(key)}`, { signal })
        : Promise.resolve(null),
    `${key}/${Boolean(data)}/${Boolean(listed)}/${data?.open}`,
  );
  const gone = Boolean(key && data && !listed && seen.problem?.status === 404);
  const item = listed ?? seen.data ?? (kept.current?.key === key ? kept.current : null);
  if (item) kept.current = item;
  const first = useRef<IssueModel | null>(null); // the issue as it was first shown
  if (item && first.current?.key !== item.key) first.current = item;
  const others =
    item && item.revision !== first.current?.revision && item.standing !== "open" && first.current?.standing === "open";
  const restart = () => {
    first.current = null;
  };
  return { item, last: kept.current, gone, others, restart };
}

// How many issues are decided, the filter, and how many photos may add issues.
function ReviewProgress({ game, data, standing, kind, onFilter }: FilterProps) {
  const all = data.open + data.ruled; // without those that are only listed
  return (
    <div class="doubts-bar">
      <div class="settled-count">
        <label for="settled-progress">{texts.queue.progress({ settled: data.ruled, all })}</label>
        <progress id="settled-progress" max={Math.max(1, all)} value={all ? data.ruled : 1} />
      </div>
      <IssueFilter game={game} data={data} standing={standing} kind={kind} onFilter={onFilter} />
      {data.waiting > 0 && (
        <p class="still-read">
          <Icon name="clock" />
          {texts.queue.stillRead({ count: data.waiting })}
        </p>
      )}
    </div>
  );
}

const GoneIssue = ({ onNext }: { onNext: () => void }) => (
  <div class="panel gone" role="status">
    <h2>{texts.queue.goneTitle}</h2>
    <p>{texts.queue.gone}</p>
    <button type="button" onClick={onNext}>
      {texts.queue.next}
    </button>
  </div>
);

const DecidedByOthers = ({ item }: { item: IssueModel }) => (
  <p class="others" role="status">
    <Icon name="people" />
    {item.ruling ? texts.queue.othersDecided({ who: item.ruling.who }) : texts.queue.othersSettled}
  </p>
);

type ListProps = { items: IssueModel[]; current: string | null; onLook: (item: IssueModel) => void; total: number };

function IssueList({ items, current, onLook, total }: ListProps) {
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <nav class="doubt-list" aria-label={texts.queue.list}>
      <ol ref={box}>
        {items.map((item) => (
          <li key={item.key} data-standing={item.standing}>
            <button type="button" aria-current={item.key === current ? "true" : undefined} onClick={() => onLook(item)}>
              <span class="kind-dot" data-kind={item.kind} aria-hidden="true" />
              <span>
                <strong>{nameOf(item)}</strong>
                <small>{sentenceOf(item)}</small>
              </span>
              {item.standing !== "open" && <Icon name="check" />}
            </button>
          </li>
        ))}
      </ol>
      {total > items.length && <p class="more">{texts.queue.more({ count: total - items.length })}</p>}
    </nav>
  );
}

type NoIssuesProps = Pick<IssuesProps, "game" | "standing"> & { data: QueueModel };

function NoIssues({ game, data, standing }: NoIssuesProps) {
  const words = standing === "open" ? (data.waiting ? texts.queue.emptyYet : texts.queue.empty) : texts.queue.emptyFilter;
  return (
    <div class="panel all-clear">
      <Icon name="check" />
      <h2>{words.title}</h2>
      <p>{words.detail}</p>
      {game.state === "closed" && words === texts.queue.empty && (
        <Link class="as-button action" href={`/desk/games/${game.id}/results`}>
          {texts.queue.toCount}
          <Icon name="next" />
        </Link>
      )}
    </div>
  );
}

const STATUSES = ["open", "ruled", "settled"] as const;

// The list that is shown, kept in the address: open issues of all kinds or of one, decided ones, and those only noticed.
type FilterProps = Pick<IssuesProps, "game" | "standing" | "kind"> & { data: QueueModel; onFilter: () => void };

function IssueFilter({ game, data, standing, kind, onFilter }: FilterProps) {
  const filter = (wanted: string) => {
    navigate(`/desk/games/${game.id}/queue${wanted && `?${wanted}`}`, { replace: true });
    onFilter();
  };
  const current = new URLSearchParams({ ...(standing !== "open" && { standing }), ...(kind && { kind }) }).toString();
  const options = [
    ...STATUSES.map((name) => [name === "open" ? "" : `standing=${name}`, texts.queue.standings[name], data[name]] as const),
    ...Object.entries(data.kinds).map(([name, count]) => [`kind=${name}`, `– ${kindText(name)}`, count] as const),
  ];
  return (
    <select
      class="issue-filter"
      aria-label={texts.queue.filter}
      value={current}
      onChange={(event) => filter(event.currentTarget.value)}
    >
      {options.map(([value, name, count]) => (
        <option key={value} value={value} selected={value === current}>
          {name} ({count})
        </option>
      ))}
    </select>
  );
}
