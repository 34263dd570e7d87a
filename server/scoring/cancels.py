"""Players who hand in a card that cancels a rule choose which: here the choices are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring.edition import Scope
from server.scoring.mistakes import shown
from server.scoring.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from server.scoring.edition import Edition, Rule


def cancelling(edition: Edition, active: Collection[str]) -> list[Rule]:
    """Return the active rules whose holders may cancel other rules."""
    return [
        rule
        for rule in edition.rules
        if rule.key in active and rule.scope is Scope.HOLDER and Phase.CANCEL in rule.phases
    ]


def cards_in_play(hands: Mapping[str, Mapping[str, int]]) -> frozenset[str]:
    """Return the kinds of card of which somebody handed in at least one. `hands` are the cards by player."""
    return frozenset(kind for cards in hands.values() for kind, number in cards.items() if number)


def choice_mistakes(
    edition: Edition,
    active: Collection[str],
    hands: Mapping[str, Mapping[str, int]],
    player: str,
    choices: Iterable[str],
    in_play: Collection[str] | None = None,
) -> Iterator[str]:
    """Yield a sentence for each mistake in a player's choices. `hands` are the cards of all players by name.

    `in_play` are the kinds of card that somebody handed in; to give them saves looking through all hands each time.
    """
    chosen = list(choices)
    cards = hands.get(player)
    if cards is None:
        yield "no hand has this player's name"
        return
    if not chosen:
        return
    held = [rule for rule in cancelling(edition, active) if cards.get(rule.card, 0)]
    if not held:
        yield "this player handed in no card that cancels a rule"
        return
    most = len({rule.effect for rule in held})
    if len(chosen) > most:
        yield f"names {len(chosen)} rules, but may cancel at most {most}"
    touched = edition.rule_of.keys() & set().union(*(rule.touches for rule in held))
    targets = sorted(touched, key=lambda key: edition.rule_of[key].place)
    present = cards_in_play(hands) if in_play is None else in_play
    for key in chosen:
        sentence = _mistake(edition, active, present, targets, key)
        if sentence:
            yield sentence


def _mistake(
    edition: Edition, active: Collection[str], in_play: Collection[str], targets: Sequence[str], key: str
) -> str | None:
    """Say why a rule cannot be cancelled; None if it can."""
    if key not in edition.rule_of:
        return f"{edition.slug} has no rule {shown(key)}"
    if key not in targets:
        return f"rule {key} cannot be cancelled (these can: {', '.join(targets)})"
    if key not in active:
        return f"rule {key} is not active in this game"
    if edition.rule_of[key].card not in in_play:
        return f"rule {key} is not in play: nobody handed in its card"
    return None
