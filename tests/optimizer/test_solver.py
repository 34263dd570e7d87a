"""Proofs by the solver: its model scores hands as the engine does, and no deck is better than those it finds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("ortools", reason="the extra `prove` is not installed")

from ortools.sat.python import cp_model

from server.editions import load_edition
from server.editions.loader import read_edition
from server.optimizer.best import DisagreementError, NoDeckError, best_deck
from server.optimizer.simulation import SeededRandom, deal_hands, random_facts, random_parts, trade_cards
from server.optimizer.solver import proof
from server.optimizer.solver.arithmetic import negated
from server.optimizer.solver.game import PointsModel
from server.optimizer.solver.proof import UnsupportedRuleError, solution
from server.optimizer.space import Space, supply
from server.scoring import Hand, Phase, Scorer
from tests.editions.test_formulas import written
from tests.optimizer.brute_force import brute_best
from tests.optimizer.eurocg_enumeration import best_score
from tests.scoring.support import toy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.scoring import Edition

EUROCG, SACKSON, TAROT = (load_edition(name) for name in ("eurocg-2026", "sackson-1969", "tarot-fr"))
EXAMPLES = Path("examples/editions")


def space(edition: Edition, players: int, most: int, others: Sequence[Hand] = ()) -> Space:
    return Space(edition, supply(edition, players), most, active=tuple(edition.rule_of), others=tuple(others))


def random_hands(edition: Edition, players: int, seed: str) -> list[Hand]:
    chance = SeededRandom(seed)
    cards = trade_cards(deal_hands(edition, players, chance), 8 * players, chance)
    facts = random_facts(edition, players, chance)
    return [
        Hand(
            f"P{index}",
            {kind: n for kind, n in hand.items() if n},
            facts=its,
            parts=random_parts(edition, hand, chance),
        )
        for index, (hand, its) in enumerate(zip(cards, facts, strict=True))
    ]


def model_points(edition: Edition, hand: Hand, others: Sequence[Hand]) -> list[Fraction | None]:
    """Return the least and the most points that the model allows for a hand; None if it has to be eliminated."""
    only = dict.fromkeys(edition.kind_of, 0) | dict(hand.cards)
    most = sum(hand.cards.values())
    where = Space(edition, only, most, {}, tuple(edition.rule_of), tuple(others), hand.player, dict(hand.facts))
    game = PointsModel(where)
    arithmetic = game.arithmetic
    arithmetic.model.add(game.deck.total.expression == most)
    for chosen in game.chosen.values():
        arithmetic.require(negated(chosen))
    for part, cards in hand.parts.items():
        for kind, number in cards.items():
            arithmetic.model.add(game.deck.in_part(part, kind).expression == number)
    found: list[Fraction | None] = []
    for optimize in (arithmetic.model.minimize, arithmetic.model.maximize):
        optimize(game.points.expression)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(arithmetic.model)
        assert status in {cp_model.OPTIMAL, cp_model.INFEASIBLE}
        points = Fraction(round(solver.objective_value), game.points.scale)
        found.append(points if status == cp_model.OPTIMAL else None)
    return found


HANDS = [
    (EUROCG, 23, 0),
    (SACKSON, 12, 0),
    (SACKSON, 12, 11),
    (TAROT, 35, 0),
    (TAROT, 35, 6),
    (read_edition(EXAMPLES / "lighthouse", None), 8, 3),
]


def check_hands(edition: Edition, players: int, neighbours: int, games: int, each: int) -> None:
    for game in range(games):
        hands = random_hands(edition, players, f"{edition.slug}/{game}")
        for hand in hands[:each]:
            others = [other for other in hands if other is not hand][:neighbours]
            results = Scorer(edition).score([hand, *others], provisional=False).hands
            scored = next(one for one in results if one.hand.player == hand.player)
            points = None if scored.eliminated else scored.score
            assert model_points(edition, hand, others) == [points, points], hand


@pytest.mark.parametrize(("edition", "players", "neighbours"), HANDS)
def test_the_model_scores_like_the_engine(edition: Edition, players: int, neighbours: int) -> None:
    check_hands(edition, players, neighbours, games=1, each=3)


@pytest.mark.thorough
@pytest.mark.parametrize(("edition", "players", "neighbours"), HANDS)
def test_the_model_scores_many_hands_like_the_engine(edition: Edition, players: int, neighbours: int) -> None:
    check_hands(edition, players, neighbours, games=20, each=10)


@pytest.mark.parametrize("most", [0, 1, 2, 5, 8, *(pytest.param(n, marks=pytest.mark.thorough) for n in (10, 13))])
def test_eurocg_agrees_with_an_independent_enumeration(most: int) -> None:
    where = Space(EUROCG, dict.fromkeys(EUROCG.kind_of, 20), most, active=tuple(EUROCG.rule_of))
    found = solution(where, 60)
    assert (found.points, found.proven, found.bound) == (best_score(most), True, best_score(most))


@pytest.mark.thorough
def test_twenty_cards_of_eurocg_in_the_second_count() -> None:
    where = Space(EUROCG, dict.fromkeys(EUROCG.kind_of, 20), 20, active=tuple(EUROCG.rule_of))
    assert solution(where, 60).points == best_score(20) == 118


def few(edition: Edition, copies: dict[str, int], most: int, **more: Any) -> Space:  # noqa: ANN401 - fields of a space
    """Return a space with only some kinds of cards."""
    everything = dict.fromkeys(edition.kind_of, 0) | copies
    return Space(edition, everything, most, **{"active": tuple(edition.rule_of), **more})


SEATED = (Hand("Ada", {"yellow": 3, "blue": 1}), Hand("Bob", {"red": 4, "orange": 2}))


@pytest.mark.parametrize(
    "where",
    [
        few(EUROCG, {"blue": 4, "yellow": 7, "rule-1": 1, "rule-9": 2}, 9),
        few(EUROCG, {"red": 5, "green": 3, "rule-22": 1, "special-1": 2}, 8, settings={"blue_base": 7}),
        few(EUROCG, {"pink": 9, "orange": 4, "rule-4": 2, "rule-12": 1}, 12, active=("4", "12", "16", "23")),
        few(SACKSON, {"yellow": 5, "blue": 3, "white": 2, "rule-1": 1}, 8, others=SEATED),
        few(SACKSON, {"red": 4, "orange": 6, "blue": 2, "rule-4": 1}, 9, others=SEATED, settings={"seed": "x"}),
        few(TAROT, {"pique-7": 2, "coeur-7": 1, "excuse": 1, "token-red": 2, "rule-2": 1, "rule-24": 1}, 5),
    ],
)
def test_a_deck_is_as_good_as_the_best_of_all_decks(where: Space) -> None:
    found, best = solution(where, 60), brute_best(where)
    assert (found.points, found.proven, found.bound) == (best, True, best)


@pytest.mark.parametrize(
    ("edition", "players", "most", "points"),
    [
        (EUROCG, 138, 138, 953),
        pytest.param(EUROCG, 138, 26, 161, marks=pytest.mark.thorough),
        pytest.param(SACKSON, 15, 30, 124, marks=pytest.mark.thorough),
        pytest.param(TAROT, 70, 5, 50, marks=pytest.mark.thorough),
    ],
)
def test_large_decks_are_proven(edition: Edition, players: int, most: int, points: int) -> None:
    """Also where chance removes the cards above a limit."""
    found = best_deck(edition, players, most)
    assert (found.proven, found.hand.score, found.bound) == (True, points, None)


@pytest.mark.thorough
def test_the_best_decks_of_eurocg_are_proven_in_seconds() -> None:
    unproven = [most for most in range(10, 139) if not best_deck(EUROCG, 138, most, seconds=5).proven]
    assert not unproven


def test_a_search_that_ends_early_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The better deck of both searches counts, and one that reaches the bound is proven."""
    hand = Hand("Best", {"special-1": 1})
    points = Scorer(EUROCG).score([hand], provisional=False).hands[0].score
    for bound, proven in ((34, False), (33, True)):
        early = proof.Solution(hand, points, Fraction(bound), proven=False)
        monkeypatch.setattr(proof, "solution", lambda *_, early=early: early)
        found = best_deck(EUROCG, 138, 1, starts=3)
        assert (found.hand.score, found.proven, found.bound) == (33, proven, None if proven else 34)


def test_no_time_gives_no_deck() -> None:
    assert solution(space(TAROT, 70, 20), 1e-6) == (None, 0, None, False)


def test_rules_in_python_are_left_to_the_other_search() -> None:
    edition = toy(("one", Phase.OWN, lambda me, _n: me.points(1)))
    with pytest.raises(UnsupportedRuleError, match="rule one, which is a function"):
        solution(space(edition, 4, 3), 1)
    found = best_deck(edition, 4, 3)
    assert (found.hand.score, found.proven) == (1, False)
    assert found.refused.startswith("rule one, which is a function")


def test_decks_that_are_all_eliminated_are_an_error() -> None:
    rule = replace(SACKSON.rule_of["9"], numbers={"limit": 0})
    edition = replace(SACKSON, rules=(rule,))
    with pytest.raises(NoDeckError, match="every deck"):
        best_deck(edition, 15, 3)


def test_a_score_that_the_engine_does_not_confirm_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(where: Space, seconds: float) -> proof.Solution:
        return solution(where, seconds)._replace(points=Fraction(1000))

    monkeypatch.setattr(proof, "solution", wrong)
    with pytest.raises(DisagreementError, match=r"counts 1000 points for the deck .*, but the engine counts 33"):
        best_deck(EUROCG, 138, 1)


def test_rules_about_players_that_facts_name_are_left_to_the_other_search(tmp_path: Path) -> None:
    edition = read_edition(written(tmp_path, 'give = "3 - count_of(friend, red)"'), None)
    with pytest.raises(UnsupportedRuleError, match="count_of"):
        solution(space(edition, 4, 2), 1)
    assert best_deck(edition, 4, 0).hand.score == 3
