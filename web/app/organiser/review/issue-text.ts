// Texts of issues in the page's language, and the options of a decision.

import type { CardNameModel, ChoiceModel, DecisionModel, IssueModel, SuggestionModel } from "../../../api";
import { formatList, language, say, texts } from "../../shared/i18n";

export const cardText = (card: CardNameModel) => (card.code ? `${card.name} ${card.code}` : card.name);

// Return the kind of an issue by its key alone.
export const kindOf = (key: string) => {
  const [name = "", rest] = key.split(":");
  const kinds: Record<string, string | undefined> = { picture: "no-label", decks: "two-decks", code: rest, hand: "by-hand" };
  return kinds[name] ?? name;
};

export const kindText = (kind: string) => (texts.queue.kinds as Record<string, string>)[kind] ?? kind;

// Kinds of issues about whole envelopes, which have no photos of their own.
export const KINDS_OF_ENVELOPES = new Set(["count", "missing", "unseen", "sealed", "late"]);

// Return the name of an issue in a list, with the envelope's number if it is about a whole envelope.
export function nameOf({ kind, envelopes: [envelope] }: IssueModel): string {
  return envelope !== undefined && KINDS_OF_ENVELOPES.has(kind) ? envelopeText(envelope, kindText(kind)) : kindText(kind);
}

// Return a sentence about an issue. It may begin with a reason or a card, whose names need not have a capital.
export function sentenceOf(item: IssueModel): string {
  const [card] = item.cards;
  const says: Record<string, Parameters<typeof say>[0] | undefined> = texts.queue.says;
  const words = says[item.kind];
  if (!words) return item.text;
  const sentence = say(words, {
    envelope: item.envelopes[0],
    envelopes: formatList(item.envelopes),
    known: item.envelopes.length > 0,
    card: card && cardText(card),
    cards: item.cards.length,
    times: item.places.length,
    found: item.kind === "count" && countsText(item),
    case: item.case.replaceAll("-", "_"), // names in messages have no hyphens
    says: item.says,
    why: reasonText(item.case),
  });
  return sentence.charAt(0).toLocaleUpperCase(language()) + sentence.slice(1);
}

// Return why a picture, or a place in one, was not read.
export function reasonText(reason: string): string {
  const places: Record<string, { title: string } | undefined> = texts.doubtWords;
  const files: Record<string, string | undefined> = texts.queue.why;
  const problems: Record<string, { title?: string; detail: unknown } | undefined> = texts.problems;
  const file = files[reason] ?? problems[reason]?.title;
  return file ? `${file}.` : (places[reason] ?? texts.doubtWords.unread).title;
}

// Return how the cards that were seen differ from those that were expected.
function countsText({ missing, extra, seen, expected, case: who }: IssueModel): string {
  const words = texts.queue.counts;
  const differences = [
    missing.length > 0 && words.missing({ count: missing.length }),
    extra.length > 0 && words.extra({ count: extra.length }),
    expected !== null && words.seen({ seen: seen ?? 0, expected, case: who }),
  ];
  return differences.filter(Boolean).join(", ");
}

// Return the envelopes of an issue with their players' names.
export const envelopesText = (item: IssueModel) =>
  item.envelopes.map((number, at) => envelopeText(number, item.players[at])).join(" · ");
export const envelopeText = (number: number, name: string | null | undefined) =>
  name ? texts.desk.named({ what: texts.envelope({ number }), name }) : texts.envelope({ number });

export const hintText = (hint: SuggestionModel) => say(texts.queue.hints[hint.how], { shared: hint.shared });

const SETTLED_BY_PHOTOS = ["elsewhere", "envelope", "shown", "retaken"]; // ways in which other photos settle an issue
export function settledText({ settled_by: by, settled }: IssueModel): string {
  const words: Record<string, string> = texts.queue.settledBy;
  return words[SETTLED_BY_PHOTOS.includes(by) ? "elsewhere" : by] ?? settled;
}

const MAX_ENVELOPE_OPTIONS = 6; // envelopes with a key of their own; with more the number is typed

// One of the options of a decision: a choice of the server, perhaps with an envelope.
export type Option = { choice: ChoiceModel; envelope?: number; hint?: SuggestionModel | undefined };

// Return the options of a decision: the server's choices, with the likely envelopes first.
export function optionsOf(item: IssueModel): Option[] {
  return item.choices.flatMap((choice): Option[] => {
    if (!choice.needs.includes("envelope") || choice.needs.includes("card")) return [{ choice }];
    if (choice.envelopes.length && choice.envelopes.length <= MAX_ENVELOPE_OPTIONS)
      return choice.envelopes.map((envelope) => ({ choice, envelope }));
    const hints = new Map(item.suggestions.map((idea) => [idea.envelope, idea]));
    const likely = [...new Set([...hints.keys(), ...(item.kind === "two-labels" ? item.envelopes : [])])];
    return [...likely.map((envelope) => ({ choice, envelope, hint: hints.get(envelope) })), { choice }];
  });
}

// Return a text for this kind of issue, otherwise the one for all kinds.
type Words = Parameters<typeof say>[0];

function textFor(group: "choices" | "reasons", kind: string, name: string): Words | undefined {
  const words = texts.queue[group] as unknown as Record<string, Record<string, Words> | undefined>;
  return words[kind]?.[name] ?? words.all?.[name];
}

function choiceText(item: IssueModel, name: string, envelope: number | null | undefined, fallback: string) {
  return say(textFor("choices", item.kind, name) ?? fallback, { envelope: envelope ?? 0 });
}

export const optionText = (item: IssueModel, { choice, envelope }: Option) => choiceText(item, choice.do, envelope, choice.text);

export const decisionText = (item: IssueModel, decision: DecisionModel) =>
  decision.envelopes
    ? texts.queue.splitAs({ envelopes: formatList(decision.envelopes.map((number) => String(number ?? texts.queue.nobody))) })
    : choiceText(item, decision.do, decision.envelope, decision.do);

// The default reason of a decision: what an organiser wrote the last time, if anything.
const writtenReasons = new Map<string, string>();
const reasonKey = (item: IssueModel, name: string) => `${item.kind}/${name}`;
export const defaultReason = (item: IssueModel, name: string) =>
  writtenReasons.get(reasonKey(item, name)) ?? String(textFor("reasons", item.kind, name) ?? texts.queue.reasons.all.other);
export const storeReason = (item: IssueModel, name: string, reason: string) => writtenReasons.set(reasonKey(item, name), reason);
