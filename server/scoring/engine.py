"""Scores all hands of a game at once. Pure: the same hands and settings give the same result, always."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from server.scoring.count import count, move_numbers
from server.scoring.numbers import Numbers
from server.scoring.phases import Phase
from server.scoring.ranking import places
from server.scoring.result import HandResult, Result
from server.scoring.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.scoring.edition import Edition
    from server.scoring.hand import Hand


class ScoringError(ValueError):
    """A hand, a setting or a choice of rules that the edition does not know. The message is one line for people."""


class Scorer:
    """An edition with a game's settings and active rules, ready to score any number of hands.

    `settings` are whole numbers by name, the defaults of the edition where left out. `active_rules` are rules'
    keys or numbers; None means all. A rule that is not active does nothing. ScoringError for what is unknown.
    """

    def __init__(
        self,
        edition: Edition,
        settings: Mapping[str, int] | None = None,
        active_rules: Iterable[int | str] | None = None,
    ) -> None:
        self.edition = edition
        self.settings = _settings(edition, settings or {})
        active = _active(edition, active_rules)
        self._numbers = {
            rule.key: Numbers({**rule.numbers, **{name: self.settings[name] for name in rule.settings}})
            for rule in edition.rules
            if rule.key in active
        }
        acting = [rule for rule in edition.rules if rule.key in active and rule.act is not None]
        self._program = [(phase, [rule for rule in acting if rule.phase is phase]) for phase in Phase]
        self._ties = [tie for tie in edition.ties if tie.rule is None or tie.rule in active]
        self._order = {kind.slug: place for place, kind in enumerate(edition.kinds)}
        self._categories = {kind.slug: kind.category for kind in edition.kinds}
        self._serials = {kind.slug: kind.number for kind in edition.kinds if kind.number is not None}

    def score(self, hands: Sequence[Hand]) -> Result:
        """Score and rank the hands of one game; ScoringError for a card that the edition does not have."""
        seats = [self._seat(hand) for hand in hands]
        for phase, rules in self._program:
            for seat in seats:
                for rule in rules:
                    seat.run(rule)
            if phase is Phase.ADJUST:
                for seat in seats:
                    move_numbers(seat)
        counts = [count(seat, self.edition.valued) for seat in seats]
        scores = [Fraction(counted.points) for counted in counts]
        ranked = places(scores, [[tie.key(seat) for tie in self._ties] for seat in seats])
        return Result(
            self.edition,
            self.settings,
            tuple(
                HandResult(
                    edition=self.edition,
                    hand=hands[place.hand],
                    score=scores[place.hand],
                    rank=place.rank,
                    decided_by=None if place.decided_by is None else self._ties[place.decided_by].name,
                    seat=seats[place.hand],
                    count=counts[place.hand],
                )
                for place in ranked
            ),
        )

    def _seat(self, hand: Hand) -> Seat:
        """Sort a hand's cards by category, inside a category in the edition's order."""
        counts: dict[str, dict[str, int]] = {deal.category: {} for deal in self.edition.deal}
        serials: dict[str, tuple[int, ...]] = dict.fromkeys(counts, ())
        try:
            kinds = sorted(hand.cards, key=self._order.__getitem__)
        except KeyError as error:
            raise ScoringError(f"{hand.player}: {self.edition.slug} has no card {error}") from None
        for kind in kinds:
            number = hand.cards[kind]
            if number < 0:
                raise ScoringError(f"{hand.player}: {number} cards of kind '{kind}', which cannot be")
            if number:
                category = self._categories[kind]
                counts[category][kind] = number
                if kind in self._serials:
                    serials[category] += (self._serials[kind],)
        return Seat(hand, counts, serials, self._numbers)


def score(
    edition: Edition,
    hands: Sequence[Hand],
    settings: Mapping[str, int] | None = None,
    active_rules: Iterable[int | str] | None = None,
) -> Result:
    """Score and rank the hands of one game, all at once; see `Scorer` for settings, active rules and errors."""
    return Scorer(edition, settings, active_rules).score(hands)


def _settings(edition: Edition, given: Mapping[str, int]) -> dict[str, int]:
    known = {setting.name: setting for setting in edition.settings}
    for name, value in given.items():
        if name not in known:
            raise ScoringError(f"{edition.slug} has no setting '{name}' (it has {', '.join(known) or 'none'})")
        low, high = known[name].minimum, known[name].maximum
        if value < low or (high is not None and value > high):
            upper = "" if high is None else f" and at most {high}"
            raise ScoringError(f"setting {name} is {value}, but must be at least {low}{upper}")
    return {name: given.get(name, setting.default) for name, setting in known.items()}


def _active(edition: Edition, chosen: Iterable[int | str] | None) -> frozenset[str]:
    if chosen is None:
        return frozenset(edition.rule_of)
    keys = frozenset(str(key) for key in chosen)
    for key in sorted(keys - frozenset(edition.rule_of)):
        raise ScoringError(f"{edition.slug} has no rule '{key}'")
    return keys
