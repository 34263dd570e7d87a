// What may be decided on an item, each with a key of its own: the server's choices, and where one takes an envelope, the
// likely ones first.

import { texts } from "../../shared/texts.js";

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
