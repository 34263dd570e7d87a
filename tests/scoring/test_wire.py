"""Hands as JSON, coming in: everything that cannot be scored is refused with its place."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.scoring.mistakes import WireError
from server.scoring.strict_json import MAX_BYTES
from server.scoring.wire import ScoreRequest, read_request, request_of
from tests.scoring.support import EUROCG

TAROT = load_edition("tarot-fr")


def read(text: str | bytes) -> ScoreRequest:
    """Read a request for EuroCG."""
    return read_request(EUROCG, text if isinstance(text, bytes) else text.encode())


def refused(text: str | bytes) -> str:
    """Return why a text is refused; it must be a single line."""
    with pytest.raises(WireError) as caught:
        read(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def hand(**fields: Any) -> str:  # noqa: ANN401 - any JSON
    """Return a request with one hand of a player and some cards, changed or extended by fields."""
    return json.dumps({"hands": [{"player": "Ada", "cards": {"red": 1}} | fields]})


def game(**fields: Any) -> str:  # noqa: ANN401 - any JSON
    """Return a request without hands, extended by fields."""
    return json.dumps({"hands": []} | fields)


def test_a_whole_request_is_read() -> None:
    """All fields of the form arrive."""
    request = read(
        json.dumps(
            {
                "hands": [
                    {"player": "Ada", "cards": {"red": 4}, "handed_in": "2026-03-27T11:58:00Z", "facts": {}},
                    {"player": "Bob", "cards": {}},
                ],
                "settings": {"blue_base": 5, "seed": "any text"},
                "active_rules": [1, 12],
                "cancels": {},
            }
        )
    )
    ada, bob = request.hands
    assert (ada.player, ada.cards, ada.handed_in) == ("Ada", {"red": 4}, datetime(2026, 3, 27, 11, 58, tzinfo=UTC))
    assert (bob.player, bob.cards, bob.handed_in) == ("Bob", {}, None)
    assert (request.settings, request.active_rules) == ({"blue_base": 5, "seed": "any text"}, ("1", "12"))


def test_only_hands_players_and_cards_are_needed() -> None:
    """The rest has defaults: all rules, no settings, no seed."""
    request = read(hand())
    assert (request.settings, request.active_rules) == ({}, None)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-03-27T11:58:00Z", datetime(2026, 3, 27, 11, 58, tzinfo=UTC)),
        ("2026-03-27t11:58z", datetime(2026, 3, 27, 11, 58, tzinfo=UTC)),
        ("2026-03-27 11:58:00.25+01:00", datetime(2026, 3, 27, 11, 58, 0, 250000, timezone(timedelta(hours=1)))),
    ],
)
def test_times_with_a_zone_are_read(text: str, time: datetime) -> None:
    """Z and offsets both give an instant."""
    assert read(hand(handed_in=text)).hands[0].handed_in == time


EXTREMES = [
    ("hands", 1000, lambda n: game(hands=[{"player": str(i), "cards": {}} for i in range(n)])),
    ("hands[0].cards.red", 9_999, lambda n: hand(cards={"red": n})),
    ("hands[0].player", 100, lambda n: hand(player="x" * n)),
    ("settings.blue_base", 1_000_000_000, lambda n: game(settings={"blue_base": n})),
    ("settings.seed", 1000, lambda n: game(settings={"seed": "x" * n})),
]


@pytest.mark.parametrize(("place", "most", "text"), EXTREMES)
def test_sizes_are_bounded(place: str, most: int, text: Any) -> None:  # noqa: ANN401 - a function of a number
    """The limit itself is allowed, one more is refused."""
    read(text(most))
    assert refused(text(most + 1)).startswith(f"{place}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'input: nothing in it; give the hands as JSON, such as {"hands": [{"player": "Ada", "cards": {}}]}'),
        (" \n", "input: nothing in it; give the hands as JSON"),
        ("{", "input: not JSON: Expecting property name enclosed in double quotes, line 1, column 2"),
        ("[]", "input: must be an object, not a list"),
        ("null", "input: must be an object, not null"),
        ("{}", "hands: is missing"),
        ('{"hands": 1}', "hands: must be a list, not 1"),
        ('{"hands": [1]}', "hands[0]: must be an object, not 1"),
        ('{"hands": [], "hands": []}', 'input: the key "hands" stands twice in one JSON object'),
        (b'\xff{"hands": []}', "input: not UTF-8 text (byte 1)"),
        ('{"hands": [{"player": "A", "cards": {"red": NaN}}]}', "input: NaN is not a number in JSON"),
        ('{"hands": [{"player": "A", "cards": {"red": -Infinity}}]}', "input: -Infinity is not a number in JSON"),
        (
            '{"hands": [{"player": "A", "cards": {"red": 1e999}}]}',
            "hands[0].cards.red: must be a whole number, not Infinity",
        ),
        ("9" * 5000, "input: the JSON has a number with too many digits"),
        ("[" * 100_000, "input: the JSON is nested too deeply"),
        (b" " * (MAX_BYTES + 1), "input: more than 4 MB of JSON; hands of one game take far less"),
        (game(foo=1), "foo: is no field here (there is hands, settings, active_rules, cancels)"),
        (hand(foo=1), "hands[0].foo: is no field here (there is player, cards, handed_in, facts, parts)"),
        ('{"hands": [{"cards": {}}]}', "hands[0].player: is missing"),
        ('{"hands": [{"player": "A"}]}', "hands[0].cards: is missing"),
        (hand(player=7), "hands[0].player: must be text, not 7"),
        (hand(player=""), "hands[0].player: must not be empty"),
        (hand(player=" \t "), "hands[0].player: must not be empty"),
        (hand(player="A\nB"), r'hands[0].player: "A\nB" has a character that cannot be printed'),
        (hand(player="A\x1b[31m"), r'hands[0].player: "A\u001b[31m" has a character that cannot be printed'),
        ('{"hands": [{"player": "\\ud800", "cards": {}}]}', "hands[0].player: has a character that cannot be printed"),
        (hand(cards=[]), "hands[0].cards: must be an object, not a list"),
        (hand(cards={"red": -1}), "hands[0].cards.red: must be at least 0, not -1"),
        (hand(cards={"red": True}), "hands[0].cards.red: must be a whole number, not true"),
        (hand(cards={"red": 1.0}), "hands[0].cards.red: must be a whole number, not 1.0"),
        (hand(cards={"red": "4"}), 'hands[0].cards.red: must be a whole number, not "4"'),
        (hand(cards={"red": None}), "hands[0].cards.red: must be a whole number, not null"),
        (hand(cards={"red": {}}), "hands[0].cards.red: must be a whole number, not an object"),
        (
            hand(cards={"purple": 1}),
            (
                "hands[0].cards.purple: eurocg-2026 has no such card "
                "(it has red, blue, green, orange, yellow, pink, rule-1 to rule-23, special-1 to special-24)"
            ),
        ),
        (hand(cards={"rule-24": 0}), "hands[0].cards.rule-24: eurocg-2026 has no such card"),
        (hand(cards={"a\nb": 1}), r'hands[0].cards["a\nb"]: eurocg-2026 has no such card'),
        (hand(cards={"x" * 999: 1}), 'hands[0].cards["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…]: eurocg-2026'),
        (hand(handed_in=5), "hands[0].handed_in: must be text, not 5"),
        (hand(handed_in="noon"), 'hands[0].handed_in: "noon" is no date and time, such as 2026-03-27T11:58:00Z'),
        (hand(handed_in="2026-03-27"), 'hands[0].handed_in: "2026-03-27" is no date and time'),
        (hand(handed_in="2026-03-27T24:00:00Z"), 'hands[0].handed_in: "2026-03-27T24:00:00Z" is no date and time'),
        (
            hand(handed_in="2026-03-27T11:58:00"),
            'hands[0].handed_in: "2026-03-27T11:58:00" has no time zone; end it with Z',
        ),
        (hand(handed_in="2026-02-30T11:58:00Z"), 'hands[0].handed_in: "2026-02-30T11:58:00Z" does not exist'),
        (hand(handed_in="2026-03-27T11:58:00+25:00"), 'hands[0].handed_in: "2026-03-27T11:58:00+25:00" does not exist'),
        (hand(facts={"age": 7}), "hands[0].facts.age: eurocg-2026 asks for no facts"),
        (game(settings={"blue_base": -1}), "settings.blue_base: must be a whole number from 0 to 1000000000, not -1"),
        (game(settings={"blue_base": True}), "settings.blue_base: must be a whole number from 0"),
        (game(settings={"blue_base": 1.5}), "settings.blue_base: must be a whole number from 0"),
        (game(settings={"red_base": 1}), "settings.red_base: eurocg-2026 has no such setting (it has blue_base, seed)"),
        (game(settings={"seed": "\ud800"}), r'settings.seed: "\ud800" has a character that cannot be printed'),
        (game(settings={"seed": "a\nb"}), r'settings.seed: "a\nb" has a character that cannot be printed'),
        (game(settings={"seed": 1}), "settings.seed: must be text of at most 1000 characters, not 1"),
        (game(active_rules=1), "active_rules: must be a list, not 1"),
        (game(active_rules=[1, "24"]), 'active_rules[1]: eurocg-2026 has no rule "24" (it has 1 to 23)'),
        (game(active_rules=[1, 24]), "active_rules[1]: eurocg-2026 has no rule 24 (it has 1 to 23)"),
        (game(active_rules=[0]), "active_rules[0]: eurocg-2026 has no rule 0"),
        (game(active_rules=[True]), "active_rules[0]: eurocg-2026 has no rule true"),
        (game(active_rules=[1.0]), "active_rules[0]: eurocg-2026 has no rule 1.0"),
        (game(active_rules=[[1]]), "active_rules[0]: eurocg-2026 has no rule a list"),
        (game(cancels={"Ada": [4]}), "cancels.Ada: eurocg-2026 has no cards that cancel a rule"),
    ],
)
def test_what_cannot_be_scored_is_refused_with_its_place(text: str | bytes, message: str) -> None:
    """One line: where, what is wrong, and what is allowed."""
    assert refused(text).startswith(message)


def tarot(cancels: object, *cards: dict[str, int], **more: object) -> str:
    """Return a request for the tarot edition with hands of Ada, Bob…, and what they cancel."""
    hands = [{"player": name, "cards": held} for name, held in zip(("Ada", "Bob"), cards, strict=False)]
    return json.dumps({"hands": hands, "cancels": cancels} | more)


CANCELLER, GENERAL = {"rule-11": 1}, {"rule-8": 1}


def test_choices_to_cancel_reach_the_hands_that_made_them() -> None:
    """For the player named, however Unicode codes the name; others have none."""
    request = read_request(TAROT, tarot({"Ada": [8]}, CANCELLER, GENERAL).encode())
    assert [hand.cancels for hand in request.hands] == [("8",), ()]
    hands = [{"player": "Zoë", "cards": CANCELLER | GENERAL}]
    asked = json.dumps({"hands": hands, "cancels": {"Zoe\u0308": [8]}})
    assert [(hand.player, hand.cancels) for hand in read_request(TAROT, asked.encode()).hands] == [("Zoë", ("8",))]


def test_rules_are_named_by_number_or_by_text() -> None:
    """As the edition's keys are text, and numbers are what an author of JSON writes."""
    request = read_request(TAROT, tarot({"Ada": ["8"]}, CANCELLER, GENERAL, active_rules=["8", 11]).encode())
    assert request.active_rules == ("8", "11")
    assert request.hands[0].cancels == ("8",)


@pytest.mark.parametrize(
    ("cancels", "provisional"), [({}, None), ({"Ada": []}, False), ({"Ada": [8]}, False), ({"Bob": []}, False)]
)
def test_a_request_with_choices_to_cancel_is_final(cancels: dict[str, list[int]], provisional: bool | None) -> None:  # noqa: FBT001 - a table of cases
    """Choices, to cancel nothing included, are made when all hands are known; without any the hands decide."""
    request = read_request(TAROT, tarot(cancels, CANCELLER, GENERAL).encode())
    assert request.provisional is provisional


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (tarot({"Eve": [8]}, CANCELLER, GENERAL), "cancels.Eve: no hand has this player's name"),
        (tarot({"Bob": [8]}, CANCELLER, GENERAL), "cancels.Bob: this player handed in no card that cancels a rule"),
        (tarot({"Ada": 8}, CANCELLER, GENERAL), "cancels.Ada: must be a list of rule numbers, such as [4]"),
        (tarot({"Eve": []}, CANCELLER, GENERAL), "cancels.Eve: no hand has this player's name"),
        (tarot({"Ada": [], "Ada ": [8]}, CANCELLER, GENERAL), 'cancels["Ada "]: this player\'s choices stand twice'),
        (tarot({"Ada": [8.0]}, CANCELLER, GENERAL), "cancels.Ada: must be a list of rule numbers, such as [4]"),
        (tarot({"Ada": [True]}, CANCELLER, GENERAL), "cancels.Ada: must be a list of rule numbers, such as [4]"),
        (tarot({"Ada": [[8]]}, CANCELLER, GENERAL), "cancels.Ada: must be a list of rule numbers, such as [4]"),
        (tarot([], CANCELLER, GENERAL), "cancels: must be an object, not a list"),
        (tarot({"Ada": [8, 8]}, CANCELLER, GENERAL), "cancels.Ada: names 2 rules, but may cancel at most 1"),
        (tarot({"Ada": [170]}, CANCELLER, GENERAL), 'cancels.Ada: tarot-fr has no rule "170"'),
        (tarot({"Ada": ["a\nb"]}, CANCELLER, GENERAL), r'cancels.Ada: tarot-fr has no rule "a\nb"'),
        (tarot({"Ada": [10**99]}, CANCELLER, GENERAL), 'cancels.Ada: tarot-fr has no rule "100000'),
        (tarot({"Ada": [31]}, CANCELLER, {"rule-31": 1}), "cancels.Ada: rule 31 cannot be cancelled (these can: 1, 2,"),
        (tarot({"Ada": [7]}, CANCELLER, GENERAL), "cancels.Ada: rule 7 is not in play: nobody handed in its card"),
        (tarot({"Ada": [8]}, CANCELLER, {"rule-8": 0}), "cancels.Ada: rule 8 is not in play"),
        (tarot({"Ada": [8]}, CANCELLER, GENERAL, active_rules=[11]), "cancels.Ada: rule 8 is not active in this game"),
        (
            tarot({"Ada": [8]}, CANCELLER, GENERAL, active_rules=[8]),
            "cancels.Ada: this player handed in no card that cancels a rule",
        ),
    ],
)
def test_choices_to_cancel_that_cannot_be_are_refused(text: str, message: str) -> None:
    """One line: whose choice, and what is wrong with it."""
    with pytest.raises(WireError) as caught:
        read_request(TAROT, text.encode())
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_hand_has_fewer_than_ten_thousand_cards() -> None:
    """All kinds together: 9,999 cards are read, one more is refused with the number."""
    assert read(hand(cards={"red": 9_000, "blue": 999})).hands[0].cards["red"] == 9_000
    assert refused(hand(cards={"red": 9_000, "blue": 1_000})) == "hands[0].cards: 10000 cards; a hand has at most 9999"
    assert refused(hand(cards={"red": 10_000})) == "hands[0].cards.red: must be at most 9999, not 10000"


def test_a_name_stands_once() -> None:
    """Names that differ only in spaces or in how Unicode codes them are the same; upper and lower case are not."""
    for other in ("Zoë", " Zoë ", "Zoe\u0308", "Zo\u200dë", "\uff3aoë"):
        text = json.dumps({"hands": [{"player": "Zoë", "cards": {}}, {"player": other, "cards": {}}]})
        assert (
            refused(text) == 'hands[1].player: "Zo\\u00eb" stands twice (hand no. 1 has it too); name the players apart'
        )
    assert len(read(json.dumps({"hands": [{"player": name, "cards": {}} for name in ("Zoë", "zoë")]})).hands) == 2


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("A\u202eda", "202E"),
        ("A\u2066da", "2066"),
        ("\ufeffAda", "FEFF"),
        ("A\u00adda", "00AD"),
        ("A\x1b[31mda", "001B"),
        ("Ada\n", "000A"),
        ("A\ue000da", "E000"),
        ("A\uffffda", "FFFF"),
    ],
)
def test_a_name_has_no_character_that_nobody_sees(name: str, code: str) -> None:
    """Those that turn or break a line, and marks without a form, are refused with their number."""
    said = refused(hand(player=name))
    assert said.startswith("hands[0].player: ")
    assert said.endswith(f"has a character that cannot be printed (U+{code}); leave it out")
    assert said.isascii()


@pytest.mark.parametrize("name", ["", "  ", "\u3000", "\u3164", "\u2800", "\u200d"])
def test_a_name_that_nobody_sees_is_empty(name: str) -> None:
    """Spaces of all kinds and letters without a form are no name."""
    assert refused(hand(player=name)) == "hands[0].player: must not be empty"


@pytest.mark.parametrize("name", ["Zoë", "李", "\u0645\u06cc\u200c\u062e", "👩‍👧", "O'Neil-Smith [2]", "عمر"])
def test_names_of_all_scripts_are_allowed(name: str) -> None:
    """Letters of any script and emoji are names."""
    assert read(hand(player=name)).hands[0].player == name


def test_a_byte_order_mark_is_no_mistake() -> None:
    """Some editors write one at the start of a file."""
    assert read(b"\xef\xbb\xbf" + hand().encode()).hands[0].player == "Ada"


def test_all_mistakes_are_kept_and_the_first_is_reported() -> None:
    """The exception holds every mistake that was found."""
    with pytest.raises(WireError) as caught:
        request_of(EUROCG, {"hands": [{"player": "", "cards": {"purple": 1}}], "settings": {"red_base": 1}})
    places = [mistake.place for mistake in caught.value.mistakes]
    assert places == ["hands[0].player", "hands[0].cards.purple", "settings.red_base"]
    assert (caught.value.place, caught.value.message) == ("hands[0].player", "must not be empty")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
FIELDS = st.sampled_from(
    ["hands", "player", "cards", "handed_in", "facts", "settings", "active_rules", "cancels", "red"]
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.recursive(JSON, lambda inner: st.lists(inner) | st.dictionaries(FIELDS, inner)))
def test_any_document_is_read_or_refused_in_one_line(document: object) -> None:
    """Whatever comes in, the answer is a request or a mistake with a place, never another exception."""
    mistake = "none: "
    try:
        request_of(EUROCG, document)
    except WireError as error:
        mistake = str(error)
    assert ": " in mistake
    assert "\n" not in mistake


@settings(deadline=None)
@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Bytes that are no JSON are a mistake of the input."""
    with pytest.raises(WireError):
        read(data)
