"""The search without proof: in small spaces of every kind no deck is better than the one that it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.optimizer.local import local_best
from server.optimizer.space import Space
from server.scoring import Hand, Phase, Scorer, Seat
from server.scoring.edition import Fact, PartOfDeck
from server.scoring.hand import cancelling_rules
from tests.optimizer.brute_force import brute_best
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


def counted(where: Space, hand: Hand) -> Fraction:
    """Return the points of a deck, which must be within its space, by the plain engine."""
    assert all(number <= where.supply[kind] for kind, number in hand.cards.items())
    assert sum(hand.cards.values()) <= where.most
    result = Scorer(where.edition, where.settings, where.active).score([hand, *where.others], provisional=False)
    return next(one.score for one in result.hands if one.hand is hand)


def found(where: Space, choices: list[tuple[str, ...]] | None = None) -> Hand:
    """Return the deck that is found in a space, which must be as good as the best of all decks."""
    deck, _ = local_best(where, 40)
    assert deck is not None
    assert counted(where, deck) == brute_best(where, choices or [()])
    return deck


@settings(max_examples=10, deadline=None)
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
    found(space(EUROCG, supply, most, active=active, settings={"blue_base": blue}))


@settings(max_examples=10, deadline=None)
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
    found(space(SACKSON, colours | {"rule-1": 1}, most, active=active, others=hands, settings={"seed": "x"}))


def test_a_small_tarot_game_agrees_with_trying_every_deck() -> None:
    supply = {"pique-7": 2, "coeur-7": 1, "excuse": 1, "token-red": 2, "token-blue": 2}
    found(space(TAROT, supply | dict.fromkeys(("rule-2", "rule-24", "rule-25", "rule-85"), 1), 5))


@pytest.mark.parametrize("others", [(), (Hand("Ada", {"rule-2": 1, "token-white": 1}),)])
def test_a_deck_with_a_cancel_card_cancels_the_rule_that_suits_it_best(others: tuple[Hand, ...]) -> None:
    """Rule 2 makes white tokens worthless if any hand has its card."""
    cancel = cancelling_rules(TAROT, TAROT.rule_of)[0]
    supply = {"token-white": 3, "rule-24": 1, "rule-25": 1, "rule-2": 1, "rule-9": 1, cancel.card: 1}
    where = space(TAROT, supply, 5, others=others)
    best = found(where, [(), *((key,) for key in sorted(cancel.touches))])
    assert best.cancels == ("2",)


def test_without_valid_decks_there_is_no_best_deck() -> None:
    edition = toy(("out", Phase.ELIMINATE, lambda me, _n: me.eliminate()))
    assert local_best(space(edition, {"gold": 2}, 2), 3) == (None, 3)


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


@settings(max_examples=20, deadline=None)
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
    found(space(parted(*names, worth=worth), {"gold": gold, "tin": tin}, most, facts={"luck": 1} if fixed else {}))


@pytest.mark.parametrize(
    "names", [("gold left", "late"), ("balanced", "pair"), ("gold left", "tin right", "two alike")]
)
def test_reads_of_several_parts_are_supported(names: tuple[str, ...]) -> None:
    for most in (2, 4):
        found(space(parted(*names), {"gold": 4, "tin": 4}, most))


def test_a_large_deck_in_parts_is_filled() -> None:
    where = space(parted("gold left", "balanced", "pairs right"), {"gold": 60, "tin": 60, "rule-1": 60}, 40)
    deck, _ = local_best(where, 20)
    assert deck is not None
    # 2 gold on the left, 18 other cards beside them at the cost of 1 each, or fewer: 7 + 10 + 4 a pair on the right.
    assert counted(where, deck) == 10 + 4 * 19
