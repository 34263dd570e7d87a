// The queue of issues.

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { FullGameModel, IssueModel, QueueModel } from "../../../api";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice, Skeleton } from "../../shared/notices";
import { Link, navigate } from "../../shared/router";
import { type HelpRow, useShortcutHelp, useShortcuts } from "../keyboard";
import type { LiveData } from "../live";
import { useKinds } from "./card-entry";
import { useCurrentIssue } from "./current-issue";
import { issuesAlike, useDecisions } from "./decisions";
import { preloadEvidence } from "./evidence";
import { Issue } from "./issue";
import { kindText, nameOf, optionsOf, sentenceOf } from "./issue-text";
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
  const current = useCurrentIssue(game.id, data, standing, wanted);
  const { key, item, items, gone, place, setPlace, show, step, following } = current;
  const { chosen, choose, decide, takeBack, undo, actionProblem } = useDecisions({ game, queue, refetch }, current);
  const upcoming = following();
  useEffect(() => {
    if (upcoming) preloadEvidence(game.id, upcoming);
  }, [upcoming?.key]);

  const options = useMemo(() => (item ? optionsOf(item) : []), [item]);
  useShortcutHelp(texts.desk.tabs.queue, texts.queue.keys as HelpRow[]);
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
        <div class="doubts-body stack">
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
                others={({ choice, envelope }) => issuesAlike(items, item, choice.do, envelope)}
                onTakeBack={() => takeBack([item])}
                onNext={upcoming && (() => show(upcoming))}
                lead={current.others && <DecidedByOthers item={item} />}
              />
            )}
            {!item && !gone && <Skeleton rows={3} />}
          </div>
        </div>
      )}
    </div>
  );
}

// How many issues are decided, the filter, and how many photos may add issues.
function ReviewProgress({ game, data, standing, kind, onFilter }: FilterProps) {
  const all = data.open + data.ruled; // without those that are only listed
  return (
    <div class="row doubts-bar below">
      {all > 0 && (
        <div class="settled-count grow">
          <label class="number" for="settled-progress">
            {texts.queue.progress({ settled: data.ruled, all })}
          </label>
          <progress id="settled-progress" max={all} value={data.ruled} />
        </div>
      )}
      <IssueFilter game={game} data={data} standing={standing} kind={kind} onFilter={onFilter} />
      {data.waiting > 0 && (
        <p class="row soft">
          <Icon name="clock" />
          {texts.queue.stillRead({ count: data.waiting })}
        </p>
      )}
    </div>
  );
}

const GoneIssue = ({ onNext }: { onNext: () => void }) => (
  <div class="panel" role="status">
    <h2>{texts.queue.othersSettled}</h2>
    <button type="button" onClick={onNext}>
      {texts.queue.next}
    </button>
  </div>
);

const DecidedByOthers = ({ item }: { item: IssueModel }) => (
  <p class="row note below" role="status">
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
    <div class="doubt-list">
      <ol class="stack scroll" ref={box}>
        {items.map((item) => (
          <li key={item.key} data-standing={item.standing}>
            <button
              type="button"
              class="choice"
              aria-current={item.key === current ? "true" : undefined}
              onClick={() => onLook(item)}
            >
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
      {total > items.length && <p class="caption">{texts.queue.more({ count: total - items.length })}</p>}
    </div>
  );
}

type NoIssuesProps = Pick<IssuesProps, "game" | "standing"> & { data: QueueModel };

function NoIssues({ game, data, standing }: NoIssuesProps) {
  const words = standing === "open" ? (data.waiting ? texts.queue.emptyYet : texts.queue.empty) : texts.queue.emptyFilter;
  return (
    <div class="panel stack center all-clear">
      <Icon name="check" />
      <h2>{words}</h2>
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
      aria-label={texts.queue.parts.doubts}
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
