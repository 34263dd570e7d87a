"""How the scores of an edition spread, and what each rule does to them, in games by chance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from server.scoring import Hand, Scorer
from server.search.chance import Chance
from server.search.games import dealt, traded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.scoring import Edition, Rule
    from server.search.games import Cards

RULE_COUNTS = 40_000
"""Hands that are counted about so often, to see what happens without each of the rules."""

Scores = dict[str, Fraction | None]
"""The score of each player's hand; None for one that is eliminated."""


@dataclass(frozen=True)
class Spread:
    """How scores spread: those of all hands in the game in ascending order, and how many hands were eliminated."""

    scores: tuple[Fraction, ...]
    eliminated: int

    @property
    def mean(self) -> float:
        """The mean score; 0 without any."""
        return float(sum(self.scores) / len(self.scores)) if self.scores else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of these scores."""
        if not self.scores:
            return 0.0
        return sqrt(sum((float(score) - self.mean) ** 2 for score in self.scores) / len(self.scores))

    def share(self, part: float) -> Fraction:
        """Return the score that a part (0 to 1) of all hands does not exceed; 0 without any."""
        if not self.scores:
            return Fraction(0)
        return self.scores[max(min(round(part * len(self.scores)) - 1, len(self.scores) - 1), 0)]


@dataclass(frozen=True)
class RuleShare:
    """What a rule does: the share of hands that score differently without it, and the mean of what it gives to a hand.

    `gain` is negative for a rule that takes; `eliminates` is the share of hands that are out because of it.
    """

    rule: Rule
    acts: float
    gain: float
    eliminates: float


@dataclass(frozen=True)
class Balance:
    """What came out: the scores of starting hands and of hands after trades, and the rules on the traded hands."""

    edition: Edition
    players: int
    games: int
    start: Spread
    traded: Spread
    rule_games: int
    rules: tuple[RuleShare, ...]


def balance(
    edition: Edition,
    players: int,
    games: int,
    trades: int,
    seed: str,
    settings: Mapping[str, int | str] | None = None,
) -> Balance:
    """Deal so many games, let players trade at random (`trades` a player), and score both.

    What a rule does is the difference to a count without it. That is measured on the first games only where an edition
    has many rules.
    """

    def scorer_without(rule: Rule) -> Scorer:
        return Scorer(edition, settings, [key for key in edition.rule_of if key != rule.key])

    scorer = Scorer(edition, settings)
    chance = Chance(f"{seed}/{edition.slug}/{players}")
    starts, ends = [], []
    for _ in range(games):
        hands = dealt(edition, players, chance)
        starts.append(hands)
        ends.append(traded(hands, trades * players // 2, chance))
    scored = [_scores(scorer, hands) for hands in ends]
    few = max(1, min(games, RULE_COUNTS // (players * max(len(edition.rules), 1))))
    return Balance(
        edition,
        players,
        games,
        _spread([_scores(scorer, hands) for hands in starts]),
        _spread(scored),
        few,
        tuple(_without(rule, scorer_without(rule), ends[:few], scored[:few]) for rule in edition.rules),
    )


def _scores(scorer: Scorer, hands: Sequence[Cards]) -> Scores:
    """Score a game with all hands known."""
    named = [Hand(f"Player {place}", cards) for place, cards in enumerate(hands, 1)]
    result = scorer.score(named, provisional=False)
    return {hand.hand.player: None if hand.eliminated else hand.score for hand in result.hands}


def _spread(games: Sequence[Scores]) -> Spread:
    every = [score for scores in games for score in scores.values()]
    inside = sorted(score for score in every if score is not None)
    return Spread(tuple(inside), len(every) - len(inside))


def _without(rule: Rule, scorer: Scorer, games: Sequence[Sequence[Cards]], scored: Sequence[Scores]) -> RuleShare:
    """Compare the scores of games with those that they have without a rule."""
    hands = acts = eliminates = 0
    gain = Fraction(0)
    for game, scores in zip(games, scored, strict=True):
        without = _scores(scorer, game)
        for player, score in scores.items():
            other = without[player]
            hands += 1
            acts += score != other
            eliminates += score is None and other is not None
            if score is not None and other is not None:
                gain += score - other
    return RuleShare(rule, acts / hands, float(gain / hands), eliminates / hands)
