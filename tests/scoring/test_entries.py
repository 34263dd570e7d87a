"""Facts that the organiser enters, decks in labelled parts, and rules that fail while they score."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from server.scoring import EditionError, Hand, Phase, Rulebook, ScoringError, score
from server.scoring.edition import Fact, Group, PartOfDeck
from server.scoring.mistakes import WireError
from server.scoring.wire import read_request
from tests.scoring.support import toy

if TYPE_CHECKING:
    from fractions import Fraction

    from server.scoring import Edition, Seat

MEETINGS = Fact("meetings", "Meetings", yes_no=False, minimum=1, maximum=5, default=2)
HELPED = Fact("helped", "Helped", yes_no=True, minimum=0, maximum=1, default=False)
PARTS = (PartOfDeck("left", "Left"), PartOfDeck("right", "Right"))


def edition(book: Rulebook | None = None) -> Edition:
    """Return an edition with two facts, two parts and a group."""
    metal = Group("metal", "Metal", ("gold", "tin"))
    return toy(book or Rulebook(), valued=frozenset(), facts=(MEETINGS, HELPED), parts=PARTS, groups=(metal,))


def seen(act: Any, hand: Hand) -> Fraction:  # noqa: ANN401 - a rule's function
    """Return the points that a rule gives a hand."""
    book = Rulebook()
    book.rule("look", Phase.OWN)(act)
    return score(edition(book), [hand]).hands[0].score


def test_a_rule_reads_what_was_entered_or_else_the_default() -> None:
    """Whole numbers and yes or no; a hand without an entry has the fact's default."""
    act = lambda me, _n: me.points(10 * me.fact("meetings") + me.fact("helped"))  # noqa: E731 - used twice
    assert seen(act, Hand("Ada", facts={"meetings": 5, "helped": True})) == 51
    assert seen(act, Hand("Ada")) == 20


def test_a_sentence_shows_a_fact_as_yes_or_no() -> None:
    """True and False are words in a breakdown, in the language of the edition."""
    book = Rulebook()
    book.rule("look", Phase.OWN)(lambda me, _n: me.points(1, helped=me.fact("helped")))
    plain = edition(book)
    (rule,) = plain.rules
    object.__setattr__(rule, "says", {"line": "Helped: {helped}."})
    assert score(plain, [Hand("Ada", facts={"helped": True})]).hands[0].lines[0].text == "Helped: yes."


def test_a_rule_reads_the_parts_of_a_deck() -> None:
    """Kinds, groups and categories of a part; a part without cards is empty."""

    def act(me: Seat, _n: object) -> None:
        left, right = me.part("left"), me.part("right")
        assert (left.has("gold"), left.has("metal"), left.has("coin"), left.has("rule")) == (2, 3, 3, 0)
        assert left.counts("coin") == {"gold": 2, "tin": 1}
        assert right.has("coin") == 0
        me.points(me.has("gold"))

    assert seen(act, Hand("Ada", {"gold": 4, "tin": 1}, parts={"left": {"tin": 1, "gold": 2}})) == 4


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        ({"facts": {"meetings": 0}}, "hands[0].facts.meetings: must be a whole number from 1 to 5, not 0"),
        ({"facts": {"meetings": 6}}, "hands[0].facts.meetings: must be a whole number from 1 to 5, not 6"),
        ({"facts": {"meetings": True}}, "hands[0].facts.meetings: must be a whole number from 1 to 5, not true"),
        ({"facts": {"meetings": 2.5}}, "hands[0].facts.meetings: must be a whole number from 1 to 5, not 2.5"),
        ({"facts": {"helped": 1}}, "hands[0].facts.helped: must be true or false, not 1"),
        (
            {"facts": {"hepled": True}},
            "hands[0].facts.hepled: toy asks for no such fact (it asks for meetings, helped)",
        ),
        ({"parts": {"top": {}}}, "hands[0].parts.top: toy has no such part (it has left, right)"),
        (
            {"parts": {"left": {"gold": 4}}},
            "hands[0].parts.left.gold: lies in parts 4 times, but is in the deck 3 times",
        ),
        (
            {"parts": {"left": {"gold": 2}, "right": {"gold": 2}}},
            "hands[0].parts.right.gold: lies in parts 4 times, but is in the deck 3 times",
        ),
        ({"parts": {"left": {"tin": 1}}}, "hands[0].parts.left.tin: lies in parts once, but is in the deck 0 times"),
        (
            {"cards": {"gold": 1}, "parts": {"left": {"gold": 2}}},
            "hands[0].parts.left.gold: lies in parts 2 times, but is in the deck once",
        ),
        ({"parts": {"left": {"gold": -1}}}, "hands[0].parts.left.gold: must be at least 0, not -1"),
        ({"parts": {"left": 3}}, "hands[0].parts.left: must be an object, not 3"),
    ],
)
def test_a_fact_or_part_that_cannot_be_is_one_clear_line(hand: dict[str, object], message: str) -> None:
    """Just outside each end of a range, of another type, unknown; a part with more cards than the deck."""
    asked = {"hands": [{"player": "Ada", "cards": {"gold": 3}, **hand}]}
    with pytest.raises(WireError) as caught:
        read_request(edition(), json.dumps(asked).encode())
    assert str(caught.value) == message


@pytest.mark.parametrize("meetings", [1, 5])
def test_what_can_be_entered_reaches_the_hand(meetings: int) -> None:
    """Both ends of a range belong to it; parts may hold the whole deck."""
    asked = {"player": "Ada", "cards": {"gold": 3}, "facts": {"meetings": meetings}, "parts": {"left": {"gold": 3}}}
    (hand,) = read_request(edition(), json.dumps({"hands": [asked]}).encode()).hands
    assert (hand.facts, hand.parts) == ({"meetings": meetings}, {"left": {"gold": 3}})


def test_an_edition_without_parts_and_facts_refuses_them() -> None:
    """The line says that the edition has none."""
    plain = toy(Rulebook())
    for hand in (Hand("Ada", facts={"x": 1}), Hand("Ada", parts={"x": {}})):
        with pytest.raises(ScoringError, match=r"asks for no fact 'x'|has decks without parts"):
            score(plain, [hand])


@pytest.mark.parametrize(
    "hand",
    [Hand("Ada", facts={"meetings": 6}), Hand("Ada", parts={"left": {"gold": -1}}), Hand("Ada", parts={"x": {}})],
)
def test_the_engine_itself_refuses_what_cannot_be(hand: Hand) -> None:
    """Callers that make hands themselves get one line too."""
    with pytest.raises(ScoringError, match="Ada: "):
        score(edition(), [hand])


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda _me, _n: 1 / 0, "rule look fails: ZeroDivisionError: division by zero"),
        (lambda _me, _n: sys.exit(3), "rule look ends the program (SystemExit), which no rule may; take that out"),
        (lambda me, _n: me.fact("nope"), "asks for no fact 'nope' (it asks for meetings, helped)"),
        (lambda me, _n: me.part("nope"), "have no part 'nope' (they have left, right)"),
        (lambda me, _n: me.points(2.5), "rule look writes 2.5; points are whole numbers or exact fractions"),
    ],
)
def test_a_rule_that_fails_is_one_line_with_its_place(act: Any, message: str) -> None:  # noqa: ANN401 - a rule's function
    """File and line of the author's function, the rule, and the reason."""
    with pytest.raises(EditionError) as caught:
        seen(act, Hand("Ada"))
    text = str(caught.value)
    assert text.startswith(f"{__file__}:{act.__code__.co_firstlineno}: ")
    assert text.endswith(message)
    assert "\n" not in text


def test_a_tie_break_that_fails_is_one_line_with_its_place() -> None:
    """As with rules: the innermost line in the author's file."""
    from server.scoring.edition import Tie  # noqa: PLC0415 - only this test

    plain = toy(Rulebook(), ties=(Tie("age", "age", lambda _me: 1 / 0, None),))
    with pytest.raises(EditionError, match=r"test_entries.py:\d+: tie-break age fails: ZeroDivisionError"):
        score(plain, [Hand("Ada")])


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ("{nope}", "toy: rules.look.says.line: the rule has not a value for 'nope'"),
        (None, "toy: rules.look.says.line: the rule has not the sentence 'line'"),
        ("{what}", "toy: rule look: there is no card, group or part 'silver' to show as 'what'"),
    ],
)
def test_a_sentence_that_cannot_be_made_is_one_line(says: str | None, message: str) -> None:
    """It fails when it is read, with the place in the edition's file."""
    book = Rulebook()
    book.rule("look", Phase.OWN)(lambda me, _n: me.points(1, **({"what": "silver"} if says == "{what}" else {})))
    plain = edition(book)
    object.__setattr__(plain.rules[0], "says", {} if says is None else {"line": says})
    with pytest.raises(EditionError) as caught:
        print(score(plain, [Hand("Ada")]).hands[0].lines)  # noqa: T201 - reading makes the sentences
    assert str(caught.value) == message
