// Decisions on issues: of one or of several alike, with cards that are entered by hand.

import { useEffect, useRef, useState } from "preact/hooks";
import type { DecisionBody, DecisionOutcomeModel, FullGameModel, IssueModel, QueueModel } from "../../../api";
import { DOUBLE_CLICK_TIME } from "../../shared/dialog";
import { Problem, request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { announce } from "../../shared/notices";
import type { LiveData } from "../live";
import { enterCard, type OwnDecision, takeBackDecision } from "./card-entry";
import type { CurrentIssue } from "./current-issue";
import type { Moves } from "./evidence";
import { decisionText, defaultReason } from "./issue-text";

// Return the envelope that an issue's first suggestion names, if there are grounds for it: its player's list, or the envelopes
// around a missing one. Envelopes that have been photographed are left to people.
export function suggestedEnvelope({ suggestions: [first] }: IssueModel): number | undefined {
  return first && !first.photographed && ["list", "between"].includes(first.how) ? first.envelope : undefined;
}

// Return the other open issues of an issue's kind that can be decided like it; each player's list is looked at by itself. If it is decided for the suggested envelope, these
// are the issues with a suggestion of their own; envelopes that are suggested twice are left to people.
export function issuesAlike(items: IssueModel[], item: IssueModel, act: string, envelope?: number | null): IssueModel[] {
  const others = items.filter(
    ({ key, kind, standing, choices }) =>
      key !== item.key && kind === item.kind && standing === "open" && choices.some((one) => one.do === act),
  );
  if (act === "list") return [];
  if (!envelope) return others;
  if (envelope !== suggestedEnvelope(item)) return [];
  const suggested = [item, ...others].map(suggestedEnvelope);
  return others.filter((one) => {
    const number = suggestedEnvelope(one);
    return number && suggested.filter((other) => other === number).length === 1;
  });
}

// Decide issues in the same way, each for its suggested envelope if the first one is, and move cards to other piles. It ends with
// a Problem at the first suggestion that has changed. What was done is added to `done`, also if a later request fails; `onDecided` gets each response.
type Decisions = {
  game: string;
  issues: IssueModel[];
  body: DecisionBody;
  moves: Moves;
  done: OwnDecision[];
  onDecided: (issue: IssueModel, response: DecisionOutcomeModel) => void;
};

export async function decideIssues({ game, issues, body, moves, done, onDecided }: Decisions) {
  for (const issue of issues) {
    const own = body.envelope && issue !== issues[0] ? { ...body, envelope: await unchangedSuggestion(game, issue) } : body;
    const response = await sendDecision(game, issue, own);
    const entered = response.entered.map(({ key, revision }) => ({ key, revision, of: issue.key }));
    done.push(...(entered.length ? entered : [{ key: issue.key, revision: response.item?.revision }]));
    onDecided(issue, response);
  }
  await moveCards(game, moves, body, done);
}

const pathOf = (game: string, { key }: IssueModel) => `/api/v1/games/${game}/queue/${encodeURIComponent(key)}`;

// Return the suggested envelope of an issue, unless the server has another suggestion by now.
async function unchangedSuggestion(game: string, item: IssueModel): Promise<number> {
  const envelope = suggestedEnvelope(item);
  const now = await request<IssueModel>(pathOf(game, item));
  if (!envelope || suggestedEnvelope(now) !== envelope) throw new Problem("changed");
  return envelope;
}

// Decide an issue. An earlier decision may have changed it, such as the owner of its photo: if it is still open and about the
// same, decide it all the same.
async function sendDecision(game: string, item: IssueModel, body: DecisionBody) {
  const path = pathOf(game, item);
  const put = (revision: string) => request<DecisionOutcomeModel>(`${path}/ruling`, { method: "PUT", body, revision });
  try {
    return await put(item.revision);
  } catch (problem) {
    if ((problem as Problem).slug !== "changed" || item.standing !== "open") throw problem;
    const now = await request<IssueModel>(path);
    if (now.standing !== "open" || subjectOf(now) !== subjectOf(item)) throw problem;
    return put(now.revision);
  }
}

// Move cards to other piles than those in which they were read.
async function moveCards(game: string, moves: Moves, { envelopes, reason }: DecisionBody, done: OwnDecision[]) {
  for (const [code, { from, to }] of Object.entries(envelopes ? moves : {})) {
    const [before, after] = [envelopes?.[from], envelopes?.[to]];
    // Add first: if the network is lost in between, the card is in two decks, which is an issue, and not in none.
    if (after && before !== after) done.push(await enterCard(game, { code, envelope: after, do: "add", reason }));
    if (before && before !== after) done.push(await enterCard(game, { code, envelope: before, do: "remove", reason }));
  }
}

const subjectOf = ({ kind, cards, missing, extra, places, choices }: IssueModel) =>
  JSON.stringify([kind, cards, missing, extra, places, choices]);

// Return the queue after a decision, until the server has been asked again.
export function withDecision(before: QueueModel | null, key: string, response: DecisionOutcomeModel): QueueModel | null {
  if (!before) return before;
  const items = before.items.map((item) =>
    item.key === key ? (response.item ?? { ...item, standing: "settled" as const }) : item,
  );
  const ruled = (item: IssueModel | null | undefined) => (item?.standing === "ruled" ? 1 : 0);
  const more = ruled(response.item) - ruled(before.items.find((item) => item.key === key));
  return { ...before, items, open: response.open, ruled: before.ruled + more };
}

// Return functions to decide the current issue, several of its kind, or to take decisions back.
type DecisionsProps = { game: FullGameModel; queue: LiveData<QueueModel>; refetch: () => void };

export function useDecisions({ game, queue, refetch }: DecisionsProps, current: CurrentIssue) {
  const { item, items, shown, moveTo, advance, advancedAt, following } = current;
  const [choice, setChoice] = useState<{ of: number; number: number | null } | null>(null);
  const chosen = choice?.of === shown ? choice.number : null;
  const [actionProblem, setActionProblem] = useState<Problem | null>(null);
  const ownDecisions = useRef<OwnDecision[][]>([]); // own decisions, newest last, to undo by a key
  const deciding = useRef(false);
  useEffect(() => setActionProblem(null), [shown]);

  const decide = async (body: DecisionBody, all = false, moves: Moves = {}) => {
    if (!item) return;
    const done: OwnDecision[] = [];
    ownDecisions.current.push(done);
    const issues = all ? [item, ...issuesAlike(items, item, body.do, body.envelope)] : [item];
    const onDecided = ({ key }: IssueModel, response: DecisionOutcomeModel) =>
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
    const next = following(all ? new Set(done.map(({ key }) => key)) : undefined);
    queue.refetch();
    refetch();
    announce(texts.queue.said({ what: decisionText(item, body) }));
    advance(next);
  };

  const takeBack = async (decisions: OwnDecision[]) => {
    setActionProblem(null);
    const [first] = decisions;
    try {
      for (const { key, revision } of [...decisions].reverse()) {
        await takeBackDecision(game.id, key, revision);
        // After a failure the key continues with the rest.
        decisions.pop();
      }
      ownDecisions.current = ownDecisions.current.filter((one) => one !== decisions);
      // First: until the queue is there, the other issues seem settled, and a decision on all alike would leave them out.
      await queue.refetch();
      moveTo(first && { key: first.of ?? first.key });
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
      setChoice({ of: shown, number });
      return;
    }
    // A double click, or a key meant for the issue before, does not decide the next one, which nobody has seen yet.
    if (deciding.current || performance.now() - advancedAt.current < DOUBLE_CLICK_TIME) return;
    deciding.current = true;
    decide({ do: "accept", reason: defaultReason(item, "accept") })
      .catch(setActionProblem)
      .finally(() => {
        deciding.current = false;
      });
  };
  return { chosen, choose, decide, takeBack, undo, actionProblem };
}
