"""The proven best deck has the score that trying every deck finds, for small spaces of every kind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.optimizer.exact import Candidate, proven_best
from server.optimizer.local import local_best
from server.optimizer.space import Encoding, SearchTooLargeError, Space
from server.scoring import Hand, Phase, Scorer, Seat, score
from server.scoring.edition import Fact, PartOfDeck
from server.scoring.hand import cancelling_rules
from tests.optimizer.brute_force import brute_best
from tests.optimizer.eurocg_enumeration import best_score
from tests.scoring.support import toy

if TYPE_CHECKING:
    from fractions import Fraction

    from server.scoring import Edition

EUROCG, SACKSON, TAROT = (load_edition(name) for name in ("eurocg-2026", "sackson-1969", "tarot-fr"))
COLOURS = [kind.slug for kind in EUROCG.kinds if kind.category == "colour"]


def space(edition: Edition, supply: dict[str, int], most: int, **more: Any) -> Space:  # noqa: ANN401 - fields of a space
    """Return a space in which only the kinds in `supply` are printed; all rules are active if not said otherwise."""
    everything = dict.fromkeys((kind.slug for kind in edition.kinds), 0) | supply
    return Space(edition, everything, most, **{"active": tuple(edition.rule_of), **more})


def counted(where: Space, best: Any) -> Fraction:  # noqa: ANN401 - a deck proven or found
    """Return the points of a deck, which must be within its space, by the plain engine."""
    hand = Encoding(where.edition, where.facts).hand(where.player, best.holding.cards, best.cancels)
    assert all(number <= where.supply[kind] for kind, number in hand.cards.items())
    assert sum(hand.cards.values()) <= where.most
    result = Scorer(where.edition, where.settings, where.active).score([hand, *where.others], provisional=False)
    return next(one.score for one in result.hands if one.hand is hand)


def proven(where: Space, choices: list[tuple[str, ...]] | None = None) -> Candidate:
    """Return the proven best of a space: that of trying everything, and what the engine counts."""
    best = proven_best(where)
    assert best is not None
    assert best.points == brute_best(where, choices or [()]) == counted(where, best)
    return best


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(st.sampled_from(COLOURS), st.integers(1, 9), max_size=3),
    st.dictionaries(st.sampled_from([f"rule-{n}" for n in (1, 4, 9, 12, 22, 23)]), st.integers(1, 3), max_size=3),
    st.integers(0, 3),
    st.sampled_from([3, 8, 21, 24]),
    st.sets(st.sampled_from(range(1, 24)), max_size=6),
    st.sampled_from([0, 1, 7]),
)
def test_eurocg_agrees_with_trying_every_deck(
    colours: dict[str, int], rules: dict[str, int], specials: int, most: int, left_out: set[int], blue: int
) -> None:
    active = tuple(str(number) for number in range(1, 24) if number not in left_out)
    supply = colours | rules | {"special-1": specials}
    proven(space(EUROCG, supply, most, active=active, settings={"blue_base": blue}))


@pytest.mark.parametrize("most", [0, 1, 2, 5, 8, *(pytest.param(n, marks=pytest.mark.thorough) for n in (10, 13))])
def test_eurocg_agrees_with_an_independent_enumeration(most: int) -> None:
    best = proven_best(space(EUROCG, dict.fromkeys(EUROCG.kind_of, 20), most))
    assert best is not None
    assert best.points == best_score(most)


@pytest.mark.thorough
def test_twenty_cards_of_eurocg_in_the_second_count() -> None:
    """The deck that the documentation names has the score that no deck of 20 cards exceeds."""
    deck = {"blue": 3, "orange": 7, "yellow": 6, "rule-1": 1, "rule-9": 2}
    assert score(EUROCG, [Hand("A", deck)]).hands[0].score == best_score(20) == 118


@settings(max_examples=20, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["yellow", "blue", "red", "orange", "white"]), st.integers(1, 7), max_size=4),
    st.lists(
        st.dictionaries(st.sampled_from(["yellow", "blue", "red", "orange", "rule-4"]), st.integers(0, 8), max_size=4),
        max_size=3,
    ),
    st.sampled_from([2, 6, 14]),
    st.sets(st.sampled_from(range(4, 16)), max_size=5),
)
def test_sackson_agrees_with_trying_every_deck(
    colours: dict[str, int], others: list[dict[str, int]], most: int, left_out: set[int]
) -> None:
    """Alone and against other hands: majorities, blue cards of others, elimination, removed cards."""
    hands = tuple(Hand(name, cards) for name, cards in zip("ABC", others, strict=False))
    active = tuple(str(number) for number in range(1, 16) if number not in left_out)
    proven(space(SACKSON, colours | {"rule-1": 1}, most, active=active, others=hands, settings={"seed": "x"}))


def test_a_small_tarot_game_agrees_with_trying_every_deck() -> None:
    supply = {"pique-7": 2, "coeur-7": 1, "excuse": 1, "token-red": 2, "token-blue": 2}
    proven(space(TAROT, supply | dict.fromkeys(("rule-2", "rule-24", "rule-25", "rule-85"), 1), 5))


@pytest.mark.parametrize("others", [(), (Hand("Ada", {"rule-2": 1, "token-white": 1}),)])
def test_a_deck_with_a_cancel_card_cancels_the_rule_that_suits_it_best(others: tuple[Hand, ...]) -> None:
    """Rule 2 makes white tokens worthless if any hand has its card; the search without proof finds that too."""
    cancel = cancelling_rules(TAROT, TAROT.rule_of)[0]
    supply = {"token-white": 3, "rule-24": 1, "rule-25": 1, "rule-2": 1, "rule-9": 1, cancel.card: 1}
    where = space(TAROT, supply, 5, others=others)
    best = proven(where, [(), *((key,) for key in sorted(cancel.touches))])
    assert best.cancels == ("2",)
    found = local_best(where, 4)
    assert found is not None
    assert counted(where, found) == best.points


def test_a_proof_needs_a_limited_number_of_holdings() -> None:
    where = space(EUROCG, {"red": 4, "blue": 1}, 5)
    assert proven_best(where, limit=10) is not None
    with pytest.raises(SearchTooLargeError):
        proven_best(where, limit=9)


def rule_of_the_total(me: Seat, _n: object) -> None:
    """Calculate with the number of cards in many ways."""
    total = me.total
    if total > 2 and total.bit_length() == 3 and total * total != 36 and total != 4:
        me.points(total + 10 - (7 - total) // 2)


@pytest.mark.parametrize(
    ("act", "supply", "most", "size"),
    [
        pytest.param(
            lambda me, _n: me.has("tin") == 5 and me.points(10 * me.size("rule")),
            {"gold": 2, "tin": 6, "rule-1": 2},
            7,
            7,
            id="read late",
        ),
        pytest.param(rule_of_the_total, {"gold": 4, "tin": 4}, 8, 7, id="a calculation with the total"),
    ],
)
def test_all_reads_of_a_rule_are_found(act: Any, supply: dict[str, int], most: int, size: int) -> None:  # noqa: ANN401 - a rule's function
    assert proven(space(toy(("1", Phase.OWN, act)), supply, most)).holding.size == size


def test_without_valid_decks_there_is_no_best_deck() -> None:
    edition = toy(("out", Phase.ELIMINATE, lambda me, _n: me.eliminate()))
    assert proven_best(space(edition, {"gold": 2}, 2)) is None


# Decks in parts, and facts

PARTS = (PartOfDeck("left", "Left"), PartOfDeck("right", "Right"))
FACTS = (Fact("luck", "Luck?", False, -1, 3, 0), Fact("kind", "Kind?", True, 0, 1, False))


def held(me: Seat, part: str, name: str = "coin") -> int:
    """Return the number of cards in a part."""
    return me.part(part).has(name)


RULES: dict[str, Any] = {
    "gold left": lambda me, _n: me.points(5 * min(held(me, "left", "gold"), 2) - held(me, "left", "tin")),
    "balanced": lambda me, _n: me.points(7 if held(me, "left") == held(me, "right") > 0 else 0),
    "pairs right": lambda me, _n: me.points(4 * sum(n // 2 for n in me.part("right").counts("coin").values())),
    "too much": lambda me, _n: me.points(-3 * max(me.has("gold") - 2, 0) - (5 if me.total > 4 else 0)),
    "loose tin": lambda me, _n: me.points(2 * (me.has("tin") - held(me, "left", "tin") - held(me, "right", "tin"))),
    "lucky": lambda me, _n: me.points(3 if me.fact("luck") == me.has("tin") else me.fact("luck")),
    "kind": lambda me, _n: me.points(2 if me.fact("kind") else held(me, "left", "gold")),
    "peeks": lambda me, _n: me.points(6 if me.hand.parts.get("left", {}).get("gold", 0) == 1 else 0),
    "two alike": lambda me, _n: me.points(
        20 if held(me, "left") == held(me, "right") == 1 and me.highest("coin") > 1 else 0
    ),
    "pair": lambda me, _n: me.points(4 if me.has("gold") == 2 else 0),
    "late": lambda me, _n: held(me, "left") == 2 and held(me, "right") == 1 and me.points(9 * held(me, "left", "tin")),
    "tin right": lambda me, _n: me.points(3 * min(held(me, "right", "tin"), 1)),
}


def parted(*names: str, worth: int = 0) -> Edition:
    """Return a tiny edition of some of these rules; coins may have no worth at all."""
    worths, valued = ({"gold": worth}, {"coin"}) if worth else ({}, set[str]())
    rules = [(name, Phase.OWN, RULES[name]) for name in names]
    return toy(*rules, parts=PARTS, facts=FACTS, worths=worths, valued=frozenset(valued))


@settings(max_examples=50, deadline=None)
@given(
    st.sets(st.sampled_from(sorted(RULES))).map(sorted),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 4),
    st.sampled_from([0, 2]),
    st.booleans(),
)
def test_parts_and_facts_agree_with_trying_everything(
    names: list[str],
    gold: int,
    tin: int,
    most: int,
    worth: int,
    fixed: bool,  # noqa: FBT001 - drawn
) -> None:
    proven(space(parted(*names, worth=worth), {"gold": gold, "tin": tin}, most, facts={"luck": 1} if fixed else {}))


@pytest.mark.parametrize(
    "names", [("gold left", "late"), ("balanced", "pair"), ("gold left", "tin right", "two alike")]
)
def test_reads_of_several_parts_are_supported(names: tuple[str, ...]) -> None:
    for most in (2, 4):
        proven(space(parted(*names), {"gold": 4, "tin": 4}, most))


def test_a_separate_search_of_parts_can_prove_large_spaces() -> None:
    where = space(parted("gold left", "balanced", "pairs right"), {"gold": 60, "tin": 60, "rule-1": 60}, 40)
    best = proven_best(where, limit=2000)
    assert best is not None
    # 2 gold on the left, 18 other cards beside them at the cost of 1 each, or fewer: 7 + 10 + 4 a pair on the right.
    assert best.points == 10 + 4 * 19


def test_too_many_values_of_a_fact_prevent_a_proof() -> None:
    near = ("near", Phase.OWN, lambda me, _n: me.points(-abs(me.fact("far") - 700 - me.has("gold"))))
    where = space(toy(near, facts=(Fact("far", "Far?", False, 0, 10**6, 0),)), {"gold": 2}, 2)
    with pytest.raises(SearchTooLargeError):
        proven_best(where, limit=1000)
    best = proven_best(replace(where, facts={"far": 702}), limit=1000)
    assert best is not None
    assert (best.points, best.holding.size) == (0, 2)


def test_the_search_without_proof_uses_parts_and_facts() -> None:
    edition = parted("gold left", "balanced", "pairs right", "lucky", "kind", worth=1)
    where = space(edition, {"gold": 3, "tin": 3, "rule-1": 1}, 5)
    best, found = proven_best(where), local_best(where, 6)
    assert best is not None
    assert found is not None
    assert counted(where, found) == best.points
