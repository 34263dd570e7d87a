"""Hands as JSON: input that cannot be scored is refused in one line, with its place."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.scoring.errors import InputError
from server.scoring.request_schema import (
    MAX_BYTES,
    MAX_NAMES,
    JsonError,
    ScoreRequest,
    parse_request,
    read_json,
    read_request,
)
from tests.scoring.support import EUROCG

if TYPE_CHECKING:
    from server.scoring import Edition

TAROT = load_edition("tarot-fr")


def read(text: str | bytes, edition: Edition = EUROCG) -> ScoreRequest:
    """Read a request."""
    return read_request(edition, text if isinstance(text, bytes) else text.encode())


def refused(text: str | bytes, edition: Edition = EUROCG) -> str:
    """Return the reason why a text is refused, in one line."""
    with pytest.raises(InputError) as caught:
        read(text, edition)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def hand(**fields: Any) -> str:  # noqa: ANN401 - any JSON
    """Return a request with one hand, changed or extended by fields."""
    return json.dumps({"hands": [{"player": "Ada", "cards": {"red": 1}} | fields]})


def game(**fields: Any) -> str:  # noqa: ANN401 - any JSON
    """Return a request without hands, extended by fields."""
    return json.dumps({"hands": []} | fields)


def test_most_of_a_request_is_optional() -> None:
    ada = {"player": "Ada", "cards": {"red": 4}, "handed_in": "2026-03-27T11:58:00Z", "facts": {}}
    whole = {"settings": {"blue_base": 5, "seed": "any text"}, "active_rules": [1, "12"], "cancels": {}}
    request = read(json.dumps({"hands": [ada, {"player": "Bob", "cards": {}}], **whole}))
    first, second = request.hands
    assert (first.player, first.cards, first.handed_in) == (
        "Ada",
        {"red": 4},
        datetime(2026, 3, 27, 11, 58, tzinfo=UTC),
    )
    assert (second.player, second.cards, second.handed_in) == ("Bob", {}, None)
    assert (request.settings, request.active_rules) == ({"blue_base": 5, "seed": "any text"}, ("1", "12"))
    least = read(b"\xef\xbb\xbf" + hand().encode())  # a byte order mark, as some editors write it
    assert (least.settings, least.active_rules, least.provisional) == ({}, None, None)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-03-27t11:58z", datetime(2026, 3, 27, 11, 58, tzinfo=UTC)),
        ("2026-03-27 11:58:00.25+01:00", datetime(2026, 3, 27, 11, 58, 0, 250000, timezone(timedelta(hours=1)))),
    ],
)
def test_times_with_a_zone_are_read(text: str, time: datetime) -> None:
    assert read(hand(handed_in=text)).hands[0].handed_in == time


@pytest.mark.parametrize(
    ("place", "most", "text"),
    [
        ("hands", 1000, lambda n: game(hands=[{"player": str(i), "cards": {}} for i in range(n)])),
        ("hands[0].cards.red", 9_999, lambda n: hand(cards={"red": n})),
        ("hands[0].cards", 9_999, lambda n: hand(cards={"red": 9_000, "blue": n - 9_000})),
        ("hands[0].player", 100, lambda n: hand(player="x" * n)),
        ("settings.blue_base", 1_000_000_000, lambda n: game(settings={"blue_base": n})),
        ("settings.seed", 1000, lambda n: game(settings={"seed": "x" * n})),
    ],
)
def test_a_size_is_allowed_up_to_its_limit(place: str, most: int, text: Any) -> None:  # noqa: ANN401 - a function of a number
    read(text(most))
    assert refused(text(most + 1)).startswith(f"{place}: ")


def test_json_with_too_many_names_is_refused_at_once() -> None:
    """Otherwise hundreds of thousands of unknown fields would be reported; all objects count together."""
    names = {place: dict.fromkeys(map(str, range((MAX_NAMES - 2) // 2)), 1) for place in "ab"}
    assert read_json(json.dumps(names).encode()) == names
    names["a"]["more"] = 1
    with pytest.raises(JsonError, match="more than 100000 names"):
        read_json(json.dumps(names).encode())


WHOLE, BASE = "must be a whole number, not ", "settings.blue_base: must be a whole number from 0 to 1000000000, not "
UNPRINTABLE = "has a character that cannot be printed"
CARDS = f"red, blue, green, orange, yellow, pink, rule-1 to rule-{len(EUROCG.rules)}, special-1 to special-24"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n", 'input: nothing in it; give the hands as JSON, such as {"hands": [{"player": "Ada", "cards": {}}]}'),
        ("{", "input: not JSON: Expecting property name enclosed in double quotes, line 1, column 2"),
        ("[]", "input: must be an object, not a list"),
        ("null", "input: must be an object, not null"),
        ("{}", "hands: is missing"),
        ('{"hands": 1}', "hands: must be a list, not 1"),
        ('{"hands": [1]}', "hands[0]: must be an object, not 1"),
        ('{"hands": [], "hands": []}', 'input: the key "hands" occurs twice in one JSON object'),
        (b'\xff{"hands": []}', "input: not UTF-8 text (byte 1)"),
        ('{"hands": [{"player": "A", "cards": {"red": NaN}}]}', "input: NaN is not a number in JSON"),
        ('{"hands": [{"player": "A", "cards": {"red": -Infinity}}]}', "input: -Infinity is not a number in JSON"),
        ('{"hands": [{"player": "A", "cards": {"red": 1e999}}]}', f"hands[0].cards.red: {WHOLE}Infinity"),
        ("9" * 5000, "input: the JSON has a number with too many digits"),
        ("[" * 100_000, "input: the JSON is nested too deeply"),
        (b" " * (MAX_BYTES + 1), "input: more than 4 MB of JSON; hands of one game take far less"),
        (game(foo=1), "foo: is an unknown field (known: hands, settings, active_rules, cancels)"),
        (
            hand(foo=1),
            "hands[0].foo: is an unknown field (known: player, cards, handed_in, facts, parts, cancels, adjustments)",
        ),
        ('{"hands": [{"cards": {}}]}', "hands[0].player: is missing"),
        ('{"hands": [{"player": "A"}]}', "hands[0].cards: is missing"),
        (hand(player=7), "hands[0].player: must be text, not 7"),
        ('{"hands": [{"player": "\\ud800", "cards": {}}]}', f"hands[0].player: {UNPRINTABLE}"),
        (hand(cards=[]), "hands[0].cards: must be an object, not a list"),
        (hand(cards={"red": -1}), "hands[0].cards.red: must be at least 0, not -1"),
        *((hand(cards={"red": n}), f"hands[0].cards.red: {WHOLE}{json.dumps(n)}") for n in (True, 1.0, "4", None)),
        (hand(cards={"red": {}}), f"hands[0].cards.red: {WHOLE}an object"),
        (hand(cards={"red": 9_999, "blue": 1}), "hands[0].cards: 10000 cards; a hand has at most 9999"),
        (hand(cards={"purple": 1}), f"hands[0].cards.purple: eurocg-2026 has no such card (it has {CARDS})"),
        (hand(cards={"rule-99": 0}), "hands[0].cards.rule-99: eurocg-2026 has no such card"),
        (hand(cards={"a\nb": 1}), r'hands[0].cards["a\nb"]: eurocg-2026 has no such card'),
        (hand(cards={"x" * 999: 1}), 'hands[0].cards["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…]: eurocg-2026'),
        (hand(handed_in=5), "hands[0].handed_in: must be text, not 5"),
        *(
            (hand(handed_in=time), f'hands[0].handed_in: "{time}" is not a date and time')
            for time in ("noon", "2026-03-27", "2026-03-27T24:00:00Z")
        ),
        (hand(handed_in="2026-03-27T11:58:00"), 'hands[0].handed_in: "2026-03-27T11:58:00" has no time zone; end it'),
        *(
            (hand(handed_in=time), f'hands[0].handed_in: "{time}" does not exist')
            for time in ("2026-02-30T11:58:00Z", "2026-03-27T11:58:00+25:00")
        ),
        *(
            (hand(adjustments=[entry]), f"hands[0].adjustments[0]{message}")
            for entry, message in (
                ({"points": 5}, ".reason: is missing"),
                ({"points": 2.5, "reason": "hat"}, f".points: {WHOLE}2.5"),
                ({"points": 1, "reason": ""}, ".reason: must not be empty"),
                ({"points": 1, "reason": " "}, ".reason: must not be empty"),
                ({"points": 1, "reason": "a\nb"}, f".reason: {UNPRINTABLE}"),
                ({"points": 1, "reason": "hat", "by": "Olga"}, ".by: is an unknown field (known: points, reason)"),
            )
        ),
        (hand(facts={"age": 7}), "hands[0].facts.age: eurocg-2026 asks for no facts"),
        *((game(settings={"blue_base": n}), BASE + json.dumps(n)) for n in (-1, True, 1.5)),
        (game(settings={"red_base": 1}), "settings.red_base: eurocg-2026 has no such setting (it has blue_base, seed)"),
        (game(settings={"seed": "\ud800"}), rf'settings.seed: "\ud800" {UNPRINTABLE}'),
        (game(settings={"seed": "a\nb"}), rf'settings.seed: "a\nb" {UNPRINTABLE}'),
        (game(settings={"seed": 1}), "settings.seed: must be text of at most 1000 characters, not 1"),
        (game(active_rules=1), "active_rules: must be a list, not 1"),
        (
            game(active_rules=[1, "99"]),
            f'active_rules[1]: eurocg-2026 has no rule "99" (it has 1 to {len(EUROCG.rules)})',
        ),
        *(
            (game(active_rules=[key]), f"active_rules[0]: eurocg-2026 has no rule {shown}")
            for key, shown in ((99, "99"), (0, "0"), (True, "true"), (1.0, "1.0"), ([1], "a list"))
        ),
        (game(cancels={"Ada": [4]}), "cancels.Ada: eurocg-2026 has no cards that cancel a rule"),
    ],
)
def test_invalid_requests_are_refused_with_a_location(text: str | bytes, message: str) -> None:
    assert refused(text).startswith(message)


def tarot(cancels: object, second: dict[str, int] = {"rule-8": 1}, **more: object) -> str:  # noqa: B006 - read only
    """Return a request for the tarot edition: Ada holds a cancel card, Bob a general card; and what they cancel."""
    hands = [{"player": "Ada", "cards": {"rule-11": 1}}, {"player": "Bob", "cards": second}]
    return json.dumps({"hands": hands, "cancels": cancels} | more)


def test_cancelled_rules_are_assigned_to_hands() -> None:
    """Rules are named by number or text, players however Unicode codes the name."""
    for key in (8, "8"):
        request = read(tarot({"Ada": [key]}, active_rules=[key, 11]), TAROT)
        assert [hand.cancels for hand in request.hands] == [("8",), ()]
        assert request.active_rules == ("8", "11")
    hands = [{"player": "Zoë", "cards": {"rule-11": 1, "rule-8": 1}}]
    (zoe,) = read(json.dumps({"hands": hands, "cancels": {"Zoe\u0308": [8]}}), TAROT).hands
    assert (zoe.player, zoe.cancels) == ("Zoë", ("8",))


@pytest.mark.parametrize(
    ("cancels", "provisional"), [({}, None), ({"Ada": []}, False), ({"Ada": [8]}, False), ({"Bob": []}, False)]
)
def test_a_request_with_choices_to_cancel_is_final(cancels: dict[str, list[int]], provisional: bool | None) -> None:  # noqa: FBT001 - a column
    """Choices, to cancel nothing included, are made when all hands are known; without any the hands decide."""
    assert read(tarot(cancels), TAROT).provisional is provisional


NO_CARD, NUMBERS = "this player handed in no card that cancels", "must be a list of rule numbers, such as [4]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (tarot([]), "cancels: must be an object, not a list"),
        (tarot({"Eve": []}), "cancels.Eve: no hand has this player's name"),
        (tarot({"Bob": [8]}), f"cancels.Bob: {NO_CARD}"),
        (tarot({"Ada": [], "Ada ": [8]}), 'cancels["Ada "]: this player\'s choices are given twice'),
        *((tarot({"Ada": keys}), f"cancels.Ada: {NUMBERS}") for keys in (8, [8.0], [True], [[8]])),
        (tarot({"Ada": [8, 8]}), "cancels.Ada: names 2 rules, but may cancel at most 1"),
        (tarot({"Ada": [170]}), 'cancels.Ada: tarot-fr has no rule "170"'),
        (tarot({"Ada": ["a\nb"]}), r'cancels.Ada: tarot-fr has no rule "a\nb"'),
        (tarot({"Ada": [10**99]}), 'cancels.Ada: tarot-fr has no rule "100000'),
        (tarot({"Ada": [31]}, {"rule-31": 1}), "cancels.Ada: rule 31 cannot be cancelled (these can: 1, 2,"),
        (tarot({"Ada": [7]}), "cancels.Ada: rule 7 is not in play: nobody handed in its card"),
        (tarot({"Ada": [8]}, {"rule-8": 0}), "cancels.Ada: rule 8 is not in play"),
        (tarot({"Ada": [8]}, active_rules=[11]), "cancels.Ada: rule 8 is not active in this game"),
        (tarot({"Ada": [8]}, active_rules=[8]), f"cancels.Ada: {NO_CARD}"),
    ],
)
def test_invalid_cancelled_rules_are_refused(text: str, message: str) -> None:
    assert refused(text, TAROT).startswith(message)


def test_cancelled_rules_may_be_in_the_hand() -> None:
    hands = [{"player": "Ada", "cards": {"rule-11": 1}, "cancels": [8]}, {"player": "Bob", "cards": {"rule-8": 1}}]
    request = read(json.dumps({"hands": hands}), TAROT)
    assert [hand.cancels for hand in request.hands] == [("8",), ()]
    assert request.provisional is False
    twice = json.dumps({"hands": hands, "cancels": {"Ada": [8]}})
    assert refused(twice, TAROT) == "cancels.Ada: are given in the hand too; keep one"


def test_names_are_unique() -> None:
    """Names that differ only in spaces or in how Unicode codes them are the same; upper and lower case are not."""
    twice = 'hands[1].player: "Zo\\u00eb" is used twice (hand no. 1 has it too); name the players apart'
    for other in ("Zoë", " Zoë ", "Zoe\u0308", "Zo\u200dë", "\uff3aoë"):
        assert refused(game(hands=[{"player": name, "cards": {}} for name in ("Zoë", other)])) == twice
    assert len(read(game(hands=[{"player": name, "cards": {}} for name in ("Zoë", "zoë")])).hands) == 2


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
def test_names_have_no_invisible_characters(name: str, code: str) -> None:
    message = refused(hand(player=name))
    assert message.startswith("hands[0].player: ")
    assert message.endswith(f"{UNPRINTABLE} (U+{code}); leave it out")
    assert message.isascii()


def test_names_of_all_scripts_are_allowed_and_invisible_ones_are_empty() -> None:
    for name in ("Zoë", "李", "\u0645\u06cc\u200c\u062e", "👩‍👧", "O'Neil-Smith [2]", "عمر"):
        assert read(hand(player=name)).hands[0].player == name
    for name in ("", " \t ", "\u3000", "\u3164", "\u2800", "\u200d"):
        assert refused(hand(player=name)) == "hands[0].player: must not be empty"


def test_all_errors_are_collected_and_the_first_is_reported() -> None:
    with pytest.raises(InputError) as caught:
        parse_request(EUROCG, {"hands": [{"player": "", "cards": {"purple": 1}}], "settings": {"red_base": 1}})
    places = [mistake.place for mistake in caught.value.mistakes]
    assert places == ["hands[0].player", "hands[0].cards.purple", "settings.red_base"]
    assert (caught.value.place, caught.value.message) == ("hands[0].player", "must not be empty")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["hands", "player", "cards", "handed_in", "facts", "settings", "active_rules", "cancels", "red"]
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.recursive(JSON, lambda inner: st.lists(inner) | st.dictionaries(FIELDS, inner)), st.binary())
def test_anything_is_read_or_refused_in_one_line(document: object, data: bytes) -> None:
    refused(data)
    mistake = "none: "
    try:
        parse_request(EUROCG, document)
    except InputError as error:
        mistake = str(error)
    assert ": " in mistake
    assert "\n" not in mistake
