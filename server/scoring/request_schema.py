"""The hands of a game as JSON, in the form that the command line and the HTTP API read.

    {"hands": [{"player": "Ada", "cards": {"red": 4, "rule-7": 1}, "handed_in": "2026-03-27T11:58:00Z", "facts": {}}],
     "settings": {"blue_base": 1, "seed": "any text"}, "active_rules": [1, 2], "cancels": {"Ada": [4]}}

All fields except `hands`, `player` and `cards` are optional. A rule's number may also be text, such as "1". If decks
have labelled parts, the `parts` of a hand give the cards in each: {"left": {"red": 2}, "right": {"red": 1}}. Points of
the organisers are the `adjustments` of a hand: [{"points": 5, "reason": "best costume"}]. Rules to cancel may
also be the `cancels` of the hand itself: [4].
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from server.scoring.errors import InputError, Mistake, format_path, format_value, to_mistake
from server.scoring.hand import Adjustment, Hand
from server.scoring.request_validation import (
    MAX_HAND,
    check_cancels,
    check_edition,
    check_entries,
    check_hand,
    check_named,
    check_names,
    check_reason,
    plain_name,
    read_time,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from server.scoring.edition import Edition, PlayerFact


MAX_BYTES = 4 * 1024 * 1024
"""Longest text that is read, several times the size of a thousand hands."""

MAX_NAMES = 100_000
"""Most names in all objects together. It limits the number of mistakes in one document."""


class JsonError(ValueError):
    """Text that is not strict JSON. The message is one line for people."""


def read_json(data: bytes) -> object:
    """Parse strict JSON; JsonError if the text is too long, not UTF-8, not JSON, or ambiguous.

    Besides bad syntax this refuses a key that occurs twice in one object, NaN and infinities, numbers with thousands of
    digits, nesting that is too deep for Python, and more than `MAX_NAMES` names.
    """
    names = 0

    def counted(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal names
        names += len(pairs)
        if names > MAX_NAMES:
            raise JsonError(f"more than {MAX_NAMES} names in JSON objects; hands of one game have far less")
        return _unique(pairs)

    if len(data) > MAX_BYTES:
        raise JsonError(f"more than {MAX_BYTES // 1024 // 1024} MB of JSON; hands of one game take far less")
    if not data.strip():
        raise JsonError('nothing in it; give the hands as JSON, such as {"hands": [{"player": "Ada", "cards": {}}]}')
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8 text (byte {error.start + 1})") from None
    try:
        document: object = json.loads(text, object_pairs_hook=counted, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg}, line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise JsonError("the JSON is nested too deeply") from None
    except JsonError:
        raise
    except ValueError:
        raise JsonError("the JSON has a number with too many digits") from None
    return document


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise JsonError(f"the key {format_value(key)} occurs twice in one JSON object")
        result[key] = value
    return result


def _refuse(constant: str) -> NoReturn:
    raise JsonError(f"{constant} is not a number in JSON")


MAX_HANDS = 1000
MAX_NAME = 100
MAX_RULES = 10_000
MAX_ADJUSTMENTS = 50
MAX_ADJUSTMENT = 9_999
MAX_REASON = 200

_Count = Annotated[int, Field(ge=0, le=MAX_HAND)]


class _InputModel(BaseModel):
    """An object of the input. Unknown fields and values of other types are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _readable(reason: str) -> str:
    for mistake in check_reason("", reason):
        raise PydanticCustomError("unreadable", "{message}", {"message": mistake.message})
    return reason


class AdjustmentInput(_InputModel):
    """Points of the organisers, and their reason."""

    points: Annotated[int, Field(ge=-MAX_ADJUSTMENT, le=MAX_ADJUSTMENT)]
    reason: Annotated[str, Field(min_length=1, max_length=MAX_REASON), AfterValidator(_readable)]


class HandInput(_InputModel):
    """One hand."""

    player: Annotated[str, Field(max_length=MAX_NAME)]
    cards: dict[str, _Count]
    handed_in: str | None = None
    facts: dict[str, Any] = Field(default_factory=dict)
    parts: dict[str, dict[str, _Count]] = Field(default_factory=dict)
    cancels: list[Any] = Field(default_factory=list, max_length=MAX_RULES)
    adjustments: Annotated[list[AdjustmentInput], Field(max_length=MAX_ADJUSTMENTS)] = Field(default_factory=list)


class ScoreInput(_InputModel):
    """The whole input, before it is checked against the edition."""

    hands: Annotated[list[HandInput], Field(max_length=MAX_HANDS)]
    settings: dict[str, Any] = Field(default_factory=dict)
    active_rules: Annotated[list[Any], Field(max_length=MAX_RULES)] | None = None
    cancels: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True)
class ScoreRequest:
    """Checked input for `score`. The seed of the game, if there is one, is among the settings.

    `provisional` is False if cancel choices were given, even empty ones: players choose when all hands are known, so
    the score is final. Otherwise it is None, and the number of hands decides.
    """

    hands: tuple[Hand, ...]
    settings: Mapping[str, int | str]
    active_rules: tuple[str, ...] | None
    provisional: bool | None = None


def read_request(edition: Edition, data: bytes) -> ScoreRequest:
    """Parse the hands in a JSON text; InputError with all mistakes."""
    try:
        document = read_json(data)
    except JsonError as error:
        raise InputError([Mistake("input", str(error))]) from None
    return parse_request(edition, document)


def parse_request(edition: Edition, document: object) -> ScoreRequest:
    """Check the hands in a parsed JSON document; InputError with all mistakes."""
    try:
        part = ScoreInput.model_validate(document)
    except ValidationError as error:
        found = error.errors(include_url=False)
        raise InputError([to_mistake(item, _fields(len(item["loc"]))) for item in found]) from None
    mistakes = [
        *check_names([hand.player for hand in part.hands]),
        *(mistake for index, hand in enumerate(part.hands) for mistake in _check(edition, index, hand)),
        *check_named(edition, [hand.player for hand in part.hands], [hand.facts for hand in part.hands]),
        *check_edition(edition, part.settings, part.active_rules),
    ]
    own = {hand.player: hand.cancels for hand in part.hands if hand.cancels}
    twice = {plain_name(player) for player in own} & {plain_name(player) for player in part.cancels}
    mistakes += [Mistake(format_path(["cancels", player]), "are given in the hand too; keep one") for player in twice]
    chosen = part.cancels | own
    if not mistakes:
        hands = {hand.player: hand.cards for hand in part.hands}
        mistakes += check_cancels(edition, hands, part.active_rules, chosen)
    if mistakes:
        raise InputError(mistakes)
    names = {plain_name(hand.player): hand.player for hand in part.hands}
    cancels = {plain_name(player): tuple(str(rule) for rule in choices) for player, choices in chosen.items()}
    return ScoreRequest(
        hands=tuple(
            Hand(
                hand.player,
                hand.cards,
                read_time(hand.handed_in),
                cancels.get(plain_name(hand.player), ()),
                _values(edition, hand),
                hand.parts,
                {fact.name: names[plain_name(hand.facts[fact.name])] for fact in _naming(edition, hand)},
                tuple(Adjustment(one.points, one.reason) for one in hand.adjustments),
            )
            for hand in part.hands
        ),
        settings=part.settings,
        active_rules=None if part.active_rules is None else tuple(str(key) for key in part.active_rules),
        provisional=False if chosen else None,
    )


def _check(edition: Edition, index: int, hand: HandInput) -> Iterator[Mistake]:
    yield from check_hand(edition, index, hand.cards, hand.handed_in)
    entered = Hand(hand.player, hand.cards, facts=_values(edition, hand), parts=hand.parts)
    yield from check_entries(edition, index, entered)


def _naming(edition: Edition, hand: HandInput) -> list[PlayerFact]:
    """Return the facts that name a player for a hand."""
    return [fact for fact in edition.player_facts if hand.facts.get(fact.name) is not None]


def _values(edition: Edition, hand: HandInput) -> dict[str, Any]:
    """Return the facts that name no players."""
    naming = {fact.name for fact in edition.player_facts}
    return {name: value for name, value in hand.facts.items() if name not in naming}


def _fields(depth: int) -> list[str]:
    """Return the fields of the object at a path of `depth` steps: the input itself, a hand, or an adjustment of it."""
    models: dict[int, type[_InputModel]] = {1: ScoreInput, 3: HandInput}
    return list(models.get(depth, AdjustmentInput).model_fields)
