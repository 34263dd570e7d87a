"""Conversion of a game's rows to JSON and back.

Rows from a file are checked completely, because the rest of the program relies on valid rows.
"""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
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
from server.db.session import UtcDateTime
from server.games.errors import DomainError
from server.games.lifecycle.envelopes import MAX_COUNTED
from server.games.lifecycle.repository import edition_of_game
from server.games.lifecycle.settings import MODES
from server.games.lifecycle.states import State
from server.games.photos.readings import card_named, reading_of
from server.games.photos.scan_queue import PhotoSource, PhotoState
from server.games.players.decks import DeckState
from server.printing.game_file import MAX_LABEL
from server.scoring.breakdown import ADJUSTMENT
from server.scoring.errors import InputError
from server.scoring.request_schema import MAX_ADJUSTMENTS, MAX_HANDS, AdjustmentInput, parse_request
from server.scoring.request_validation import MAX_HAND, check_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Column

    from server.games.photos.readings import Quad, Reading
    from server.scoring.edition import Edition

    RowValues = dict[str, Any]


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
"""The tables of a game, each after those that it refers to.

Live events, and stored responses to requests, are not exported: they are short-lived and belong to the server.
"""

# Their ids come from counters of the database, so another database gives them new ones.
_OWN_NUMBERS = frozenset({PrintRun, ProvisionalScore, ReviewDecision, AuditEntry})

# Columns of photographs that belong to this server's queue and storage. Files of earlier versions contain some of them.
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

# JSON columns with lists; all others have objects.
_LISTS = frozenset({"active_rules", "confirmed", "kinds", "submitted_cards", "cancels", "cards", "adjustments"})

# Columns that are left out of files if they are empty.
_OPTIONAL = frozenset({"edition_files", "adjustments"})

_JSON_TYPES: dict[type, str] = {bool: "true or false", dict: "an object", list: "a list", str: "a string"}

# The largest integer that every database can store.
_MAX_INTEGER = 2**31 - 1

_MAX_DEPTH = 12

# Near the limits of `datetime`, adding a day or changing the time zone would overflow.
_FIRST_YEAR, _LAST_YEAR = 1900, 2200

_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)

_Points = Annotated[str, Field(pattern=r"^-?[0-9]{1,40}([.][0-9]{1,40}|/[1-9][0-9]{0,39})?$")]
_Number = Annotated[int, Field(ge=1, le=MAX_LABEL)]


def name_of(table: type[Base]) -> str:
    """Return a table's name in files."""
    return _TABLE_NAMES.get(table, str(table.__tablename__))


def order_of(table: type[Base]) -> list[Any]:
    """Return the columns by which a table's rows are sorted."""
    return list(inspect(table).primary_key)


def row_as_json(row: Base, runs: Mapping[int, int]) -> dict[str, Any]:
    """Return a row as JSON. `runs` maps ids of print runs to their numbers, by which envelopes refer to them."""
    document: dict[str, Any] = {}
    for column in _columns(type(row)):
        value = getattr(row, column.key)
        if column.key in _OPTIONAL and value is None:
            # Versions that lack the column can read the file.
            continue
        if isinstance(row, Envelope) and column.key == "run":
            value = runs[value]
        if isinstance(value, datetime):
            value = value.isoformat()
        elif isinstance(value, bytes):
            value = value.hex()
        document[_field_of(column)] = value
    return document


def row_from_json(table: type[Base], document: object, where: str) -> dict[str, Any]:
    """Return the values of a row by column. Raises DomainError `wrong-file`, which names the place, if one is invalid.

    Older files lack the columns that were added since: they get the database's default, or null.
    """
    if not isinstance(document, dict):
        raise wrong(f"{where} is not an object")
    values = {}
    columns = {_field_of(column): column for column in _columns(table)}
    if unknown := sorted(document.keys() - columns.keys() - (_OF_SERVER if table is Photo else set())):
        raise wrong(f"{where} has a field {unknown[0]!a:.40}: the file was made by a newer version, or not by Haggle")
    for name, column in columns.items():
        value = document.get(name)
        if name not in document and column.server_default is not None:
            continue
        if value is None and name not in document and not column.nullable:
            raise wrong(f"{where} lacks {name}")
        values[column.key] = _value(column, value, f"{where}, {name}")
    return values


def wrong(what: str) -> DomainError:
    """Return the error for a file that is not an archive of a game."""
    return DomainError("wrong-file", f"This is not a valid archive of a game: {what}.")


def _columns(table: type[Base]) -> Iterable[Column[Any]]:
    skipped = {"id"} if table in _OWN_NUMBERS else _OF_SERVER if table is Photo else frozenset()
    if table is ProvisionalScore:
        # They are compared with those of others for half an hour only.
        skipped = {*skipped, "cards"}
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
    raise wrong(f"{where} has an unknown type")


def _json(column: Column[Any], value: Any, where: str) -> Any:  # noqa: ANN401 - any JSON
    """Check that a JSON column has a list or an object, as its table requires, which is not nested too deeply."""
    expected = list if column.key in _LISTS else dict
    _of(value, expected, where)
    if _depth(value) > _MAX_DEPTH:
        raise wrong(f"{where} is nested too deeply")
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise wrong(f"{where} has a number that is not finite, or invalid text") from None
    return value


def _depth(value: object, so_far: int = 0) -> int:
    if so_far > _MAX_DEPTH or not isinstance(value, (dict, list)):
        return so_far
    inner = value.values() if isinstance(value, dict) else value
    return max((_depth(item, so_far + 1) for item in inner), default=so_far + 1)


def _of(value: Any, kind: type, where: str) -> Any:  # noqa: ANN401 - JSON
    if type(value) is not kind:
        raise wrong(f"{where} is not {_JSON_TYPES[kind]}")
    return value


def _number(value: object, where: str) -> int:
    if type(value) is not int or abs(value) > _MAX_INTEGER:
        raise wrong(f"{where} is not an integer, or too large")
    return value


def _text(value: object, longest: int | None, where: str) -> str:
    text = str(_of(value, str, where))
    if (longest is not None and len(text) > longest) or "\x00" in text or not _encodes(text):
        raise wrong(f"{where} is too long, or invalid text")
    return text


def _time(value: object, where: str) -> datetime:
    try:
        time = datetime.fromisoformat(str(_of(value, str, where)))
        there = time.astimezone(UTC)
    except (ValueError, OverflowError):
        raise wrong(f"{where} is not a time") from None
    if time.tzinfo is None:
        raise wrong(f"{where} has no time zone")
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


class _Adjustment(AdjustmentInput):
    id: Annotated[str, Field(pattern="^[0-9a-f]{8}$")]


class _Entered(_Form):
    parts: dict[str, dict[str, Annotated[int, Field(ge=0, le=MAX_HAND)]]] | None
    adjustments: Annotated[list[_Adjustment], Field(max_length=MAX_ADJUSTMENTS)] | None


class _Answer(_Form):
    score: _Points | None
    eliminated: bool
    ground: str | None = None


class _Decision(_Form):
    do: str
    envelope: int | None = None
    envelopes: list[int | None] | None = None
    card: str | None = None


def check_rows(rows: Mapping[type[Base], Sequence[RowValues]], game: Game) -> None:
    """Check all rows of a game. `game` is its own row, whose settings have been checked.

    Raises DomainError `wrong-file` for rows that no game can have.
    """
    versions = {row["version"] for row in rows[ResultVersion]}
    if (game.published_version is not None or game.state == State.PUBLISHED) and game.published_version not in versions:
        raise wrong("the published results are missing")
    edition, kinds = edition_of_game(game), set(game.kinds)
    _check_runs(rows[PrintRun], edition)
    _check_envelopes(rows[Envelope], {row["number"] for row in rows[PrintRun]}, edition, kinds)
    if any(row["kind"] not in kinds or not 1 <= row["copy"] <= MAX_NUMBER for row in rows[Card]):
        raise wrong("a card has a kind that the game does not have, or an invalid copy number")
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
            _Entered.model_validate({name: row[name] for name in _Entered.model_fields})
    except ValidationError as error:
        raise wrong(f"a decision, an answer, or something about a hand is malformed: {_first(error)}") from None


def _check_runs(runs: Sequence[RowValues], edition: Edition) -> None:
    if len({run["number"] for run in runs}) < len(runs):
        raise wrong("a print run occurs twice")
    for run in runs:
        try:
            Fraction(run["spread"] or 0)
        except (ValueError, ZeroDivisionError):
            raise wrong(f"print run {run['number']} has a spread that is not a number") from None
        last = run["first"] + run["envelopes"] - 1
        # A run of replacements has no envelopes, and the first number 0.
        first = 1 if run["envelopes"] else 0
        if not first <= run["first"] or not 0 <= run["spare"] <= run["envelopes"] or last > MAX_LABEL:
            raise wrong(f"print run {run['number']} has impossible numbers of envelopes")
        if run["language"] not in edition.languages:
            raise wrong(f"print run {run['number']} is in a language that the edition does not have")


def _check_envelopes(envelopes: Sequence[RowValues], runs: set[int], edition: Edition, kinds: set[str]) -> None:
    for row in envelopes:
        number = row["number"]
        if row["run"] not in runs:
            raise wrong("a print run is missing")
        if not 1 <= number <= MAX_LABEL:
            raise wrong(f"an envelope has a number that is not between 1 and {MAX_LABEL}")
        for mistake in check_names([row["name"]] if row["name"] is not None else []):
            raise wrong(f"the name of envelope {number} {mistake.message}")
        if row["token_version"] < 0 or row["lateness"] not in {None, "accepted", "refused"}:
            raise wrong(f"envelope {number} has an invalid link or lateness")
        _check_counted(row, f"envelope {number}")
        _check_cards(row["submitted_cards"] or (), kinds, f"envelope {number}")
        for name, value in row["facts"].items():
            fact = edition.fact_of.get(name)
            others = {0, *(other["number"] for other in envelopes)} - {number}
            named = name in {one.name for one in edition.player_facts} and type(value) is int and value in others
            if not (named or (fact and fact.takes(value))):
                raise wrong(f"envelope {number} has an unknown fact {name!a:.40}, or an invalid value for it")
        if any(not isinstance(key, str) or key not in edition.rule_of for key in row["cancels"] or ()):
            raise wrong(f"envelope {number} cancels something that is not a rule")


def _check_decks(rows: Mapping[type[Base], Sequence[RowValues]], kinds: set[str]) -> None:
    decks = {row["id"]: row for row in rows[Deck]}
    for deck, row in decks.items():
        if not _ID.fullmatch(deck):
            raise wrong("a deck has an invalid id")
        listed = row["state"] in {DeckState.CONFIRMED, DeckState.HANDED_IN}
        if row["state"] not in set(DeckState) or (listed and row["cards"] is None):
            raise wrong(f"deck {deck} has an invalid state, or no list of cards")
        _check_cards(row["cards"] or (), kinds, f"deck {deck}")
        _check_counted(row, f"deck {deck}")
    for of in (*rows[Photo], *rows[ProvisionalScore]):
        if of["deck"] is not None and (of["deck"] not in decks or decks[of["deck"]]["envelope"] != of["envelope"]):
            raise wrong("a picture or a provisional score refers to a deck that its player does not have")
    if any(row["mode"] not in MODES for row in rows[ProvisionalScore]):
        raise wrong("a provisional score has an invalid mode")


def _check_photo(row: RowValues, game: Game, kinds: set[str]) -> None:
    photo = row["id"]
    if not _ID.fullmatch(photo):
        raise wrong("a picture has an invalid id")
    if row["state"] not in set(PhotoState) or row["source"] not in set(PhotoSource) or row["size"] < 0:
        raise wrong(f"picture {photo} has an invalid state, source or size")
    if (row["source"] == PhotoSource.PLAYER) != (row["envelope"] is not None):
        raise wrong(f"picture {photo} has a source that does not match its envelope")
    if row["state"] == PhotoState.DONE and (row["scan_result"] is None or row["scanned"] is None):
        raise wrong(f"picture {photo} was scanned, but has no result or time of the scan")
    if row["scan_result"] is None:
        return
    try:
        reading = reading_of(row["scan_result"], game.id, game.key)
        _check_reading(reading)
    except (ValidationError, ValueError):
        raise wrong(f"the reading of picture {photo} is malformed") from None
    cards = [*(seen.card for seen in reading.seen), *(code.card for code in reading.codes if code.card is not None)]
    _check_cards(cards, kinds, f"picture {photo}")


def _check_reading(reading: Reading) -> None:
    """Raise ValueError for impossible places in the photograph, and for references to missing codes or cards."""
    outlines: list[Quad] = [
        *(code.quad for code in reading.codes),
        *(seen.outline for seen in reading.seen),
        *(doubt.quad for doubt in reading.doubts),
    ]
    numbers = [value for outline in outlines for point in outline for value in point]
    codes = [place for seen in reading.seen for place in seen.codes]
    cards = [place for pile in reading.scanned_piles for place in pile.cards]
    labels = [*reading.labels, *(pile.label for pile in reading.scanned_piles if pile.label is not None)]
    if (
        min(reading.width, reading.height) < 1
        or not all(map(math.isfinite, numbers))
        or not all(0 <= place < len(reading.codes) for place in codes)
        or not all(0 <= place < len(reading.seen) for place in cards)
        or not all(1 <= label <= MAX_LABEL for label in labels)
    ):
        raise ValueError


def _check_cards(cards: Iterable[object], kinds: set[str], where: str) -> None:
    """Check that a list contains only names of cards of the game, in their usual form."""
    for name in cards:
        try:
            card = card_named(name) if isinstance(name, str) else None
        except ValueError:
            card = None
        if card is None or card.name != name or card.kind not in kinds or not 1 <= card.copy <= MAX_NUMBER:
            raise wrong(f"{where} lists {name!a:.40}, which is not a card of the game")


def _check_counted(row: RowValues, where: str) -> None:
    if not 0 <= (row["counted"] or 0) <= MAX_COUNTED:
        raise wrong(f"{where} has an invalid number of cards")


def _check_result(row: RowValues, edition: Edition, numbers: set[int]) -> None:
    """Check a version of the results against the edition and the numbers of the envelopes."""
    where = f"version {row['version']} of the results"
    try:
        inputs, document = _Inputs.model_validate(row["inputs"]), _Document.model_validate(row["document"])
        hands = parse_request(edition, inputs.game).hands
    except ValidationError as error:
        raise wrong(f"{where} is malformed: {_first(error)}") from None
    except InputError as error:
        raise wrong(f"{where} has invalid inputs: {error.mistakes[0]}") from None
    players = sorted(hand.player for hand in hands)
    keys = {key for hand in document.hands for line in hand.lines for key in (line.rule, line.voided_by)} - {None}
    if (
        row["version"] < 1
        or len(inputs.envelopes) != len(hands)
        or len(set(inputs.envelopes) & numbers) != len(hands)
        or players != sorted(hand.player for hand in document.hands)
        or not keys <= {*edition.rule_of, ADJUSTMENT}
        or any(hand.eliminated != (hand.score is None) for hand in document.hands)
    ):
        raise wrong(f"{where} does not match the game")


def _first(error: ValidationError) -> str:
    """Return the first mistake and its place, in one line."""
    mistake = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, mistake['loc']))!a:.80}, {mistake['msg']}"
