"""Facts that the organiser enters, and decks in labelled parts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from server.scoring import Hand, Phase, ScoringError, score
from server.scoring.edition import Fact, Group, PartOfDeck
from server.scoring.errors import InputError
from server.scoring.request_schema import read_request
from tests.scoring.support import toy

if TYPE_CHECKING:
    from fractions import Fraction

    from server.scoring import Edition, Seat


def edition(*rules: tuple[Any, ...]) -> Edition:
    """Return an edition with two facts, two parts and a group."""
    return toy(
        *rules,
        valued=frozenset(),
        facts=(
            Fact("meetings", "Meetings", yes_no=False, minimum=1, maximum=5, default=2),
            Fact("helped", "Helped", yes_no=True, minimum=0, maximum=1, default=False),
        ),
        parts=(PartOfDeck("left", "Left"), PartOfDeck("right", "Right")),
        groups=(Group("metal", "Metal", ("gold", "tin")),),
    )


def seen(act: Any, hand: Hand) -> Fraction:  # noqa: ANN401 - a rule's function
    """Return the points that a rule gives a hand."""
    return score(edition(("look", Phase.OWN, act)), [hand]).hands[0].score


def test_a_rule_reads_what_was_entered_or_else_the_default() -> None:
    def act(me: Seat, _n: object) -> None:
        me.points(10 * me.fact("meetings") + me.fact("helped"))

    assert seen(act, Hand("Ada", facts={"meetings": 5, "helped": True})) == 51
    assert seen(act, Hand("Ada")) == 20


def test_a_sentence_shows_a_fact_as_yes_or_no() -> None:
    plain = edition(("look", Phase.OWN, lambda me, _n: me.points(1, helped=me.fact("helped"))))
    object.__setattr__(plain.rules[0], "says", {"line": "Helped: {helped}."})
    assert score(plain, [Hand("Ada", facts={"helped": True})]).hands[0].lines[0].text == "Helped: yes."


def test_a_rule_reads_kinds_groups_and_categories_of_a_part() -> None:
    def act(me: Seat, _n: object) -> None:
        left, right = me.part("left"), me.part("right")
        assert (left.has("gold"), left.has("metal"), left.has("coin"), left.has("rule")) == (2, 3, 3, 0)
        assert left.counts("coin") == {"gold": 2, "tin": 1}
        assert right.has("coin") == 0
        me.points(me.has("gold"))

    assert seen(act, Hand("Ada", {"gold": 4, "tin": 1}, parts={"left": {"tin": 1, "gold": 2}})) == 4


NO_MEETINGS = "facts.meetings: must be a whole number from 1 to 5, not "


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        *(({"facts": {"meetings": n}}, NO_MEETINGS + json.dumps(n)) for n in (0, 6, True, 2.5)),
        ({"facts": {"helped": 1}}, "facts.helped: must be true or false, not 1"),
        ({"facts": {"hepled": True}}, "facts.hepled: toy asks for no such fact (it asks for meetings, helped)"),
        ({"parts": {"top": {}}}, "parts.top: toy has no such part (it has left, right)"),
        ({"parts": {"left": {"gold": 4}}}, "parts.left.gold: is in parts 4 times, but in the deck 3 times"),
        (
            {"parts": {"left": {"gold": 2}, "right": {"gold": 2}}},
            "parts.right.gold: is in parts 4 times, but in the deck 3 times",
        ),
        ({"parts": {"left": {"tin": 1}}}, "parts.left.tin: is in parts once, but in the deck 0 times"),
        (
            {"cards": {"gold": 1}, "parts": {"left": {"gold": 2}}},
            "parts.left.gold: is in parts 2 times, but in the deck once",
        ),
        ({"parts": {"left": {"gold": -1}}}, "parts.left.gold: must be at least 0, not -1"),
        ({"parts": {"left": 3}}, "parts.left: must be an object, not 3"),
    ],
)
def test_invalid_facts_and_parts_are_one_line_errors(hand: dict[str, object], message: str) -> None:
    asked = {"hands": [{"player": "Ada", "cards": {"gold": 3}, **hand}]}
    with pytest.raises(InputError) as caught:
        read_request(edition(), json.dumps(asked).encode())
    assert str(caught.value) == f"hands[0].{message}"


@pytest.mark.parametrize("meetings", [1, 5])
def test_ranges_are_inclusive_and_a_part_can_have_the_whole_deck(meetings: int) -> None:
    asked = {"player": "Ada", "cards": {"gold": 3}, "facts": {"meetings": meetings}, "parts": {"left": {"gold": 3}}}
    (hand,) = read_request(edition(), json.dumps({"hands": [asked]}).encode()).hands
    assert (hand.facts, hand.parts) == ({"meetings": meetings}, {"left": {"gold": 3}})


@pytest.mark.parametrize(
    ("of", "hand", "message"),
    [
        (edition(), Hand("Ada", facts={"meetings": 6}), "Ada: fact meetings is 6, but must be a whole number"),
        (edition(), Hand("Ada", parts={"left": {"gold": -1}}), "Ada: part left: gold "),
        (edition(), Hand("Ada", parts={"x": {}}), "Ada: part x: toy "),
        (toy(), Hand("Ada", facts={"x": 1}), "asks for no fact 'x'"),
        (toy(), Hand("Ada", parts={"x": {}}), "has decks without parts"),
    ],
)
def test_the_engine_refuses_entries_that_cannot_be(of: Edition, hand: Hand, message: str) -> None:
    with pytest.raises(ScoringError, match=message):
        score(of, [hand])
