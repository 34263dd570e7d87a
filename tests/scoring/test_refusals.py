"""What the verbs refuse at once, so that the error tells the line of the rule that wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from server.scoring import EditionError, Hand, Phase, Rulebook, Seat, score
from server.scoring.edition import Group, PartOfDeck
from tests.scoring.support import toy

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.scoring import Edition

METALS = Group("metals", "Metals", ("gold", "tin"))


def edition(phase: Phase, write: Callable[[Seat], object], **more: object) -> Edition:
    """Return an edition whose rule `mine` writes something, and whose rule `other` has a limit."""
    book = Rulebook()
    book.rule("other", Phase.OWN)(lambda me, _n: me.points(0))
    touches = ["other"] if phase in {Phase.ADJUST, Phase.CANCEL, Phase.SHIELD} else []
    book.rule("mine", phase, touches=touches)(lambda me, _n: write(me))
    return toy(book, {"other": {"limit": 1}}, groups=(METALS,), **more)


REFUSED: list[tuple[Phase, Any, str]] = [
    (
        Phase.ADJUST,
        lambda me: me.adjust(["other"], "limits", 1),
        "other has no number 'limits' to adjust (it has limit)",
    ),
    (Phase.ADJUST, lambda me: me.adjust("other", "limit", 1), "me.adjust takes a list, such as ['other'], not 'other'"),
    (Phase.CANCEL, lambda me: me.cancel("other", everyone=True), "me.cancel takes a list, such as ['other']"),
    (Phase.SHIELD, lambda me: me.void("other"), "me.void takes a list, such as ['other']"),
    (Phase.SHIELD, lambda me: me.shield("other", 1), "me.shield takes a list, such as ['other']"),
    (Phase.REMOVE, lambda me: me.keep("gold", 1), "there is no category 'gold' for me.keep (there is coin, rule)"),
    (Phase.REMOVE, lambda me: me.keep("coins", 1), "there is no category 'coins' for me.keep (there is coin, rule)"),
    (Phase.BASE, lambda me: me.worth("coin", 2), "there is no card 'coin' for me.worth: it is a category"),
    (Phase.BASE, lambda me: me.worth("metals", 2), "there is no card 'metals' for me.worth: it is a group"),
    (Phase.BASE, lambda me: me.worth("golden", 2), "there is no card 'golden' for me.worth"),
    (
        Phase.BASE,
        lambda me: me.worth("rule-1", 2),
        "cards of category rule have none; add valued = true to the category",
    ),
    (Phase.COUNT, lambda me: me.cap("coin", 2), "there is no card 'coin' for me.cap: it is a category"),
    (Phase.WORTH, lambda me: me.multiply("coin", 2, 1), "there is no card 'coin' for me.multiply: it is a category"),
    (Phase.WORTH, lambda me: me.multiply("gold", 2, 1.5), "cards for me.multiply is 1.5, but must be a whole number"),
    (Phase.WORTH, lambda me: me.at_least("coin", 9), "there is no card 'coin' for me.at_least: it is a category"),
    (Phase.WORTH, lambda me: me.zero(["coin"]), "there is no card 'coin' for me.zero: it is a category"),
    (Phase.WORTH, lambda me: me.zero("gold"), "me.zero takes a list, such as ['gold'], not 'gold' alone"),
    (Phase.OWN, lambda me: me.points_for(None, 1), "me.points_for takes a hand of the table, not None"),
    (Phase.OWN, lambda me: me.points_for_others(1, number="x"), "for me.points_for_others is 'x', but must be a whole"),
    (Phase.OWN, lambda me: me.points(1, ["line"]), "rule mine names its sentence by ['line']; give the name of one"),
    (Phase.OWN, lambda me: me.counts("coins"), "rule mine fails: there is no 'coins' (KeyError)"),
]


@pytest.mark.parametrize(("phase", "write", "message"), REFUSED, ids=[case[2] for case in REFUSED])
def test_a_wrong_name_is_one_line_with_the_place_of_the_rule(phase: Phase, write: Any, message: str) -> None:  # noqa: ANN401 - a rule's function
    """File and line where the verb was called, the rule, and what is wrong; a phase never fails at its end."""
    with pytest.raises(EditionError) as caught:
        score(edition(phase, write), [Hand("Ada", {"gold": 3})])
    text = str(caught.value)
    assert text.startswith(f"{__file__}:{write.__code__.co_firstlineno}: rule mine")
    assert message in text
    assert "\n" not in text


WRITES: list[Any] = [
    lambda me: me.hand.cards.update(gold=99),
    lambda me: me.hand.cards.__setitem__("gold", 99),
    lambda me: me.hand.cards.__ior__({"gold": 99}),
    lambda me: me.hand.cards.setdefault("tin", 1),
    lambda me: me.hand.cards.pop("gold"),
    lambda me: me.hand.cards.popitem(),
    lambda me: me.hand.cards.__delitem__("gold"),
    lambda me: me.hand.cards.clear(),
    lambda me: me.hand.facts.update(luck=1),
    lambda me: me.hand.parts.update(left={}),
    lambda me: me.hand.parts["left"].update(gold=99),
    lambda me: me.counts("coin").update(gold=99),
]


@pytest.mark.parametrize("write", WRITES)
def test_a_rule_cannot_change_what_was_handed_in(write: Any) -> None:  # noqa: ANN401 - a rule's function
    """One line with the place of the rule; the caller's own dictionaries stay as they are, and their own."""
    cards = {"gold": 3}
    hand = Hand("Ada", cards, parts={"left": {"gold": 1}})
    parts = (PartOfDeck("left", "Left"),)
    with pytest.raises(EditionError) as caught:
        score(edition(Phase.OWN, write, parts=parts), [hand])
    text = str(caught.value)
    place = f"{__file__}:{write.__code__.co_firstlineno}"
    assert text.startswith(f"{place}: rule mine: what a player handed in can only be read; change a copy")
    assert "\n" not in text
    assert hand.cards == cards == {"gold": 3}
    assert hand.parts == {"left": {"gold": 1}}


def test_counts_stay_read_only_where_cards_have_left() -> None:
    """Also after a rule has let only some cards of a category score."""
    book = Rulebook()
    book.rule("keep", Phase.REMOVE)(lambda me, _n: me.keep("coin", 2))
    book.rule("write", Phase.OWN)(lambda me, _n: me.counts("coin").clear())
    with pytest.raises(EditionError, match="can only be read"):
        score(toy(book), [Hand("Ada", {"gold": 3})])


@pytest.mark.parametrize(("phase", "write"), [case[:2] for case in REFUSED if "there is no c" in case[2]])
def test_a_wrong_name_is_refused_whatever_the_hand_holds(phase: Phase, write: Any) -> None:  # noqa: ANN401 - a rule's function
    """Also where the hand is empty, so that nothing would be written."""
    with pytest.raises(EditionError, match="there is no c"):
        score(edition(phase, write), [Hand("Ada")])


def test_the_last_card_before_a_wrong_name_counts_not() -> None:
    """Of several names each is looked at, not the first alone."""
    with pytest.raises(EditionError, match=r"there is no card 'tinn' for me.zero"):
        score(edition(Phase.WORTH, lambda me: me.zero(["gold", "tinn"])), [Hand("Ada", {"gold": 1})])


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
def test_what_a_variant_leaves_out_is_named_in_vain(phase: Phase, write: Any) -> None:  # noqa: ANN401 - a rule's function
    """Its rules are those of another edition, which may still name its cards: nothing happens."""
    variant = edition(phase, write, absent=frozenset({"silver"}), worths={"gold": 2})
    (hand,) = score(variant, [Hand("Ada", {"gold": 3})]).hands
    assert hand.score == 6


@pytest.mark.parametrize(("limit", "points"), [(-1, 0), (0, 0), (1, 2), (3, 6), (4, 6)])
def test_a_limit_that_fell_below_zero_lets_no_card_score(limit: int, points: int) -> None:
    """It never makes cards count against the hand."""
    capped = edition(Phase.COUNT, lambda me: me.cap("gold", limit), worths={"gold": 2})
    (hand,) = score(capped, [Hand("Ada", {"gold": 3})]).hands
    assert hand.score == points


@pytest.mark.parametrize("value", [["gold"], None, {"gold"}, float("nan"), float("inf")])
def test_a_value_that_no_sentence_can_show_is_one_line(value: Any) -> None:  # noqa: ANN401 - whatever an author passes
    """It fails when the breakdown is read, with edition and rule."""
    shown = edition(Phase.OWN, lambda me: me.points(1, what=value))
    with pytest.raises(EditionError, match=r"^toy: rule mine: .* cannot be shown as 'what'; pass a number"):
        _ = score(shown, [Hand("Ada")]).hands[0].lines
