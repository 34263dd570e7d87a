"""Checks the rows of a game that comes in from a file: the rest of the program takes their columns without looking."""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from sqlalchemy import JSON, Boolean, Integer, LargeBinary, String, inspect

from cardgen.payload import MAX_NUMBER
from server.db.models import (
    AuditEntry,
    Base,
    Card,
    Deck,
    Envelope,
    Game,
    Photo,
    PrintRun,
    ProvisionalScore,
    ResultVersion,
    ReviewDecision,
    table_of,
)
from server.db.types import UtcDateTime
from server.games.errors import DomainError
from server.games.lifecycle.envelopes import MAX_COUNTED
from server.games.lifecycle.repository import edition_of_game
from server.games.lifecycle.settings import MODES
from server.games.lifecycle.states import State
from server.games.photos.readings import card_named, reading_of
from server.games.players.decks import CONFIRMED, DROPPED, HANDED_IN, OPEN
from server.printing.game_file import MAX_LABEL
from server.scoring.errors import InputError
from server.scoring.request_schema import MAX_HANDS, parse_request
from server.scoring.request_validation import MAX_HAND, check_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Column

    from server.games.photos.readings import Quad, Reading
    from server.scoring.edition import Edition


TABLES: tuple[type[Base], ...] = (
    Game,
    PrintRun,
    Envelope,
    Card,
    Deck,
    Photo,
    ProvisionalScore,
    ReviewDecision,
    ResultVersion,
    AuditEntry,
)
"""What a game is made of, each after those that it refers to.

Not here: who watches live, and the answers to requests; both are of the server, and short-lived.
"""

# Their ids are counted by the database, which counts anew in another one.
# Columns of photographs that are of this server's queue and store alone. Files of earlier versions have some of them.
_OWN_NUMBERS = frozenset({PrintRun, ProvisionalScore, ReviewDecision, AuditEntry})

_OF_SERVER = frozenset({"priority", "turn", "lease", "token", "attempts", "begun", "seconds", "bare"})

# Names in files that differ from those in the database: all versions read and write the same files.
_TABLE_NAMES: dict[type[Base], str] = {ProvisionalScore: "checks", ReviewDecision: "rulings"}
_FIELD_NAMES = {
    "token_version": "token",
    "submitted_at": "claimed",
    "submitted_cards": "claim",
    "scan_result": "reading",
    "image_deleted_at": "erased",
}

# What every database holds.
_LARGEST = 2**31 - 1

_DEEPEST = 12

# Times far from ours cannot be reckoned with: a day more, or another zone, may be no time at all.
_FIRST_YEAR, _LAST_YEAR = 1900, 2200


def name_of(table: type[Base]) -> str:
    """Return a table's name in files."""
    return _TABLE_NAMES.get(table, str(table.__tablename__))


def order_of(table: type[Base]) -> list[Any]:
    """Return the columns by which a table's rows are in order."""
    return list(inspect(table).primary_key)


def row_as_json(row: Base, runs: Mapping[int, int]) -> dict[str, Any]:
    """Return a row as JSON. `runs` are the numbers of the print runs by their ids, by which envelopes name theirs."""
    said: dict[str, Any] = {}
    for column in _columns(type(row)):
        value = getattr(row, column.key)
        if isinstance(row, Envelope) and column.key == "run":
            value = runs[value]
        if isinstance(value, datetime):
            value = value.isoformat()
        elif isinstance(value, bytes):
            value = value.hex()
        said[_field_of(column)] = value
    return said


def row_from_json(table: type[Base], said: object, where: str) -> dict[str, Any]:
    """Return the values of a row by column; Refusal `wrong-file`, naming the place, for what no row can hold.

    What a later version of the table has is missing in older files: the database fills it in, or it is empty.
    """
    if not isinstance(said, dict):
        raise wrong(f"{where} is no object")
    values = {}
    columns = {_field_of(column): column for column in _columns(table)}
    if unknown := sorted(said.keys() - columns.keys() - (_OF_SERVER if table is Photo else set())):
        raise wrong(f"{where} has a field {unknown[0]!a:.40}: the file was made by a newer version, or not by Haggle")
    for name, column in columns.items():
        value = said.get(name)
        if name not in said and column.server_default is not None:
            continue
        if value is None and name not in said and not column.nullable:
            raise wrong(f"{where} lacks {name}")
        values[column.key] = _value(column, value, f"{where}, {name}")
    return values


def wrong(what: str) -> DomainError:
    """Return the refusal of a file that is not what `haggle games export` wrote."""
    return DomainError("wrong-file", f"This is no file of a whole game: {what}.")


def _columns(table: type[Base]) -> Iterable[Column[Any]]:
    skipped = {"id"} if table in _OWN_NUMBERS else _OF_SERVER if table is Photo else frozenset()
    return [column for column in table_of(table).columns if column.key not in skipped]


def _field_of(column: Column[Any]) -> str:
    return _FIELD_NAMES.get(column.key, column.key)


def _value(column: Column[Any], value: Any, where: str) -> Any:  # noqa: ANN401, PLR0911 - JSON in, a column's value out
    kind = column.type
    if value is None:
        if not column.nullable:
            raise wrong(f"{where} is empty")
        return None
    if isinstance(kind, UtcDateTime):
        return _time(value, where)
    if isinstance(kind, LargeBinary):
        return _bytes(value, where)
    if isinstance(kind, Boolean):
        return _of(value, bool, where)
    if isinstance(kind, Integer):
        return _number(value, where)
    if isinstance(kind, String):
        return _text(value, kind.length, where)
    if isinstance(kind, JSON):
        return _json(column, value, where)
    raise wrong(f"{where} is of an unknown kind")


def _json(column: Column[Any], value: Any, where: str) -> Any:  # noqa: ANN401 - any JSON
    """Check that a JSON column holds what its table says: a list or an object, not nested without end."""
    expected = list if column.key in _LISTS else dict
    _of(value, expected, where)
    if _depth(value) > _DEEPEST:
        raise wrong(f"{where} is nested too deeply")
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise wrong(f"{where} has a number without end, or what is no text") from None
    return value


_LISTS = frozenset({"active_rules", "confirmed", "kinds", "submitted_cards", "cancels", "cards"})


def _depth(value: object, so_far: int = 0) -> int:
    if so_far > _DEEPEST or not isinstance(value, (dict, list)):
        return so_far
    inner = value.values() if isinstance(value, dict) else value
    return max((_depth(item, so_far + 1) for item in inner), default=so_far + 1)


def _of(value: Any, kind: type, where: str) -> Any:  # noqa: ANN401 - JSON
    if type(value) is not kind:
        raise wrong(f"{where} is no {kind.__name__}")
    return value


def _number(value: object, where: str) -> int:
    if type(value) is not int or abs(value) > _LARGEST:
        raise wrong(f"{where} is no whole number")
    return value


def _text(value: object, longest: int | None, where: str) -> str:
    text = str(_of(value, str, where))
    if (longest is not None and len(text) > longest) or "\x00" in text or not _encodes(text):
        raise wrong(f"{where} is too long, or no text")
    return text


def _time(value: object, where: str) -> datetime:
    try:
        time = datetime.fromisoformat(str(_of(value, str, where)))
        there = time.astimezone(UTC)
    except (ValueError, OverflowError):
        raise wrong(f"{where} is no time") from None
    if time.tzinfo is None:
        raise wrong(f"{where} is a time without a zone")
    if not _FIRST_YEAR <= there.year < _LAST_YEAR:
        raise wrong(f"{where} is not between the years {_FIRST_YEAR} and {_LAST_YEAR}")
    return there


def _bytes(value: object, where: str) -> bytes:
    try:
        return bytes.fromhex(str(_of(value, str, where)))
    except ValueError:
        raise wrong(f"{where} is not hexadecimal") from None


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


Row = dict[str, Any]

_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_DECKS = {OPEN, CONFIRMED, HANDED_IN, DROPPED}
_PHOTOS = {"waiting", "scanning", "done", "failed"}
_SOURCES = {"player", "organiser"}
_LATENESS = {None, "accepted", "refused"}


_Points = Annotated[str, Field(pattern=r"^-?[0-9]{1,40}([.][0-9]{1,40}|/[1-9][0-9]{0,39})?$")]
_Number = Annotated[int, Field(ge=1, le=MAX_LABEL)]
_Laid = Annotated[int, Field(strict=True, ge=0, le=MAX_HAND)]
_PARTS = TypeAdapter(dict[str, dict[str, _Laid]] | None)


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Line(_Form):
    rule: str | None
    points: _Points
    text: str
    void: bool
    voided_by: str | None


class _Hand(_Form):
    player: str
    score: _Points | None
    rank: Annotated[int, Field(ge=1, le=MAX_HANDS)]
    eliminated: bool
    decided_by: str | None
    lines: list[_Line]


class _Document(_Form):
    edition: str
    hands: list[_Hand]


class _OpenPoint(_Form):
    slug: str
    text: str


class _Inputs(_Form):
    game: dict[str, Any]
    envelopes: list[_Number]
    left_out: dict[Annotated[str, Field(pattern="^[1-9][0-9]*$")], str]
    overridden: list[_OpenPoint]
    override: str


class _Answer(_Form):
    score: _Points | None
    eliminated: bool
    ground: str | None = None


class _Decision(_Form):
    do: str
    envelope: int | None = None
    envelopes: list[int | None] | None = None
    card: str | None = None


def check_rows(rows: Mapping[type[Base], Sequence[Row]], game: Game) -> None:
    """Refuse rows that no game can have; `game` is its own row, whose settings are checked already."""
    versions = {row["version"] for row in rows[ResultVersion]}
    if (game.published_version is not None or game.state == State.PUBLISHED) and game.published_version not in versions:
        raise wrong("the published results are missing")
    edition, kinds = edition_of_game(game), set(game.kinds)
    _check_runs(rows[PrintRun], edition)
    _check_envelopes(rows[Envelope], {row["number"] for row in rows[PrintRun]}, edition, kinds)
    if any(row["kind"] not in kinds or not 1 <= row["copy"] <= MAX_NUMBER for row in rows[Card]):
        raise wrong("a card is of no kind of the game, or of a copy that no code can say")
    _check_decks(rows, kinds)
    for row in rows[Photo]:
        _check_photo(row, game, kinds)
    numbers = {row["number"] for row in rows[Envelope]}
    for row in rows[ResultVersion]:
        _check_result(row, edition, numbers)
    try:
        for row in rows[ReviewDecision]:
            _Decision.model_validate(row["decision"])
        for row in rows[ProvisionalScore]:
            _Answer.model_validate(row["answer"])
        for row in rows[Envelope]:
            _PARTS.validate_python(row["parts"])
    except ValidationError as error:
        raise wrong(f"a decision, an answer or the parts of a deck have not their form: {_first(error)}") from None


def _check_runs(runs: Sequence[Row], edition: Edition) -> None:
    if len({run["number"] for run in runs}) < len(runs):
        raise wrong("a print run stands twice")
    for run in runs:
        try:
            Fraction(run["spread"] or 0)
        except (ValueError, ZeroDivisionError):
            raise wrong(f"print run {run['number']} has a spread that is no number") from None
        last = run["first"] + run["envelopes"] - 1
        if run["first"] < 1 or run["envelopes"] < 0 or last > MAX_LABEL or not 0 <= run["spare"] <= run["envelopes"]:
            raise wrong(f"print run {run['number']} has envelopes that cannot be")
        if run["language"] not in edition.languages:
            raise wrong(f"print run {run['number']} is in a language that the edition does not have")


def _check_envelopes(envelopes: Sequence[Row], runs: set[int], edition: Edition, kinds: set[str]) -> None:
    for row in envelopes:
        number = row["number"]
        if row["run"] not in runs:
            raise wrong("a print run is missing")
        if not 1 <= number <= MAX_LABEL:
            raise wrong("an envelope has a number that no label can say")
        for mistake in check_names([row["name"]] if row["name"] is not None else []):
            raise wrong(f"the name of envelope {number} {mistake.message}")
        if row["token_version"] < 0 or row["lateness"] not in _LATENESS:
            raise wrong(f"envelope {number} has a link or a lateness that cannot be")
        _check_counted(row, f"envelope {number}")
        _check_cards(row["submitted_cards"] or (), kinds, f"envelope {number}")
        for name, value in row["facts"].items():
            fact = edition.fact_of.get(name)
            if fact is None or not fact.takes(value):
                raise wrong(f"envelope {number} has a fact {name!a:.40} that the edition does not ask for")
        if any(not isinstance(key, str) or key not in edition.rule_of for key in row["cancels"] or ()):
            raise wrong(f"envelope {number} cancels something that is no rule")


def _check_decks(rows: Mapping[type[Base], Sequence[Row]], kinds: set[str]) -> None:
    decks = {row["id"]: row for row in rows[Deck]}
    for deck, row in decks.items():
        if not _ID.fullmatch(deck):
            raise wrong("a deck has a name that we never give")
        listed = row["state"] in {CONFIRMED, HANDED_IN}
        if row["state"] not in _DECKS or (listed and row["cards"] is None):
            raise wrong(f"deck {deck} is in no state that a deck has")
        _check_cards(row["cards"] or (), kinds, f"deck {deck}")
        _check_counted(row, f"deck {deck}")
    for of in (*rows[Photo], *rows[ProvisionalScore]):
        if of["deck"] is not None and (of["deck"] not in decks or decks[of["deck"]]["envelope"] != of["envelope"]):
            raise wrong("a picture or a check belongs to no deck of its player")
    if any(row["mode"] not in MODES for row in rows[ProvisionalScore]):
        raise wrong("a check has a mode that no game has")


def _check_photo(row: Row, game: Game, kinds: set[str]) -> None:
    photo = row["id"]
    if not _ID.fullmatch(photo):
        raise wrong("a picture has a name that we never give")
    if row["state"] not in _PHOTOS or row["source"] not in _SOURCES or row["size"] < 0:
        raise wrong(f"picture {photo} is in no state that a picture has")
    if (row["source"] == "player") != (row["envelope"] is not None):
        raise wrong(f"picture {photo} is nobody's")
    if row["state"] == "done" and (row["scan_result"] is None or row["scanned"] is None):
        raise wrong(f"picture {photo} was read, but nothing says what")
    if row["scan_result"] is None:
        return
    try:
        reading = reading_of(row["scan_result"], game.id, game.key)
        _check_reading(reading)
    except (ValidationError, ValueError):
        raise wrong(f"the reading of picture {photo} has not its form") from None
    cards = [*(seen.card for seen in reading.seen), *(code.card for code in reading.codes if code.card is not None)]
    _check_cards(cards, kinds, f"picture {photo}")


def _check_reading(reading: Reading) -> None:
    """Raise ValueError for places that no picture has, and for what points to nothing."""
    outlines: list[Quad] = [
        *(code.quad for code in reading.codes),
        *(seen.outline for seen in reading.seen),
        *(doubt.quad for doubt in reading.doubts),
    ]
    numbers = [value for outline in outlines for point in outline for value in point]
    codes = [place for seen in reading.seen for place in seen.codes]
    cards = [place for deck in reading.decks for place in deck.cards]
    labels = [*reading.labels, *(deck.label for deck in reading.decks if deck.label is not None)]
    if (
        min(reading.width, reading.height) < 1
        or not all(map(math.isfinite, numbers))
        or not all(0 <= place < len(reading.codes) for place in codes)
        or not all(0 <= place < len(reading.seen) for place in cards)
        or not all(1 <= label <= MAX_LABEL for label in labels)
    ):
        raise ValueError


def _check_cards(cards: Iterable[object], kinds: set[str], where: str) -> None:
    """Refuse a list of cards with anything in it that is no card of the game's kinds, written as we write it."""
    for name in cards:
        try:
            card = card_named(name) if isinstance(name, str) else None
        except ValueError:
            card = None
        if card is None or card.name != name or card.kind not in kinds or not 1 <= card.copy <= MAX_NUMBER:
            raise wrong(f"{where} lists {name!a:.40}, which is no card of the game")


def _check_counted(row: Row, where: str) -> None:
    if not 0 <= (row["counted"] or 0) <= MAX_COUNTED:
        raise wrong(f"{where} has a number of cards that nobody can count")


def _check_result(row: Row, edition: Edition, numbers: set[int]) -> None:
    """Refuse a version of the results that no count of this edition can give."""
    where = f"version {row['version']} of the results"
    try:
        inputs, document = _Inputs.model_validate(row["inputs"]), _Document.model_validate(row["document"])
        hands = parse_request(edition, inputs.game).hands
    except ValidationError as error:
        raise wrong(f"{where} has not its form: {_first(error)}") from None
    except InputError as error:
        raise wrong(f"{where} counts what cannot be counted: {error.mistakes[0]}") from None
    players = sorted(hand.player for hand in hands)
    keys = {key for hand in document.hands for line in hand.lines for key in (line.rule, line.voided_by)} - {None}
    if (
        row["version"] < 1
        or len(inputs.envelopes) != len(hands)
        or len(set(inputs.envelopes) & numbers) != len(hands)
        or players != sorted(hand.player for hand in document.hands)
        or not keys <= set(edition.rule_of)
        or any(hand.eliminated != (hand.score is None) for hand in document.hands)
    ):
        raise wrong(f"{where} does not fit the game")


def _first(error: ValidationError) -> str:
    """Return the first mistake and its place, in one line."""
    mistake = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, mistake['loc']))!a:.80}, {mistake['msg']}"
