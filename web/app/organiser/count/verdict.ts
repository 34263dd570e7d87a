// The verdict on a photo of an envelope, for the person who still has the cards in front of them.

import type { IssueModel, PhotoDetailModel } from "../../../api";
import type { View } from "../../camera/viewfinder";

export type AdviceName = "failed" | "no-label" | "two-labels" | "nothing" | "count";

// `advice` names what a retake would mend; `expected` is the number of cards there should be, if it differs. `desk` are kinds
// of issues that no retake mends.
export type Verdict = {
  envelope: number | null;
  cards: number;
  expected: number | null;
  advice: AdviceName | null;
  desk: string[];
};

const ADVICE: Partial<Record<IssueModel["kind"], AdviceName>> = {
  failed: "failed",
  "two-labels": "two-labels",
  "no-label": "no-label",
  nothing: "nothing",
  count: "count",
  doubt: "count",
  incomplete: "count",
};
const ORDER: AdviceName[] = ["failed", "two-labels", "no-label", "nothing", "count"];

// Return the verdict on a photo, null while it has not been read. `more` are issues about its envelope.
export function verdictOf(photo: PhotoDetailModel, more: IssueModel[] = []): Verdict | null {
  if (photo.state !== "done" && photo.state !== "failed") return null;
  const open = [...photo.items, ...more].filter(({ standing }) => standing === "open");
  const advised = new Set(open.map(({ kind }) => ADVICE[kind]));
  const count = open.find(({ kind }) => kind === "count");
  const unread = open.filter(({ kind }) => kind === "doubt").length;
  return {
    envelope: photo.envelopes[0] ?? photo.labels[0] ?? null,
    cards: count?.seen ?? photo.cards,
    expected: count?.expected ?? (unread ? photo.cards + unread : null),
    advice: photo.state === "failed" ? "failed" : (ORDER.find((name) => advised.has(name)) ?? null),
    desk: [...new Set(open.map(({ kind }) => kind).filter((kind) => !ADVICE[kind]))],
  };
}

// Return the envelope in a photo, by its verdict or the label in the live view.
export const envelopeIn = ({ view, verdict }: { view: View; verdict: Verdict | null }): number | null =>
  verdict ? verdict.envelope : (view.labels[0] ?? null);

// Return whether the live view shows what an earlier photo shows: its label, or one of its cards. Otherwise a new photo must not
// replace it, since another envelope may lie there already.
export function isRetake(before: { view: View; verdict: Verdict | null }, { labels, cards }: View): boolean {
  const envelope = envelopeIn(before);
  if (envelope === null && !before.view.cards.length) return true;
  return (envelope !== null && labels.includes(envelope)) || cards.some((card) => before.view.cards.includes(card));
}
