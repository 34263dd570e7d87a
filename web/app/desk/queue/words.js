// What items of the queue say, in the page's language, by their kind and their facts.

import { language, texts } from "../../shared/texts.js";

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
