"""The best deck of an edition: proven if that is possible, otherwise the best that a random search finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.optimizer.exact import LIMIT, Candidate, proven_best
from server.optimizer.local import local_best
from server.optimizer.space import Encoding, SearchTooLargeError, Space, supply
from server.scoring import Hand, HandResult, Scorer, ScoringError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.optimizer.local import WholeDeck
    from server.scoring import Edition, Result

STARTS = 20
"""Random starts if the best deck cannot be proven."""


class NoDeckError(ValueError):
    """All decks that were tried are eliminated."""


@dataclass(frozen=True)
class BestDeck:
    """The best deck: the result of scoring it with the other hands, its own hand, and whether it is proven."""

    result: Result
    hand: HandResult
    proven: bool


def best_deck(
    edition: Edition,
    players: int,
    most: int,
    settings: Mapping[str, int | str] | None = None,
    active_rules: Iterable[int | str] | None = None,
    others: Sequence[Hand] = (),
    *,
    facts: Mapping[str, int] | None = None,
    player: str = "Best",
    starts: int = STARTS,
    limit: int = LIMIT,
) -> BestDeck:
    """Return a deck of highest score with at most `most` cards of those that are printed for `players`.

    It is scored with the `others`, whose cards come from the same print. Parts of the deck, cancelled rules and facts
    that are not in `facts` are chosen to bring the most points. `starts` is the number of random starts if the best
    deck cannot be proven within `limit` holdings. ScoringError for unknown settings, rules and facts, NoDeckError if
    all decks are eliminated.
    """
    _check_facts(edition, facts or {})
    scorer = Scorer(edition, settings, active_rules)
    held: dict[str, int] = {}
    for other in others:
        for kind, number in other.cards.items():
            held[kind] = held.get(kind, 0) + number
    left = {kind: max(copies - held.get(kind, 0), 0) for kind, copies in supply(edition, players).items()}
    active = tuple(rule.key for rule in scorer.active)
    space = Space(edition, left, most, dict(settings or {}), active, tuple(others), player, dict(facts or {}))
    best: Candidate | WholeDeck | None
    try:
        best, proven = proven_best(space, limit), True
    except SearchTooLargeError:
        best, proven = local_best(space, starts), False
    if best is None:
        raise NoDeckError("every deck within these limits is eliminated; allow more cards or other rules")
    hand = _sorted(edition, Encoding(edition, space.facts).hand(player, best.holding.cards, best.cancels))
    result = scorer.score([hand, *others], provisional=False)
    scored = next(other for other in result.hands if other.hand.player == player)
    if isinstance(best, Candidate) and scored.score != best.points:
        raise AssertionError(f"the search counts {best.points} for {hand}, the engine {scored.score}")
    return BestDeck(result, scored, proven)


def _check_facts(edition: Edition, facts: Mapping[str, int]) -> None:
    for name, value in facts.items():
        fact = edition.fact_of.get(name)
        if fact is None:
            known = f"it asks for {', '.join(edition.fact_of)}" if edition.facts else "it asks for none"
            raise ScoringError(f"{edition.slug} asks for no fact '{name}' ({known})")
        if not fact.takes(value):
            raise ScoringError(f"fact {name} is {value}, but must be {fact.expects}")


def _sorted(edition: Edition, hand: Hand) -> Hand:
    """Return a hand with its cards, parts and all facts in the order of the edition."""
    order = {kind.slug: index for index, kind in enumerate(edition.kinds)}

    def cards(counts: Mapping[str, int]) -> dict[str, int]:
        return {kind: counts[kind] for kind in sorted(counts, key=order.__getitem__)}

    return Hand(
        hand.player,
        cards(hand.cards),
        cancels=hand.cancels,
        facts={fact.name: hand.facts.get(fact.name, fact.default) for fact in edition.facts},
        parts={part.slug: cards(hand.parts[part.slug]) for part in edition.parts if part.slug in hand.parts},
    )
