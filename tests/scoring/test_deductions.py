"""Points that hands give or take from each other, and shields against them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions.checks import mistakes
from server.scoring import Hand, Numbers, Phase, Rulebook, Seat, score
from tests.scoring.support import toy
from tests.scoring.tables import attack_book, by_player, scores


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


# What a hand does to all others alike


def crowd_book(*fines: int, shields: int = 0) -> Rulebook:
    """Return rules by which a hand with gold takes points from all others in one writing, and a shield."""
    book = Rulebook()
    names = [f"fine-{place}" for place in range(len(fines))]
    for name, fine in zip(names, fines, strict=True):

        @book.rule(name, Phase.DEDUCT)
        def take(me: Seat, _n: Numbers, fine: int = fine) -> None:
            if me.has("gold"):
                me.points_for_others(-fine, number=me.has("gold"))

    if shields:
        book.rule("shield", Phase.SHIELD, touches=names)(lambda me, _n: me.has("tin") and me.shield(names, shields))
    return book


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=9),
    st.lists(st.integers(1, 5), min_size=1, max_size=3),
    st.integers(0, 12),
)
def test_to_write_for_all_others_is_to_write_for_each(
    held: list[tuple[int, bool]], fines: list[int], shields: int
) -> None:
    """The scores are those of a deduction by each hand from each other one, shields too; and the lines add up."""
    hands = [Hand(f"p{place}", {"gold": gold, "tin": int(tin)}) for place, (gold, tin) in enumerate(held)]
    shared = toy(crowd_book(*fines, shields=shields), valued=frozenset())
    each = toy(attack_book({f"fine-{i}": fine for i, fine in enumerate(fines)}, shields=shields), valued=frozenset())
    result = by_player(score(shared, hands, provisional=False))
    assert scores(score(shared, hands, provisional=False)) == scores(score(each, hands, provisional=False))
    for hand in result.values():
        assert sum(line.points for line in hand.lines if not line.void) == hand.score
        assert len([line for line in hand.lines if line.points]) <= 2 * len(fines)


def test_a_shield_parts_a_line_of_several_hands() -> None:
    """The first hands by name are void, the others stay; each part says whom it tells of."""
    book = crowd_book(3, shields=2)
    edition = toy(book, valued=frozenset())
    says = {"fine-0": "{authors}: {times} * {each} = {gain}", "shield": "{rule}"}
    for rule in edition.rules:
        object.__setattr__(rule, "says", {"line": says[rule.key]})
    hands = [Hand("Me", {"tin": 1}), *(Hand(name, {"gold": 1 + place}) for place, name in enumerate("DACB"))]
    lines = by_player(score(edition, hands))["Me"].lines
    assert [(line.points, line.text, line.voided_by) for line in lines] == [
        (-6, "A (2), B (4): 2 * -3 = -6 Void by rule shield.", "shield"),
        (-6, "C (3), D (1): 2 * -3 = -6", None),
        (0, "shield", None),
    ]


def test_hands_that_write_something_else_stand_apart() -> None:
    """Other points, or numbers that another rule has moved, are another line; a hand does nothing to itself."""
    book = Rulebook()
    book.rule("move", Phase.ADJUST, touches=["fine"])(lambda me, _n: me.has("tin") and me.adjust(["fine"], "limit", 1))
    book.rule("fine", Phase.DEDUCT)(lambda me, n: me.has("gold") >= n.limit and me.points_for_others(-me.has("gold")))
    edition = toy(book, {"fine": {"limit": 1}}, valued=frozenset())
    hands = [Hand("A", {"gold": 2}), Hand("B", {"gold": 2, "tin": 1}), Hand("C", {"gold": 3}), Hand("D", {"gold": 2})]
    found = by_player(score(edition, hands))
    points = {name: [line.points for line in hand.lines if line.rule == "fine"] for name, hand in found.items()}
    assert points == {"A": [-2, -3, -2], "B": [-4, -3], "C": [-4, -2], "D": [-2, -2, -3]}


def test_lines_stay_few_however_many_hands_there_are() -> None:
    """Three hundred hands that hurt each other: a line a rule in each breakdown, and an entry a line."""
    edition = toy(crowd_book(1, 2), valued=frozenset())
    for hand in score(edition, [Hand(f"p{place:03}", {"gold": 1}) for place in range(300)]).hands:
        assert [line.points for line in hand.lines] == [-299, -598]
        assert len(hand.seat.journal) == 2
