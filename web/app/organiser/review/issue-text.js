// Texts of issues in the page's language, and the options of a decision.

import { language, texts } from "../../shared/i18n";

const list = (parts) => new Intl.ListFormat(language(), { type: "conjunction" }).format(parts.map(String));

export const cardText = (card) => (card.code ? `${card.name} ${card.code}` : card.name);

// Return the kind of an issue by its key alone.
export const kindOf = (key) => {
  const [name, rest] = key.split(":");
  return { picture: "no-label", decks: "two-decks", code: rest, hand: "by-hand" }[name] ?? name;
};

export const nameOf = (item) => texts.queue.kinds[item.kind];

// Return a sentence about an issue.
export function sentenceOf(item) {
  const [card] = item.cards;
  return texts.queue.says[item.kind]({
    envelope: item.envelopes[0],
    envelopes: list(item.envelopes),
    card: card && cardText(card),
    cards: item.cards.length,
    times: item.places.length,
    missing: item.missing.length,
    extra: item.extra.length,
    seen: item.seen,
    expected: item.expected,
    case: item.case,
    says: item.says,
    why: texts.queue.why[item.case] ?? item.case,
  });
}

// Return the envelopes of an issue with their players' names.
export const envelopesText = (item) => item.envelopes.map((number, at) => envelopeText(number, item.players[at])).join(" · ");
export const envelopeText = (number, name) => (name ? `${texts.envelope(number)}: ${name}` : texts.envelope(number));

export const hintText = (hint) => hint && (texts.queue.hints[hint.how]?.(hint.shared) ?? hint.why);
export const settledText = (item) => texts.queue.settledBy[item.settled_by] ?? item.settled;

const MAX_ENVELOPE_OPTIONS = 6; // envelopes with a key of their own; with more the number is typed

// Return the options of a decision: { choice, envelope?, hint? }, the server's choices, with the likely envelopes first.
export function optionsOf(item) {
  return item.choices.flatMap((choice) => {
    if (!choice.needs.includes("envelope") || choice.needs.includes("card")) return [{ choice }];
    if (choice.envelopes.length && choice.envelopes.length <= MAX_ENVELOPE_OPTIONS)
      return choice.envelopes.map((envelope) => ({ choice, envelope }));
    const hints = new Map(item.suggestions.map((idea) => [idea.envelope, idea]));
    const likely = [...new Set([...hints.keys(), ...(item.kind === "two-labels" ? item.envelopes : [])])];
    return [...likely.map((envelope) => ({ choice, envelope, hint: hints.get(envelope) })), { choice }];
  });
}

// Return a text for this kind of issue, otherwise the one for all kinds.
const textFor = (group, kind, name) => texts.queue[group][kind]?.[name] ?? texts.queue[group].all[name];

export function optionText(item, { choice, envelope }) {
  const words = textFor("choices", item.kind, choice.do) ?? choice.text;
  return typeof words === "function" ? words(envelope) : words;
}

export const decisionText = (item, decision) => {
  const words = textFor("choices", item.kind, decision.do) ?? decision.do;
  if (decision.envelopes) return texts.queue.splitAs(decision.envelopes);
  return typeof words === "function" ? words(decision.envelope) : words;
};

// The default reason of a decision: what an organiser wrote the last time, if anything.
const writtenReasons = new Map();
const reasonKey = (item, name) => `${item.kind}/${name}`;
export const defaultReason = (item, name) =>
  writtenReasons.get(reasonKey(item, name)) ?? textFor("reasons", item.kind, name) ?? texts.queue.reasons.all.other;
export const storeReason = (item, name, reason) => writtenReasons.set(reasonKey(item, name), reason);
