"""Effects of hands on each other: majorities, deductions, shields, rules in play, elimination."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions.checks import contradictions
from server.scoring import Hand, Phase, Seat, score
from server.scoring.edition import Group
from server.scoring.rules import Scope, Step
from tests.scoring.support import attack, by_player, game, scores, shield, toy

PLAIN: dict[str, Any] = {"valued": frozenset()}
OUT = ("out", Phase.ELIMINATE, lambda me, _n: me.has("gold") > 2 and me.eliminate())


@pytest.mark.parametrize(
    ("gold", "sole", "ties", "following", "level"),
    [
        ([3, 2, 1], "a", "a", "a", ""),
        ([3, 3, 1], "", "ab", "c", "ab"),
        ([3, 3, 2, 2, 1], "", "ab", "e", "abcd"),
        ([3, 3, 2, 2], "", "ab", "", "abcd"),
        ([0, 0], "", "", "", ""),
        ([0, 0, 1], "c", "c", "c", ""),
        ([2, 2, 2], "", "abc", "", "abc"),
    ],
)
def test_majorities_with_and_without_ties(gold: list[int], sole: str, ties: str, following: str, level: str) -> None:
    """Sole most; all who tie for most; the next number that only one has; who is level at any number but none."""
    found = {(name, question): "" for name in ("gold", "coin", "precious") for question in range(4)}

    def look(me: Seat, _n: object) -> None:
        for name in ("gold", "coin", "precious"):
            table = me.table
            first, all_first, next_first = table.sole_most(name), table.all_most(name), table.next_sole_most(name)
            for index, yes in enumerate((first is me, me in all_first, next_first is me, table.is_level(me, name))):
                found[name, index] += me.hand.player if yes else ""

    game(toy(("look", Phase.TABLE, look), groups=(Group("precious", "Precious", ("gold",)),)), *gold)
    for (name, place), players in found.items():
        assert players == (sole, ties, following, level)[place], name


def test_points_for_others_are_in_their_breakdowns_by_author() -> None:
    """Lines are in the order of names, not of hands."""
    edition = toy(attack("attack", 3), **PLAIN)
    hands = [Hand("Zoe", {"gold": 1}), Hand("Ada", {"gold": 1}), Hand("Max")]
    result = by_player(score(edition, hands))
    assert {name: int(hand.score) for name, hand in result.items()} == {"Zoe": -3, "Ada": -3, "Max": -6}
    assert [entry.author for entry in result["Max"].seat.journal] == ["Zoe", "Ada"]
    assert by_player(score(edition, hands[::-1]))["Max"].lines == result["Max"].lines


@pytest.mark.parametrize(
    ("fines", "shields", "voided"),
    [
        ({"one": 1, "five": 5, "three": 3}, [shield(2, "one", "five", "three")], {"five": "shield", "three": "shield"}),
        (
            {"one": 1, "two": 2, "three": 3},
            [shield(1, "one", "two", "three", key=key) for key in ("first", "second")],
            {"three": "first", "two": "second"},
        ),
    ],
)
def test_shields_void_the_largest_deductions_one_each(
    fines: dict[str, int], shields: list[Any], voided: dict[str, str]
) -> None:
    edition = toy(*(attack(key, fine) for key, fine in fines.items()), *shields, **PLAIN)
    ada = by_player(score(edition, [Hand("Ada", {"tin": 1}), Hand("Bob", {"gold": 1})]))["Ada"]
    assert {line.rule: line.voided_by for line in ada.lines if line.points} == dict.fromkeys(fines) | voided
    assert by_player(score(edition, [Hand("Ada", {"tin": 1}), Hand("Bob")]))["Ada"].lines == ()


def take(key: str, fine: int) -> tuple[Any, ...]:
    """Return a rule by which a hand with gold takes points from all others in one entry."""
    return key, Phase.DEDUCT, lambda me, _n: me.has("gold") and me.points_for_others(-fine, number=me.has("gold"))


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=9),
    st.lists(st.integers(1, 5), min_size=1, max_size=3),
    st.integers(0, 12),
)
def test_entries_for_all_others_are_entries_for_each(
    held: list[tuple[int, bool]], fines: list[int], shields: int
) -> None:
    hands = [Hand(f"p{index}", {"gold": gold, "tin": int(tin)}) for index, (gold, tin) in enumerate(held)]
    keys = [f"fine-{index}" for index in range(len(fines))]
    guard = shield(shields, *keys)
    shared = score(toy(*map(take, keys, fines), guard, **PLAIN), hands, provisional=False)
    each = score(toy(*map(attack, keys, fines), guard, **PLAIN), hands, provisional=False)
    assert scores(shared) == scores(each)
    for hand in shared.hands:
        assert sum(line.points for line in hand.lines if not line.void) == hand.score
        assert len([line for line in hand.lines if line.points]) <= 2 * len(fines)


def test_a_shield_divides_a_line_of_several_hands() -> None:
    """The entries of the first hands by name are void, the others are not; each line names its hands."""
    edition = toy(take("fine", 3), shield(2, "fine"), **PLAIN)
    for rule, says in zip(edition.rules, ("{authors}: {times} * {each} = {gain}", "{rule}"), strict=True):
        object.__setattr__(rule, "says", {"line": says})
    hands = [Hand("Me", {"tin": 1}), *(Hand(name, {"gold": 1 + index}) for index, name in enumerate("DACB"))]
    assert [(line.points, line.text, line.voided_by) for line in by_player(score(edition, hands))["Me"].lines] == [
        (-6, "A (2), B (4): 2 * -3 = -6 Void by rule shield.", "shield"),
        (-6, "C (3), D (1): 2 * -3 = -6", None),
        (0, "shield", None),
    ]


def test_hands_that_write_different_entries_have_separate_lines() -> None:
    """Other points, or numbers that another rule has moved, are another line; a hand does nothing to itself."""
    move = ("move", Phase.ADJUST, lambda me, _n: me.has("tin") and me.adjust(["fine"], "limit", 1), "fine")
    fine = (
        "fine",
        Phase.DEDUCT,
        lambda me, n: me.has("gold") >= n.limit and me.points_for_others(-me.has("gold")),
    )
    edition = toy(move, fine, numbers={"fine": {"limit": 1}}, **PLAIN)
    hands = [Hand("A", {"gold": 2}), Hand("B", {"gold": 2, "tin": 1}), Hand("C", {"gold": 3}), Hand("D", {"gold": 2})]
    found = by_player(score(edition, hands))
    points = {name: [line.points for line in hand.lines if line.rule == "fine"] for name, hand in found.items()}
    assert points == {"A": [-2, -3, -2], "B": [-4, -3], "C": [-4, -2], "D": [-2, -2, -3]}


def test_the_number_of_lines_is_limited() -> None:
    edition = toy(take("one", 1), take("two", 2), **PLAIN)
    for hand in score(edition, [Hand(f"p{index:03}", {"gold": 1}) for index in range(300)]).hands:
        assert [line.points for line in hand.lines] == [-299, -598]
        assert len(hand.seat.journal) == 2


@pytest.mark.parametrize(("everyone", "expected"), [(False, {"a": 1, "b": 11}), (True, {"a": 1, "b": 1})])
def test_rules_can_be_cancelled_for_one_or_all_except_permanent_steps(
    everyone: bool,  # noqa: FBT001 - a column
    expected: dict[str, int],
) -> None:
    off = lambda me, _n: me.has("gold") == 2 and me.cancel(["gift"], everyone=everyone)  # noqa: E731 - one line
    edition = toy(("off", Phase.CANCEL, off, "gift"), ("gift", Phase.OWN, lambda me, _n: me.points(10)), **PLAIN)
    switch, gift = edition.rules
    permanent = Step(Phase.TABLE, lambda me, _n: me.points(1), always=True)
    edition = replace(edition, rules=(switch, replace(gift, steps=(*gift.steps, permanent))))
    assert scores(game(edition, 2, 1)) == expected


@pytest.mark.parametrize(
    ("scope", "with_card", "without", "neither"),
    [(Scope.ALWAYS, 2, 1, 1), (Scope.HOLDER, 2, 0, 0), (Scope.IN_PLAY, 2, 1, 0)],
)
def test_scopes_of_rules(scope: Scope, with_card: int, without: int, neither: int) -> None:
    """An eliminated hand brings no rule into play."""
    edition = toy(("1", Phase.OWN, lambda me, _n: me.points(2 if me.holds_card() else 1)), OUT, **PLAIN)
    first, out = edition.rules
    edition = replace(edition, rules=(replace(first, scope=scope), out))
    assert scores(score(edition, [Hand("Ada", {"rule-1": 1}), Hand("Bob")])) == {"Ada": with_card, "Bob": without}
    for cards in ({}, {"rule-1": 1, "gold": 3}):
        assert scores(score(edition, [Hand("Ada", cards), Hand("Bob")]))["Bob"] == neither
    twin = replace(edition, rules=(edition.rules[0], replace(edition.rules[0], key="2", position=1)))
    shared = ("rules.2.effect", "rules that act once in play cannot share '1'; rename one")
    assert (shared in list(contradictions(twin))) == (scope is Scope.IN_PLAY)


def test_an_eliminated_hand_leaves_the_table() -> None:
    """It has no line except its elimination, no effect on others and majorities, and ranks last."""
    result = game(toy(attack("attack", 1), OUT, **PLAIN), 3, 1, 4, 0)
    assert [(h.hand.player, h.rank, h.eliminated) for h in result.hands] == [
        ("b", 1, False),
        ("d", 2, False),
        ("a", 3, True),
        ("c", 3, True),
    ]
    assert scores(result)["d"] == -1
    assert [line.rule for line in by_player(result)["a"].lines] == ["out"]
    assert [(h.rank, h.eliminated) for h in game(toy(OUT), 3, 4).hands] == [(1, True), (1, True)]


@pytest.mark.parametrize(
    ("players", "provisional", "notes"), [(1, None, 1), (1, False, 0), (2, None, 0), (2, True, 2), (0, None, 0)]
)
def test_unknown_effects_are_only_noted_in_provisional_counts(
    players: int,
    provisional: bool | None,  # noqa: FBT001 - a column
    notes: int,
) -> None:
    edition = toy(("1", Phase.TABLE, lambda me, _n: me.unknown("line")))
    result = score(edition, [Hand(name) for name in "ab"[:players]], provisional=provisional)
    assert sum(len(hand.lines) for hand in result.hands) == notes
    assert result.provisional == bool(notes)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.randoms(use_true_random=True))
def test_the_order_of_seats_and_rules_does_not_matter(gold: list[int], random: Any) -> None:  # noqa: ANN401 - a seeded generator
    edition = toy(
        attack("one", 1),
        attack("two", 2),
        shield(1, "one", "two"),
        ("keep", Phase.REMOVE, lambda me, _n: me.keep("coin", 4)),
        ("out", Phase.ELIMINATE, lambda me, _n: me.has("gold") == 5 and me.eliminate()),
        ("cap", Phase.COUNT, lambda me, _n: me.cap("gold", 2)),
        ("most", Phase.WORTH, lambda me, _n: me.table.sole_most("gold") is me and me.multiply("gold", 2, 9)),
        ("double", Phase.DOUBLE, lambda me, _n: me.has("tin") > 1 and me.double(2)),
        worths={"gold": 2, "tin": 1},
    )
    hands = [Hand(f"p{index}", {"gold": count, "tin": (count * 7 + index) % 4}) for index, count in enumerate(gold)]
    mixed = replace(edition, rules=tuple(random.sample(edition.rules, len(edition.rules))))
    listing = [
        {
            name: (hand.score, hand.rank, hand.lines)
            for name, hand in by_player(score(one, seats, provisional=False)).items()
        }
        for one, seats in ((edition, hands), (mixed, random.sample(hands, len(hands))))
    ]
    assert listing[0] == listing[1]
