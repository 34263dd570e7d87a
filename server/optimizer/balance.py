"""The balance of an edition in random games: the distribution of scores, and the effect of each rule."""

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
"""The approximate number of hands that are scored to measure the effects of all rules."""

Scores = dict[str, Fraction | None]
"""The score of each player's hand; None for one that is eliminated."""


@dataclass(frozen=True)
class Distribution:
    """The scores of all hands that are not eliminated, in ascending order, and the number of eliminated hands."""

    scores: tuple[Fraction, ...]
    eliminated: int

    @property
    def mean(self) -> float:
        """The mean score; 0 if there are none."""
        return float(sum(self.scores) / len(self.scores)) if self.scores else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of these scores."""
        if not self.scores:
            return 0.0
        return sqrt(sum((float(score) - self.mean) ** 2 for score in self.scores) / len(self.scores))

    def quantile(self, part: float) -> Fraction:
        """Return the quantile for a part from 0 to 1; 0 if there are no scores."""
        if not self.scores:
            return Fraction(0)
        return self.scores[max(min(round(part * len(self.scores)) - 1, len(self.scores) - 1), 0)]


@dataclass(frozen=True)
class RuleShare:
    """The mean effect of a rule on a hand.

    `acts` is the share of hands whose score is different without it, and `gain` the score minus the score without it.
    `eliminates` is the share of hands that it eliminates. `lines` are the points of its lines in a breakdown and of the
    cards whose worth it sets.
    """

    rule: Rule
    acts: float
    gain: float
    eliminates: float
    lines: float


@dataclass(frozen=True)
class Balance:
    """The scores of starting hands and of traded hands, and the effects of rules on the traded hands.

    `cards` are the mean points of cards whose worth the edition itself states; with the `lines` of all rules they add
    up to the mean score. `rule_games` is the number of games that were scored without each rule.
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
    """Deal random games, let players trade at random (`trades` each), and score the hands before and after.

    Parts of decks and facts are random, facts the same before and after the trades; nobody cancels a rule. The effect
    of a rule is the difference to scores without it, which is only measured on the first games if an edition has many
    rules. EditionError if a rule fails.
    """

    def scorer_without(rule: Rule) -> Scorer:
        return Scorer(edition, settings, [key for key in edition.rule_of if key != rule.key])

    scorer = Scorer(edition, settings)
    chance = SeededRandom(f"{seed}/{edition.slug}/{players}")
    # A second sequence, so that hands are the same with and without parts.
    other = SeededRandom(f"{seed}/{edition.slug}/{players}/entries")
    starts, ends = [], []
    for _ in range(games):
        hands = deal_hands(edition, players, chance)
        facts = random_facts(edition, players, other)
        starts.append(_hands(edition, hands, facts, other))
        ends.append(_hands(edition, trade_cards(hands, trades * players // 2, chance), facts, other))
    results = [scorer.score(hands, provisional=False) for hands in ends]
    scored = [_scores(result) for result in results]
    lines = _lines(results)
    few = max(1, min(games, RULE_COUNTS // (players * max(len(edition.rules), 1))))
    return Balance(
        edition,
        players,
        games,
        seed,
        _distribution([_scores(scorer.score(hands, provisional=False)) for hands in starts]),
        _distribution(scored),
        few,
        lines.get(None, 0.0),
        tuple(
            _rule_share(rule, scorer_without(rule), ends[:few], scored[:few], lines.get(rule.key, 0.0))
            for rule in edition.rules
        ),
    )


def _hands(
    edition: Edition, hands: Sequence[Cards], facts: Sequence[Mapping[str, int]], chance: SeededRandom
) -> list[Hand]:
    """Return the hands of a game, with facts and random parts."""
    players = [f"Player {index}" for index in range(1, len(hands) + 1)]
    return [
        Hand(
            f"Player {index}",
            cards,
            facts=entry,
            parts=random_parts(edition, cards, chance),
            named={
                fact.name: chance.one_of([*players[: index - 1], *players[index:]])
                for fact in edition.player_facts
                if len(players) > 1
            },
        )
        for index, (cards, entry) in enumerate(zip(hands, facts, strict=True), 1)
    ]


def _scores(result: Result) -> Scores:
    return {hand.hand.player: None if hand.eliminated else hand.score for hand in result.hands}


def _lines(results: Sequence[Result]) -> dict[str | None, float]:
    """Return the mean points by rule, of hands that are not eliminated; None is the worth of cards without a rule."""
    sums: dict[str | None, Fraction] = {}
    inside = [hand for result in results for hand in result.hands if not hand.eliminated]
    for hand in inside:
        for key, points in points_by_rule(hand).items():
            sums[key] = sums.get(key, Fraction(0)) + points
    return {key: float(total / len(inside)) for key, total in sums.items()}


def _distribution(games: Sequence[Scores]) -> Distribution:
    every = [score for scores in games for score in scores.values()]
    inside = sorted(score for score in every if score is not None)
    return Distribution(tuple(inside), len(every) - len(inside))


def _rule_share(
    rule: Rule, scorer: Scorer, games: Sequence[Sequence[Hand]], scored: Sequence[Scores], lines: float
) -> RuleShare:
    """Compare the scores of games with those without a rule."""
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
