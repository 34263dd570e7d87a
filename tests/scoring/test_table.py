"""Rules that look at all hands: majorities, deductions, elimination, removal, cancelling, shields, doubling."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions.checks import mistakes
from server.scoring import EditionError, Hand, Numbers, Phase, Rulebook, Seat, score
from server.scoring.edition import Group, Scope
from tests.scoring.support import toy

if TYPE_CHECKING:
    from server.scoring import Edition, HandResult, Result


def game(edition: Edition, *gold: int, **more: object) -> Result:
    """Score hands of players a, b, c… with so many gold coins each, as a final game."""
    hands = [Hand(chr(ord("a") + place), {"gold": count}) for place, count in enumerate(gold)]
    return score(edition, hands, provisional=False, **more)  # type: ignore[arg-type]  # settings


def by_player(result: Result) -> dict[str, HandResult]:
    """Return the results by player."""
    return {hand.hand.player: hand for hand in result.hands}


def scores(result: Result) -> dict[str, int]:
    """Return the scores by player."""
    return {name: int(hand.score) for name, hand in by_player(result).items()}


# Majorities


@pytest.mark.parametrize(
    ("gold", "sole", "ties", "following"),
    [
        ([3, 2, 1], "a", "a", "a"),
        ([3, 3, 1], "", "ab", "c"),
        ([3, 3, 2, 2, 1], "", "ab", "e"),
        ([3, 3, 2, 2], "", "ab", ""),
        ([0, 0], "", "", ""),
        ([0, 1], "b", "b", "b"),
        ([2, 2, 2], "", "abc", ""),
    ],
)
def test_majorities_say_what_a_tie_does(gold: list[int], sole: str, ties: str, following: str) -> None:
    """Sole most; all who tie for most; the next number that only one has. Nobody has most of nothing."""
    found = {"sole": "", "all": "", "next": ""}
    book = Rulebook()

    @book.rule("look", Phase.TABLE)
    def look(me: Seat, _n: Numbers) -> None:
        for name in ("gold", "coin", "precious"):
            if me.table.sole_most(name) is me:
                found["sole"] += me.hand.player
            if me in me.table.all_most(name):
                found["all"] += me.hand.player
            if me.table.next_sole_most(name) is me:
                found["next"] += me.hand.player

    game(toy(book, groups=(Group("precious", "Precious", ("gold",)),)), *gold)
    threefold = {
        key: "".join(name * 3 for name in names)
        for key, names in {"sole": sole, "all": ties, "next": following}.items()
    }
    assert found == threefold


@pytest.mark.parametrize(("gold", "level"), [([2, 2, 1], "ab"), ([1, 1, 3, 3], "abcd"), ([0, 0, 1], ""), ([5], "")])
def test_hands_are_level_with_others_that_have_as_much(gold: list[int], level: str) -> None:
    """At any number, but not at none."""
    found: list[str] = []
    book = Rulebook()
    book.rule("1", Phase.OWN)(lambda me, _n: me.table.is_level(me, "gold") and found.append(me.hand.player))
    game(toy(book), *gold)
    assert "".join(found) == level


# Points for others, and shields against them


def attack_book(fines: dict[str, int], shields: int = 0) -> Rulebook:
    """Return rules by which each hand with gold takes points from all others, and a shield for hands with tin."""
    book = Rulebook()
    for name, fine in fines.items():

        @book.rule(name, Phase.DEDUCT)
        def attack(me: Seat, _n: Numbers, fine: int = fine) -> None:
            if me.has("gold"):
                for other in me.table.others(me):
                    other_fine = -fine
                    me.points_for(other, other_fine)

    if shields:

        @book.rule("shield", Phase.SHIELD, touches=list(fines))
        def shield(me: Seat, _n: Numbers) -> None:
            if me.has("tin"):
                me.shield(list(fines), shields)

    return book


def test_points_for_others_stand_in_their_breakdown_by_author() -> None:
    """Each attacker leaves a line in every other breakdown; lines stand in the order of names, not of seats."""
    edition = toy(attack_book({"attack": 3}), valued=frozenset())
    hands = [Hand("Zoe", {"gold": 1}), Hand("Ada", {"gold": 1}), Hand("Max")]
    result = by_player(score(edition, hands))
    assert {name: int(hand.score) for name, hand in result.items()} == {"Zoe": -3, "Ada": -3, "Max": -6}
    assert [entry.author for entry in result["Max"].seat.journal] == ["Zoe", "Ada"]
    assert by_player(score(edition, hands[::-1]))["Max"].lines == result["Max"].lines


def test_a_shield_voids_so_many_lines_the_largest_first() -> None:
    """Of deductions of 1, 5 and 3, two shields void 5 and 3; gains are never voided."""
    edition = toy(attack_book({"one": 1, "five": 5, "three": 3}, shields=2), valued=frozenset())
    result = by_player(score(edition, [Hand("Ada", {"tin": 1}), Hand("Bob", {"gold": 1})]))["Ada"]
    assert result.score == -1
    assert {line.rule: line.voided_by for line in result.lines if line.points} == {
        "one": None,
        "five": "shield",
        "three": "shield",
    }


def test_a_shield_reaches_only_deductions_by_its_rules() -> None:
    """Ten shields against one rule void its deduction, not its gain, and no line of another rule."""
    book = Rulebook()

    @book.rule("named", Phase.DEDUCT)
    def named(me: Seat, _n: Numbers) -> None:
        me.points(-1)
        me.points(5)

    book.rule("other", Phase.DEDUCT)(lambda me, _n: me.points(-3))
    book.rule("shield", Phase.SHIELD, touches=["named"])(lambda me, _n: me.shield(["named"], 10))
    (hand,) = score(toy(book, valued=frozenset()), [Hand("Ada")]).hands
    assert [(line.rule, line.points, line.voided_by) for line in hand.lines] == [
        ("named", -1, "shield"),
        ("named", 5, None),
        ("other", -3, None),
        ("shield", 0, None),
    ]
    assert hand.score == 2


def test_two_shields_void_two_lines() -> None:
    """A line that one shield has voided is left alone by the next; each names its own."""
    book = attack_book({"one": 1, "two": 2, "three": 3})
    for place in (1, 2):
        act = lambda me, _n: me.has("tin") and me.shield(["one", "two", "three"], 1)  # noqa: E731 - one line, used twice
        book.rule(f"shield-{place}", Phase.SHIELD, touches=["one", "two", "three"])(act)
    edition = toy(book, valued=frozenset())
    ada = by_player(score(edition, [Hand("Ada", {"tin": 1}), Hand("Bob", {"gold": 1})]))["Ada"]
    assert {line.rule: line.voided_by for line in ada.lines if line.points} == {
        "one": None,
        "two": "shield-2",
        "three": "shield-1",
    }


def test_a_line_that_two_rules_void_names_both() -> None:
    """The first of them in the edition's order is `voided_by`, the sentence tells of both."""
    book = Rulebook()
    book.rule("gift", Phase.OWN)(lambda me, _n: me.points(1))
    for name in ("first", "second"):
        book.rule(name, Phase.SHIELD, touches=["gift"])(lambda me, _n: me.void(["gift"]))
    (hand,) = score(toy(book, valued=frozenset()), [Hand("Ada")]).hands
    assert (hand.lines[0].voided_by, hand.lines[0].text) == (
        "first",
        "Rule gift acted. Void by rule first, rule second.",
    )


def test_a_doubling_itself_can_be_void() -> None:
    """A shield after the doubling takes away what it brought, and no more."""
    book = Rulebook()
    book.rule("double", Phase.DOUBLE)(lambda me, _n: me.double(2))
    book.rule("spoil", Phase.SHIELD, touches=["double"])(lambda me, _n: me.has("tin") and me.void(["double"]))
    edition = toy(book, worths={"gold": 1, "tin": 1})
    assert list(mistakes(edition)) == []
    result = by_player(score(edition, [Hand("Ada", {"gold": 3}), Hand("Bob", {"gold": 2, "tin": 1})]))
    assert (result["Ada"].score, result["Bob"].score) == (6, 3)


def test_a_shield_without_work_is_silent() -> None:
    """Nobody attacks: no line of the shield."""
    edition = toy(attack_book({"one": 1}, shields=1), valued=frozenset())
    assert by_player(score(edition, [Hand("Ada", {"tin": 1}), Hand("Bob")]))["Ada"].lines == ()


# Elimination and removal


def test_an_eliminated_hand_leaves_the_table() -> None:
    """It has no lines but its elimination, does nothing to others, counts in no majority, and ranks last."""
    book = attack_book({"attack": 1})

    @book.rule("out", Phase.ELIMINATE)
    def out(me: Seat, _n: Numbers) -> None:
        if me.has("gold") > 2:
            me.eliminate()

    result = game(toy(book, valued=frozenset()), 3, 1, 4, 0)
    assert [(h.hand.player, h.rank, h.eliminated) for h in result.hands] == [
        ("b", 1, False),
        ("d", 2, False),
        ("a", 3, True),
        ("c", 3, True),
    ]
    assert scores(result)["d"] == -1
    assert [line.rule for line in by_player(result)["a"].lines] == ["out"]


def test_a_game_may_eliminate_everybody() -> None:
    """Then all share the first place, and none has a score."""
    book = Rulebook()
    book.rule("out", Phase.ELIMINATE)(lambda me, _n: me.eliminate())
    result = game(toy(book), 1, 2)
    assert [(h.rank, h.eliminated) for h in result.hands] == [(1, True), (1, True)]


def keep_book(*limits: int) -> Rulebook:
    """Return rules that keep so many coins each, and one that gives a point for each coin left."""
    book = Rulebook()
    for limit in limits:
        book.rule(f"keep-{limit}", Phase.REMOVE)(lambda me, _n, limit=limit: me.keep("coin", limit))
    book.rule("left", Phase.OWN)(lambda me, _n: me.points(me.has("coin")))
    return book


def test_the_smallest_limit_keeps_and_handed_in_stays() -> None:
    """Of limits 5 and 3, three coins are left; `handed_in` still tells what was in the envelope."""
    edition = toy(keep_book(5, 3), valued=frozenset())
    (hand,) = score(edition, [Hand("Ada", {"gold": 4, "tin": 4})]).hands
    assert hand.score == 3
    assert (hand.seat.handed_in("gold"), hand.seat.total) == (4, 8)
    assert by_player(score(edition, [Hand("Ada", {"gold": 3})]))["Ada"].score == 3


def test_a_kind_whose_cards_all_left_keeps_its_line() -> None:
    """The breakdown tells of every kind that was handed in, if only to say that none of it counts."""
    book = keep_book(1)
    edition = toy(book, worths={"gold": 1, "tin": 1})
    (hand,) = score(edition, [Hand("Ada", {"gold": 1, "tin": 1})]).hands
    assert sorted(int(line.points) for line in hand.lines if line.rule is None) == [0, 1]


# Worth: limits, factors, least worths


def worth_book(*writes: object) -> Rulebook:
    """Return rules that each write one thing about the worth of gold, in the phase that fits."""
    book = Rulebook()
    for place, write in enumerate(writes):
        phase, act = write  # type: ignore[misc]  # pairs
        book.rule(f"rule-{place}", phase)(lambda me, _n, act=act: act(me))
    return book


CAP = (Phase.COUNT, lambda me: me.cap("gold", 2))
TIGHTER = (Phase.COUNT, lambda me: me.cap("gold", 1))
DOUBLE_ALL = (Phase.WORTH, lambda me: me.multiply("gold", 2, 99))
TRIPLE_ONE = (Phase.WORTH, lambda me: me.multiply("gold", 3, 1))
ZERO = (Phase.WORTH, lambda me: me.zero(["gold"]))
AT_LEAST = (Phase.WORTH, lambda me: me.at_least("gold", 20))
AT_LEAST_LESS = (Phase.WORTH, lambda me: me.at_least("gold", 10))


@pytest.mark.parametrize(
    ("writes", "points"),
    [
        ([], 12),
        ([CAP], 8),
        ([CAP, TIGHTER], 4),
        ([DOUBLE_ALL], 24),
        ([TRIPLE_ONE], 20),
        ([DOUBLE_ALL, TRIPLE_ONE], 32),
        ([CAP, DOUBLE_ALL], 16),
        ([CAP, DOUBLE_ALL, TRIPLE_ONE], 24),
        ([ZERO, DOUBLE_ALL, TRIPLE_ONE], 0),
        ([AT_LEAST], 20),
        ([AT_LEAST, DOUBLE_ALL], 24),
        ([AT_LEAST, AT_LEAST_LESS], 20),
        ([AT_LEAST, ZERO], 20),
        ([AT_LEAST_LESS, AT_LEAST, ZERO, DOUBLE_ALL], 20),
    ],
)
def test_what_rules_write_about_worth_adds_up_in_any_order(writes: list[object], points: int) -> None:
    """Three coins of 4: the smallest limit, factors on the plain worth, zero before factors, least worths above all."""
    for order in (writes, writes[::-1]):
        edition = toy(worth_book(*order), worths={"gold": 4}, valued=frozenset({"coin"}))
        (hand,) = score(edition, [Hand("Ada", {"gold": 3})]).hands
        assert hand.score == points
        assert sum(line.points for line in hand.lines if not line.void) == points


def test_a_factor_on_a_worthless_kind_is_a_void_line() -> None:
    """The breakdown keeps what the factor would have brought, with the rule that made the kind worthless."""
    edition = toy(worth_book(ZERO, DOUBLE_ALL), worths={"gold": 4}, valued=frozenset({"coin"}))
    (hand,) = score(edition, [Hand("Ada", {"gold": 3})]).hands
    assert [(line.rule, line.points, line.voided_by) for line in hand.lines] == [
        (None, 12, "rule-0"),
        ("rule-0", 0, None),
        ("rule-1", 12, "rule-0"),
    ]


# Doubling


def test_a_doubling_takes_what_came_before_and_nothing_after() -> None:
    """Cards and bonuses double, deductions do not; two doublings both read the points before either."""
    for factors, expected in (([2], 2 * 13 - 1), ([2, 2], 3 * 13 - 1), ([2, 3], 4 * 13 - 1)):
        book = Rulebook()
        book.rule("bonus", Phase.OWN)(lambda me, _n: me.points(10))
        for place, factor in enumerate(factors):
            book.rule(f"double-{place}", Phase.DOUBLE)(lambda me, _n, factor=factor: me.double(factor))
        book.rule("fine", Phase.DEDUCT)(lambda me, _n: me.points(-1))
        assert scores(game(toy(book, worths={"gold": 1}), 3))["a"] == expected


def test_an_edition_may_double_after_deductions() -> None:
    """The order of the phases about points is the edition's."""
    book = Rulebook()
    book.rule("double", Phase.DOUBLE)(lambda me, _n: me.double(2))
    book.rule("fine", Phase.DEDUCT)(lambda me, _n: me.points(-1))
    book.rule("spare", Phase.SHIELD, touches=["fine"])(lambda me, _n: me.has("tin") and me.void(["fine"]))
    plain = toy(book, worths={"gold": 1, "tin": 0})
    usual = [phase for phase in Phase if phase not in (Phase.DOUBLE, Phase.DEDUCT, Phase.SHIELD)]
    late = replace(plain, phases=(*usual, Phase.DEDUCT, Phase.SHIELD, Phase.DOUBLE))
    assert (scores(game(plain, 5))["a"], scores(game(late, 5))["a"]) == (9, 8)
    (spared,) = score(late, [Hand("Ada", {"gold": 5, "tin": 1})]).hands
    assert spared.score == 10
    assert list(mistakes(late)) == []


def test_a_shield_cannot_reach_behind_a_doubling() -> None:
    """What has been doubled cannot be void any more: the edition is refused."""
    book = Rulebook()
    book.rule("fine", Phase.OWN)(lambda me, _n: me.points(-1))
    book.rule("double", Phase.DOUBLE)(lambda me, _n: me.double(2))
    book.rule("spare", Phase.SHIELD, touches=["fine"])(lambda me, _n: me.void(["fine"]))
    assert list(mistakes(toy(book))) == ["rules.spare: touches rule fine, whose phase is on the wrong side"]


# Cancelling and scopes


def test_a_rule_can_be_switched_off_for_one_or_for_all() -> None:
    """Sparing holds for the own hand, cancelling for everybody; a part marked `always` runs all the same."""
    for everyone, expected in ((False, {"a": 1, "b": 11}), (True, {"a": 1, "b": 1})):
        book = Rulebook()

        @book.rule("off", Phase.CANCEL, touches=["gift"])
        def off(me: Seat, _n: Numbers, everyone: bool = everyone) -> None:  # noqa: FBT001 - bound in a loop
            if me.has("gold") == 2:
                me.cancel(["gift"], everyone=everyone)

        book.rule("gift", Phase.OWN)(lambda me, _n: me.points(10))
        book.rule("gift", Phase.TABLE, also=True, always=True)(lambda me, _n: me.points(1))
        assert scores(game(toy(book, valued=frozenset()), 2, 1)) == expected


def scoped(scope: Scope, key: str = "1") -> Edition:
    """Return an edition whose rule gives a point within a scope."""
    book = Rulebook()
    book.rule(key, Phase.OWN)(lambda me, _n: me.points(2 if me.holds_card() else 1))
    edition = toy(book, valued=frozenset())
    return replace(edition, rules=tuple(replace(rule, scope=scope) for rule in edition.rules))


@pytest.mark.parametrize(
    ("scope", "with_card", "without", "nobody"),
    [(Scope.ALWAYS, 2, 1, 1), (Scope.HOLDER, 2, 0, 0), (Scope.IN_PLAY, 2, 1, 0)],
)
def test_a_scope_says_for_whom_a_rule_acts(scope: Scope, with_card: int, without: int, nobody: int) -> None:
    """Always; for the holder of its card; for all as soon as anybody holds it."""
    edition = scoped(scope)
    result = scores(score(edition, [Hand("Ada", {"rule-1": 1}), Hand("Bob")]))
    assert result == {"Ada": with_card, "Bob": without}
    assert scores(score(edition, [Hand("Ada"), Hand("Bob")])) == {"Ada": nobody, "Bob": nobody}


def test_an_eliminated_hand_brings_no_rule_into_play() -> None:
    """A rule in play needs a holder who is in the game."""
    edition = scoped(Scope.IN_PLAY)
    book = Rulebook()
    book.rule("out", Phase.ELIMINATE)(lambda me, _n: me.has("gold") and me.eliminate())
    edition = replace(edition, rules=(*edition.rules, replace(toy(book).rules[0], place=1)))
    assert scores(score(edition, [Hand("Ada", {"rule-1": 1, "gold": 1}), Hand("Bob")])) == {"Ada": 0, "Bob": 0}


def test_rules_in_play_cannot_share_an_effect() -> None:
    """Two of them would act twice on everybody."""
    edition = scoped(Scope.IN_PLAY)
    twin = replace(edition.rules[0], key="2", place=1)
    found = list(mistakes(replace(edition, rules=(*edition.rules, twin))))
    assert "rules.2: rules that act once in play cannot share the effect '1'" in found


def test_another_function_of_a_rule_is_asked_for() -> None:
    """A second function without `also`, or in the same phase, is a slip of the author."""
    book = Rulebook()
    book.family("f", Phase.OWN)(lambda _me, _n: None)
    with pytest.raises(EditionError, match="family f has two functions"):
        book.family("f", Phase.TABLE)(lambda _me, _n: None)
    with pytest.raises(EditionError, match="family f has two functions"):
        book.family("f", Phase.OWN, also=True)(lambda _me, _n: None)


# A single hand


def test_a_note_on_what_is_unknown_stands_only_in_a_provisional_count() -> None:
    """One hand is provisional unless it is said to be final; several are final unless said to be provisional."""
    book = Rulebook()
    book.rule("1", Phase.TABLE)(lambda me, _n: me.unknown("line"))
    edition = toy(book)
    ada, bob = Hand("Ada"), Hand("Bob")
    for hands, provisional, lines in (
        ([ada], None, 1),
        ([ada], False, 0),
        ([ada, bob], None, 0),
        ([ada, bob], True, 2),
        ([], None, 0),
    ):
        result = score(edition, hands, provisional=provisional)
        assert sum(len(hand.lines) for hand in result.hands) == lines
        assert result.provisional == bool(lines)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.randoms(use_true_random=True))
def test_seats_and_rules_shuffled_change_nothing(gold: list[int], random: object) -> None:
    """With every kind of phase at work, the order of players and of rules cannot be seen in the result."""
    book = attack_book({"one": 1, "two": 2}, shields=1)
    book.rule("keep", Phase.REMOVE)(lambda me, _n: me.keep("coin", 4))
    book.rule("out", Phase.ELIMINATE)(lambda me, _n: me.has("gold") == 5 and me.eliminate())
    book.rule("cap", Phase.COUNT)(lambda me, _n: me.cap("gold", 2))
    book.rule("most", Phase.WORTH)(lambda me, _n: me.table.sole_most("gold") is me and me.multiply("gold", 2, 9))
    book.rule("double", Phase.DOUBLE)(lambda me, _n: me.has("tin") > 1 and me.double(2))
    edition = toy(book, worths={"gold": 2, "tin": 1})
    hands = [Hand(f"p{place}", {"gold": count, "tin": (count * 7 + place) % 4}) for place, count in enumerate(gold)]
    rules, seats = list(edition.rules), list(hands)
    random.shuffle(rules)  # type: ignore[attr-defined]  # a seeded generator
    random.shuffle(seats)  # type: ignore[attr-defined]  # a seeded generator
    plain = by_player(score(edition, hands, provisional=False))
    mixed = by_player(score(replace(edition, rules=tuple(rules)), seats, provisional=False))
    for name, hand in plain.items():
        assert (hand.score, hand.rank, hand.lines) == (mixed[name].score, mixed[name].rank, mixed[name].lines)
