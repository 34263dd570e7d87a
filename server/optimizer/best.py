"""The best deck of an edition: proven by the solver if possible, otherwise the best that a random search finds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from server.optimizer.local import local_best
from server.optimizer.space import Space, supply
from server.scoring import Hand, HandResult, Scorer, ScoringError, decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from fractions import Fraction

    from server.optimizer.solver.proof import Solution
    from server.scoring import Edition, Result
    from server.scoring.rules import Points

STARTS = 20
"""Random starts if the best deck cannot be proven."""
SECONDS = 60.0
"""Most seconds that the solver searches for a proof, if it is installed, and that new starts are made afterwards."""


class NoDeckError(ValueError):
    """All decks that were tried are eliminated."""


class DisagreementError(Exception):
    """The solver and the engine score a deck differently, which is a mistake of this program."""


@dataclass(frozen=True)
class BestDeck:
    """The best deck: the result of scoring it with the other hands, its own hand, and whether it is proven.

    If it is not, `bound` may be a score above which no deck is, `starts` is the number of random starts, and `refused`
    what the solver cannot express.
    """

    result: Result
    hand: HandResult
    proven: bool
    bound: Fraction | None = None
    starts: int = 0
    refused: str = ""


def solver_is_installed() -> bool:
    """Return whether the solver, which belongs to the extra `prove`, is installed."""
    return find_spec("ortools") is not None


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
    seconds: float = SECONDS,
    clock: Callable[[], float] | None = None,
) -> BestDeck:
    """Return a deck of highest score with at most `most` cards of those that are printed for `players`.

    It is scored with the `others`, whose cards come from the same print. Parts of the deck, cancelled rules and facts
    that are not in `facts` are chosen to bring the most points. The solver, if it is installed and can express all
    rules, looks for a proof for some `seconds`. If it has no proof, decks from a number of random `starts` are
    improved; by a `clock` in seconds, none but the first starts after `seconds` more. 0 leaves out the solver and this
    limit. ScoringError for unknown settings, rules and facts, NoDeckError if all decks are eliminated,
    DisagreementError if the engine scores the solver's deck differently.
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
    solution, refused = _solution(space, seconds)
    found = [] if solution is None else [_scored(scorer, space, solution.hand, solution.points)]
    proven = solution is not None and solution.proven
    made = 0
    if not proven:
        end = clock() + seconds if clock and seconds else None
        deck, made = local_best(space, starts, lambda: clock is None or end is None or clock() < end)
        found.append(_scored(scorer, space, deck))
    best = _best(found, proven=proven, bound=solution and solution.bound, starts=made)
    return replace(best, refused=refused)


def _solution(space: Space, seconds: float) -> tuple[Solution | None, str]:
    """Return what the solver finds; None if it is not installed or cannot express a rule, which is named."""
    if not seconds or not solver_is_installed():
        return None, ""
    from server.optimizer.solver.proof import UnsupportedRuleError, solution  # noqa: PLC0415 - an extra, slow to import

    try:
        return solution(space, seconds), ""
    except UnsupportedRuleError as error:
        return None, str(error)


_Scored = tuple["Result", HandResult]


def _scored(scorer: Scorer, space: Space, deck: Hand | None, points: Points | None = None) -> _Scored | None:
    """Score a deck with the engine; DisagreementError if it does not have these points."""
    if deck is None:
        return None
    hand = _sorted(space.edition, deck)
    result = scorer.score([hand, *space.others], provisional=False)
    scored = next(other for other in result.hands if other.hand.player == space.player)
    if points is not None and (scored.eliminated or scored.score != points):
        what = "eliminates it" if scored.eliminated else f"counts {decimal(scored.score)}"
        cards = ", ".join(f"{number} {kind}" for kind, number in hand.cards.items())
        raise DisagreementError(
            f"the solver counts {decimal(points)} points for the deck {cards}, but the engine {what}; "
            "please report this, with the edition"
        )
    return result, scored


def _best(found: Iterable[_Scored | None], *, proven: bool, bound: Fraction | None, starts: int) -> BestDeck:
    """Return the deck of highest score, the first one if they tie; one that reaches the bound is proven."""
    decks = [one for one in found if one is not None]
    if not decks:
        raise NoDeckError("every deck within these limits is eliminated; allow more cards or other rules")
    result, hand = max(decks, key=lambda one: one[1].score)
    proven = proven or hand.score == bound
    return BestDeck(result, hand, proven, None if proven else bound, starts)


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
