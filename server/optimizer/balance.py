"""How the scores of an edition spread, and what each rule does to them, in games by chance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from server.optimizer.simulation import (
    SeededRandom,
    deal_hands,
    points_by_rule,
    random_facts,
    random_parts,
    trade_cards,
)
from server.scoring import Hand, Scorer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.optimizer.simulation import Cards
    from server.scoring import Edition, Result, Rule

RULE_COUNTS = 40_000
"""Hands that are counted about so often, to see what happens without each of the rules."""

Scores = dict[str, Fraction | None]
"""The score of each player's hand; None for one that is eliminated."""


@dataclass(frozen=True)
class Distribution:
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
    """What a rule does to a hand, in the mean; what it takes is negative.

    `acts` is the share of hands that score differently without it, and `gain` the difference that it makes: the score
    less the score without it. `eliminates` is the share of hands that are out because of it. `lines` is what stands
    beside it in a breakdown: the points of its own lines, and those of the cards whose worth it sets.
    """

    rule: Rule
    acts: float
    gain: float
    eliminates: float
    lines: float


@dataclass(frozen=True)
class Balance:
    """What came out: the scores of starting hands and of hands after trades, and the rules on the traded hands.

    `cards` is the mean of what cards bring whose worth the edition itself says; with the `lines` of all rules it is
    the mean score. `rule_games` are the games that were counted without each rule.
    """

    edition: Edition
    players: int
    games: int
    seed: str
    start: Distribution
    traded: Distribution
    rule_games: int
    cards: float
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

    Where decks have parts, each card lies in one drawn at random, and each fact has a value drawn at random, the same
    before and after the trades; nobody cancels a rule. What a rule does is the difference to a count without it, which
    is measured on the first games only where an edition has many rules. EditionError where a rule fails.
    """

    def scorer_without(rule: Rule) -> Scorer:
        return Scorer(edition, settings, [key for key in edition.rule_of if key != rule.key])

    scorer = Scorer(edition, settings)
    chance = SeededRandom(f"{seed}/{edition.slug}/{players}")
    other = SeededRandom(
        f"{seed}/{edition.slug}/{players}/entries"
    )  # so that hands are the same with and without parts
    starts, ends = [], []
    for _ in range(games):
        hands = deal_hands(edition, players, chance)
        facts = random_facts(edition, players, other)
        starts.append(_named(edition, hands, facts, other))
        ends.append(_named(edition, trade_cards(hands, trades * players // 2, chance), facts, other))
    results = [scorer.score(hands, provisional=False) for hands in ends]
    scored = [_scores(result) for result in results]
    lines = _lines(results)
    few = max(1, min(games, RULE_COUNTS // (players * max(len(edition.rules), 1))))
    return Balance(
        edition,
        players,
        games,
        seed,
        _spread([_scores(scorer.score(hands, provisional=False)) for hands in starts]),
        _spread(scored),
        few,
        lines.get(None, 0.0),
        tuple(
            _without(rule, scorer_without(rule), ends[:few], scored[:few], lines.get(rule.key, 0.0))
            for rule in edition.rules
        ),
    )


def _named(
    edition: Edition, hands: Sequence[Cards], facts: Sequence[Mapping[str, int]], chance: SeededRandom
) -> list[Hand]:
    """Return the hands of a game with what is entered for them."""
    return [
        Hand(f"Player {place}", cards, facts=entry, parts=random_parts(edition, cards, chance))
        for place, (cards, entry) in enumerate(zip(hands, facts, strict=True), 1)
    ]


def _scores(result: Result) -> Scores:
    return {hand.hand.player: None if hand.eliminated else hand.score for hand in result.hands}


def _lines(results: Sequence[Result]) -> dict[str | None, float]:
    """Return the mean of what hands in the game have from each rule, and from their cards alone."""
    sums: dict[str | None, Fraction] = {}
    inside = [hand for result in results for hand in result.hands if not hand.eliminated]
    for hand in inside:
        for key, points in points_by_rule(hand).items():
            sums[key] = sums.get(key, Fraction(0)) + points
    return {key: float(total / len(inside)) for key, total in sums.items()}


def _spread(games: Sequence[Scores]) -> Distribution:
    every = [score for scores in games for score in scores.values()]
    inside = sorted(score for score in every if score is not None)
    return Distribution(tuple(inside), len(every) - len(inside))


def _without(
    rule: Rule, scorer: Scorer, games: Sequence[Sequence[Hand]], scored: Sequence[Scores], lines: float
) -> RuleShare:
    """Compare the scores of games with those that they have without a rule."""
    hands = acts = eliminates = 0
    gain = Fraction(0)
    for game, scores in zip(games, scored, strict=True):
        without = _scores(scorer.score(game, provisional=False))
        for player, score in scores.items():
            other = without[player]
            hands += 1
            acts += score != other
            eliminates += score is None and other is not None
            if score is not None and other is not None:
                gain += score - other
    return RuleShare(rule, acts / hands, float(gain / hands), eliminates / hands, lines)
