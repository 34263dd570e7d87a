"""The best deck of an edition: proven where that is possible, otherwise the best that was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.scoring import Hand, HandResult, Scorer
from server.search.exact import LIMIT, TooManyError, proven_best
from server.search.local import found_best
from server.search.space import Space
from server.search.stock import stock

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.scoring import Edition, Result

STARTS = 20
"""Random starts where nothing can be proven."""


class NoDeckError(ValueError):
    """Every deck that was looked at is eliminated."""


@dataclass(frozen=True)
class Found:
    """The best deck: the result of scoring it beside the other hands, its own hand, and whether it is proven best."""

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
    player: str = "Best",
    starts: int = STARTS,
    limit: int = LIMIT,
) -> Found:
    """Return a deck of highest score with at most `most` cards, within what was printed for `players`.

    It is scored beside the `others`, whose cards come from the same print. `starts` is the number of random starts
    where the best cannot be proven within `limit` holdings. Facts count as not entered, and decks lie in no parts, so
    for editions that know them nothing is proven. ScoringError for settings and rules that the edition does
    not know, NoDeckError where every deck is eliminated.
    """
    scorer = Scorer(edition, settings, active_rules)
    held: dict[str, int] = {}
    for other in others:
        for kind, number in other.cards.items():
            held[kind] = held.get(kind, 0) + number
    left = {kind: max(copies - held.get(kind, 0), 0) for kind, copies in stock(edition, players).items()}
    active = tuple(rule.key for rule in scorer.active)
    space = Space(edition, left, most, dict(settings or {}), active, tuple(others), player)
    try:
        best = proven_best(space, limit)
        holding, proven = best and best.holding, True
    except TooManyError:
        holding, proven = found_best(space, starts), False
    if holding is None:
        raise NoDeckError("every deck within these limits is eliminated; allow more cards or other rules")
    order = {kind.slug: place for place, kind in enumerate(edition.kinds)}
    cards = {kind: holding.cards[kind] for kind in sorted(holding.cards, key=order.__getitem__)}
    result = scorer.score([Hand(player, cards), *others], provisional=False)
    hand = next(hand for hand in result.hands if hand.hand.player == player)
    if proven and best and hand.score != best.points:
        raise AssertionError(f"the search counts {best.points} for {cards}, the engine {hand.score}")
    # Only cards are tried: an edition that asks for facts, or lets a deck lie in parts, may have better ones.
    return Found(result, hand, proven and not edition.facts and not edition.parts)
