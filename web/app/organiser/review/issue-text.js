// What items of the queue say, in the page's language, by their kind and their facts.

import { language, texts } from "../../shared/i18n.js";

const list = (parts) => new Intl.ListFormat(language(), { type: "conjunction" }).format(parts.map(String));

export const cardText = (card) => (card.code ? `${card.name} ${card.code}` : card.name);

// The kind of an item by its key, where the item itself is not there.
export const kindOf = (key) => {
  const [name, rest] = key.split(":");
  return { picture: "no-label", decks: "two-decks", code: rest, hand: "by-hand" }[name] ?? name;
};

export const nameOf = (item) => texts.queue.kinds[item.kind];

// One sentence about what there is to look at.
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

// Whom an item is about: envelopes with their players' names.
export const whomOf = (item) => item.envelopes.map((number, at) => envelopeText(number, item.players[at])).join(" · ");
export const envelopeText = (number, name) => (name ? `${texts.envelope(number)}: ${name}` : texts.envelope(number));

export const hintText = (hint) => hint && (texts.queue.hints[hint.how]?.(hint.shared) ?? hint.why);
export const settledText = (item) => texts.queue.settledBy[item.settled_by] ?? item.settled;

// What may be decided on an item, each with a key of its own: the server's choices, and where one takes an envelope, the
// likely ones first.

const FEW = 6; // so many envelopes get a key each; with more a number is typed

// Each option: { choice, envelope?, hint? }. `envelope` is given where the option names it already.
export function optionsOf(item) {
  return item.choices.flatMap((choice) => {
    if (!choice.needs.includes("envelope") || choice.needs.includes("card")) return [{ choice }];
    if (choice.envelopes.length && choice.envelopes.length <= FEW) return choice.envelopes.map((envelope) => ({ choice, envelope }));
    const hints = new Map(item.suggestions.map((idea) => [idea.envelope, idea]));
    const likely = [...new Set([...hints.keys(), ...(item.kind === "two-labels" ? item.envelopes : [])])];
    return [...likely.map((envelope) => ({ choice, envelope, hint: hints.get(envelope) })), { choice }];
  });
}

// Words by kind where there are any, else those that fit all kinds.
const worded = (group, kind, name) => texts.queue[group][kind]?.[name] ?? texts.queue[group].all[name];

export function optionText(item, { choice, envelope }) {
  const words = worded("choices", item.kind, choice.do) ?? choice.text;
  return typeof words === "function" ? words(envelope) : words;
}

export const decisionText = (item, decision) => {
  const words = worded("choices", item.kind, decision.do) ?? decision.do;
  if (decision.envelopes) return texts.queue.splitAs(decision.envelopes);
  return typeof words === "function" ? words(decision.envelope) : words;
};

// The reason that is offered for a decision; what somebody wrote instead is offered the next time.
const written = new Map();
const place = (item, name) => `${item.kind}/${name}`;
export const usualReason = (item, name) => written.get(place(item, name)) ?? worded("reasons", item.kind, name) ?? texts.queue.reasons.all.other;
export const keepReason = (item, name, reason) => written.set(place(item, name), reason);
