"""The entries that rules may make in each phase; others are errors with the location of the function."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from server.scoring import EditionError, Hand, Phase, Rulebook, Seat, score
from server.scoring.edition import Fact, Group, PartOfDeck, Tie
from tests.scoring.support import toy

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.scoring import Edition

COINS = Hand("Ada", {"gold": 2, "tin": 3})
MORE: dict[str, Any] = {
    "numbers": {"other": {"limit": 1}, "third": {"limit": 1}},
    "groups": (Group("metals", "Metals", ("gold", "tin")),),
    "parts": (PartOfDeck("left", "Left"),),
    "facts": (Fact("luck", "Luck", yes_no=False, minimum=0, maximum=9, default=0),),
}


def edition(phase: Phase, write: Callable[[Seat], object], **more: Any) -> Edition:  # noqa: ANN401 - fields of an edition
    """Return an edition whose rule `mine` writes something, and which may touch `other` but not `third`."""
    rules = [(key, Phase.OWN, lambda _me, _n: None) for key in ("other", "third")]
    touches = ["other"] if phase in {Phase.ADJUST, Phase.CANCEL, Phase.SHIELD} else []
    return toy(*rules, ("mine", phase, lambda me, _n: write(me), *touches), **(MORE | more))


VERBS: dict[str, tuple[set[Phase], Callable[[Seat], None]]] = {
    "eliminate": ({Phase.ELIMINATE}, lambda me: me.eliminate()),
    "keep": ({Phase.REMOVE}, lambda me: me.keep("coin", 4)),
    "cancel": ({Phase.CANCEL}, lambda me: me.cancel(["other"], everyone=True)),
    "spare": ({Phase.CANCEL}, lambda me: me.cancel(["other"], everyone=False)),
    "adjust": ({Phase.ADJUST}, lambda me: me.adjust(["other"], "limit", 1)),
    "worth": ({Phase.BASE}, lambda me: me.worth("gold", 1)),
    "cap": ({Phase.COUNT}, lambda me: me.cap("gold", 1)),
    "zero": ({Phase.WORTH}, lambda me: me.zero(["gold"])),
    "multiply": ({Phase.WORTH}, lambda me: me.multiply("gold", 2, 1)),
    "at least": ({Phase.WORTH}, lambda me: me.at_least("gold", 9)),
    "points": ({Phase.OWN, Phase.TABLE, Phase.DEDUCT}, lambda me: me.points(1)),
    "points for": ({Phase.OWN, Phase.TABLE, Phase.DEDUCT}, lambda me: me.points_for(me, 1)),
    "double": ({Phase.DOUBLE}, lambda me: me.double(2)),
    "void": ({Phase.SHIELD}, lambda me: me.void(["other"])),
    "shield": ({Phase.SHIELD}, lambda me: me.shield(["other"], 1)),
}


@pytest.mark.parametrize("verb", VERBS)
def test_verbs_are_allowed_in_their_phases(verb: str) -> None:
    phases, write = VERBS[verb]
    for phase in Phase:
        rules = toy(
            ("other", Phase.OWN, lambda _me, _n: None),
            ("mine", phase, lambda me, _n: (me.note("line"), write(me)), "other"),
            **MORE,
        )
        if phase in phases:
            score(rules, [COINS])
        else:
            with pytest.raises(EditionError, match=f"rule mine acts in phase {phase.name}, where no rule may"):
                score(rules, [COINS])


REFUSED: list[tuple[Phase, Any, str]] = [
    (Phase.ADJUST, lambda me: me.adjust(["other"], "limits", 1), "other has no number 'limits' to adjust (it has lim"),
    (Phase.ADJUST, lambda me: me.adjust("other", "limit", 1), "me.adjust takes a list, such as ['other'], not 'other'"),
    (Phase.ADJUST, lambda me: me.adjust(["third"], "limit", 1), "mine touches rule third without declaring it"),
    (Phase.CANCEL, lambda me: me.cancel("other", everyone=True), "me.cancel takes a list, such as ['other']"),
    (Phase.CANCEL, lambda me: me.cancel(["third"], everyone=True), "mine touches rule third without declaring it"),
    (Phase.SHIELD, lambda me: me.void("other"), "me.void takes a list, such as ['other']"),
    (Phase.SHIELD, lambda me: me.void(["third"]), "mine touches rule third without declaring it"),
    (Phase.SHIELD, lambda me: me.shield("other", 1), "me.shield takes a list, such as ['other']"),
    (Phase.REMOVE, lambda me: me.keep("gold", 1), "there is no category 'gold' for me.keep (known: coin, rule)"),
    (Phase.BASE, lambda me: me.worth("coin", 2), "there is no card 'coin' for me.worth: it is a category"),
    (Phase.BASE, lambda me: me.worth("metals", 2), "there is no card 'metals' for me.worth: it is a group"),
    (Phase.BASE, lambda me: me.worth("golden", 2), "there is no card 'golden' for me.worth"),
    (Phase.BASE, lambda me: me.worth("rule-1", 2), "cards of category rule have none; add valued = true to the cat"),
    (Phase.COUNT, lambda me: me.cap("coin", 2), "there is no card 'coin' for me.cap: it is a category"),
    (Phase.WORTH, lambda me: me.multiply("coin", 2, 1), "there is no card 'coin' for me.multiply: it is a category"),
    (Phase.WORTH, lambda me: me.multiply("gold", 2, 1.5), "cards for me.multiply is 1.5, but must be a whole number"),
    (Phase.WORTH, lambda me: me.at_least("coin", 9), "there is no card 'coin' for me.at_least: it is a category"),
    (Phase.WORTH, lambda me: me.zero(["gold", "tinn"]), "there is no card 'tinn' for me.zero"),
    (Phase.WORTH, lambda me: me.zero("gold"), "me.zero takes a list, such as ['gold'], not 'gold' alone"),
    (Phase.OWN, lambda me: me.points_for(None, 1), "me.points_for takes a hand of the table, not None"),
    (Phase.OWN, lambda me: me.points_for_others(1, number="x"), "for me.points_for_others is 'x', but must be a whole"),
    (Phase.OWN, lambda me: me.points(1, ["line"]), "rule mine names its sentence by ['line']; give the name of one"),
    (Phase.OWN, lambda me: me.points(2.5), "rule mine writes 2.5; points are whole numbers or exact fractions"),
    (Phase.OWN, lambda me: me.counts("coins"), "rule mine fails: there is no 'coins' (KeyError)"),
    (Phase.OWN, lambda me: me.numbers["other"].limti, "the rule has no number 'limti' (it has limit)"),
    (Phase.OWN, lambda me: me.fact("nope"), "asks for no fact 'nope' (it asks for luck)"),
    (Phase.OWN, lambda me: me.part("nope"), "have no part 'nope' (they have left)"),
    (Phase.OWN, lambda _me: 1 / 0, "rule mine fails: ZeroDivisionError: division by zero"),
    (Phase.OWN, lambda _me: sys.exit(3), "rule mine ends the program (SystemExit), which no rule may; take that out"),
]


@pytest.mark.parametrize(("phase", "write", "message"), REFUSED, ids=[case[2] for case in REFUSED])
def test_errors_of_rules_are_one_line_with_their_location(
    phase: Phase,
    write: Any,  # noqa: ANN401 - a rule's function
    message: str,
) -> None:
    for hand in (COINS, Hand("Ada")) if "there is no c" in message else (COINS,):
        with pytest.raises(EditionError) as caught:
            score(edition(phase, write), [hand])
        assert str(caught.value).startswith(f"{__file__}:{write.__code__.co_firstlineno}: ")
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


def test_errors_of_tie_breaks_are_one_line_with_their_location() -> None:
    with pytest.raises(EditionError, match=r"test_verbs.py:\d+: tie-break age fails: ZeroDivisionError"):
        score(toy(ties=(Tie("age", "age", lambda _me: 1 / 0, None),)), [COINS])


WRITES: list[Any] = [
    lambda me: me.hand.cards.update(gold=99),
    lambda me: me.hand.cards.__setitem__("gold", 99),
    lambda me: me.hand.cards.__ior__({"gold": 99}),
    lambda me: me.hand.cards.setdefault("silver", 1),
    lambda me: me.hand.cards.pop("gold"),
    lambda me: me.hand.cards.popitem(),
    lambda me: me.hand.cards.__delitem__("gold"),
    lambda me: me.hand.cards.clear(),
    lambda me: me.hand.facts.update(luck=1),
    lambda me: me.hand.parts.update(left={}),
    lambda me: me.hand.parts["left"].update(gold=99),
    lambda me: me.counts("coin").update(gold=99),
]


def test_rules_cannot_change_the_hand() -> None:
    """Nor its counts after cards were removed."""
    cards = {"gold": 3}
    hand = Hand("Ada", cards, parts={"left": {"gold": 1}})
    for write in WRITES:
        with pytest.raises(EditionError, match="rule mine: what a player handed in can only be read; change a copy"):
            score(edition(Phase.OWN, write), [hand])
        assert (hand.cards, cards, hand.parts) == ({"gold": 3}, {"gold": 3}, {"left": {"gold": 1}})
    leaving = ("keep", Phase.REMOVE, lambda me, _n: me.keep("coin", 2))
    with pytest.raises(EditionError, match="can only be read"):
        score(toy(leaving, ("write", Phase.OWN, lambda me, _n: me.counts("coin").clear())), [COINS])


@pytest.mark.parametrize(
    ("phase", "write"),
    [
        (Phase.BASE, lambda me: me.worth("silver", 2)),
        (Phase.COUNT, lambda me: me.cap("silver", 2)),
        (Phase.WORTH, lambda me: me.zero(["silver"])),
        (Phase.WORTH, lambda me: me.multiply("silver", 2, 1)),
        (Phase.WORTH, lambda me: me.at_least("silver", 2)),
        (Phase.REMOVE, lambda me: me.keep("silver", 1)),
    ],
)
def test_cards_missing_from_a_variant_can_be_named(phase: Phase, write: Any) -> None:  # noqa: ANN401 - a rule's function
    variant = edition(phase, write, absent=frozenset({"silver"}), worths={"gold": 2})
    assert score(variant, [COINS]).hands[0].score == 4


@pytest.mark.parametrize(
    ("says", "value", "message"),
    [
        ({"line": "{nope}"}, 1, "toy: rules.mine.says.line: the rule has no value for 'nope'"),
        ({}, 1, "toy: rules.mine.says.line: the rule has no sentence 'line'"),
        ({"line": "{what}"}, "silver", "toy: rule mine: there is no card, group or part 'silver' to show as 'what'"),
        *(
            ({"line": "{what}"}, value, "cannot be shown as 'what'; pass a number")
            for value in (["gold"], None, {"gold"}, float("nan"), float("inf"))
        ),
    ],
)
def test_errors_of_texts_are_one_line_with_their_location(says: dict[str, str], value: object, message: str) -> None:
    plain = toy(("mine", Phase.OWN, lambda me, _n: me.points(1, what=value)))
    object.__setattr__(plain.rules[0], "says", says)
    with pytest.raises(EditionError, match=r"^toy: rule") as caught:
        _ = score(plain, [COINS]).hands[0].lines
    assert message in str(caught.value)


def test_rules_families_and_tie_breaks_have_one_function() -> None:
    """A second function needs `also` and another phase."""
    book = Rulebook()
    book.rule(1, Phase.OWN)(lambda _me, _n: None)
    book.family("f", Phase.OWN)(lambda _me, _n: None)
    book.tie("age")(lambda _me: 0)
    with pytest.raises(EditionError, match="rule 1 has two functions"):
        book.rule("1", Phase.BASE)(lambda _me, _n: None)
    for also, phase in ((False, Phase.TABLE), (True, Phase.OWN)):
        with pytest.raises(EditionError, match="family f has two functions"):
            book.family("f", phase, also=also)(lambda _me, _n: None)
    with pytest.raises(EditionError, match="tie-break age has two functions"):
        book.tie("age")(lambda _me: 1)
