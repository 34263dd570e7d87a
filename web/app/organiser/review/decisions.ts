// Decisions on issues: of one or of several alike, with cards that are entered by hand.

import type { DecisionBody, DecisionOutcomeModel, IssueModel, QueueModel } from "../../../api";
import { type Problem, request } from "../../shared/http";
import { enterCard, type OwnDecision } from "./card-entry";
import type { Moves } from "./evidence";
import { PLAYERS_LIST } from "./issue-text";

// Decide issues in the same way, and move cards to other piles. What was done is added to `done`, also if a later request fails;
// `onDecided` gets each response, null where a player's list was entered.
type Decisions = {
  game: string;
  issues: IssueModel[];
  body: DecisionBody;
  moves: Moves;
  done: OwnDecision[];
  onDecided: (issue: IssueModel, response: DecisionOutcomeModel | null) => void;
};

export async function decideIssues({ game, issues, body, moves, done, onDecided }: Decisions) {
  for (const issue of issues) {
    if (body.do === PLAYERS_LIST.do) {
      await enterList(game, issue, body.reason, done);
      onDecided(issue, null);
    } else {
      const response = await sendDecision(game, issue, body);
      done.push({ key: issue.key, revision: response.item?.revision });
      onDecided(issue, response);
    }
  }
  await moveCards(game, moves, body, done);
}

// Decide an issue. An earlier decision may have changed it, such as the owner of its photo: if it is still open and about the
// same, decide it all the same.
async function sendDecision(game: string, item: IssueModel, body: DecisionBody) {
  const path = `/api/v1/games/${game}/queue/${encodeURIComponent(item.key)}`;
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

// Enter each card that differs from a player's list by hand; what was done is added to `done`.
async function enterList(game: string, item: IssueModel, reason: string, done: OwnDecision[]) {
  const [envelope = 0] = item.envelopes;
  for (const code of item.missing) done.push(await enterCard(game, { code, envelope, do: "add", reason }));
  for (const code of item.extra) done.push(await enterCard(game, { code, envelope, do: "remove", reason }));
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
export function withDecision(before: QueueModel | null, key: string, outcome: DecisionOutcomeModel | null): QueueModel | null {
  if (!before) return before;
  const response = outcome ?? { item: null, open: before.open - 1 };
  const items = before.items.map((item) =>
    item.key === key ? (response.item ?? { ...item, standing: "settled" as const }) : item,
  );
  const ruled = (item: IssueModel | null | undefined) => (item?.standing === "ruled" ? 1 : 0);
  const more = ruled(response.item) - ruled(before.items.find((item) => item.key === key));
  return { ...before, items, open: response.open, ruled: before.ruled + more };
}
