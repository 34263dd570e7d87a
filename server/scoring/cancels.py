"""Players who hand in a card that cancels a rule choose which: here the choices are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring.edition import Scope
from server.scoring.mistakes import shown
from server.scoring.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from server.scoring.edition import Edition, Rule


def cancelling(edition: Edition, active: Collection[str]) -> list[Rule]:
    """Return the active rules whose holders may cancel other rules."""
    return [
        rule
        for rule in edition.rules
        if rule.key in active and rule.scope is Scope.HOLDER and Phase.CANCEL in rule.phases
    ]


def choice_mistakes(
    edition: Edition,
    active: Collection[str],
    hands: Mapping[str, Mapping[str, int]],
    player: str,
    choices: Iterable[str],
) -> Iterator[str]:
    """Yield a sentence for each mistake in a player's choices. `hands` are the cards of all players by name."""
    chosen = list(choices)
    if not chosen:
        return
    cards = hands.get(player)
    if cards is None:
        yield "no hand has this player's name"
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
    for key in chosen:
        if key not in edition.rule_of:
            yield f"{edition.slug} has no rule {shown(key)}"
        elif key not in targets:
            yield f"rule {key} cannot be cancelled (these can: {', '.join(targets)})"
        elif key not in active:
            yield f"rule {key} is not active in this game"
        elif not any(other.get(edition.rule_of[key].card, 0) for other in hands.values()):
            yield f"rule {key} is not in play: nobody handed in its card"
