"""The rows of a game as plain JSON and back. Whatever comes in is checked before the database sees it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, Boolean, Integer, LargeBinary, String, inspect

from server.play.refusals import Refusal
from server.store.tables import (
    AuditEntry,
    Base,
    Card,
    Check,
    Deck,
    Envelope,
    Game,
    Photo,
    PrintRun,
    ResultVersion,
    Ruling,
    table_of,
)
from server.store.times import Instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import Column

TABLES: tuple[type[Base], ...] = (
    Game,
    PrintRun,
    Envelope,
    Card,
    Deck,
    Photo,
    Check,
    Ruling,
    ResultVersion,
    AuditEntry,
)
"""What a game is made of, each after those that it refers to.

Not here: who watches live, and the answers to requests; both are of the server, and short-lived.
"""

_OWN_NUMBERS = frozenset({PrintRun, Check, Ruling, AuditEntry})
# Their ids are counted by the database, which counts anew in another one.
# Columns of photographs that are of this server's queue and store alone. Files of earlier versions have some of them.
_OF_SERVER = frozenset({"priority", "turn", "lease", "token", "attempts", "begun", "seconds", "bare"})
_LARGEST = 2**31 - 1
# What every database holds.
_DEEPEST = 12
_FIRST_YEAR, _LAST_YEAR = 1900, 2200
# Times far from ours cannot be reckoned with: a day more, or another zone, may be no time at all.


def name_of(table: type[Base]) -> str:
    """Return a table's name."""
    return str(table.__tablename__)


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
        said[column.key] = value
    return said


def row_from_json(table: type[Base], said: object, where: str) -> dict[str, Any]:
    """Return the values of a row by column; Refusal `wrong-file`, naming the place, for what no row can hold.

    What a later version of the table has is missing in older files: the database fills it in, or it is empty.
    """
    if not isinstance(said, dict):
        raise wrong(f"{where} is no object")
    values = {}
    columns = {column.key: column for column in _columns(table)}
    if unknown := sorted(said.keys() - columns.keys() - (_OF_SERVER if table is Photo else set())):
        raise wrong(f"{where} has a field {unknown[0]!a:.40}: the file was made by a newer version, or not by Haggle")
    for name, column in columns.items():
        value = said.get(name)
        if name not in said and column.server_default is not None:
            continue
        if value is None and name not in said and not column.nullable:
            raise wrong(f"{where} lacks {name}")
        values[name] = _value(column, value, f"{where}, {name}")
    return values


def wrong(what: str) -> Refusal:
    """Return the refusal of a file that is not what `haggle games export` wrote."""
    return Refusal("wrong-file", f"This is no file of a whole game: {what}.")


def _columns(table: type[Base]) -> Iterable[Column[Any]]:
    skipped = {"id"} if table in _OWN_NUMBERS else _OF_SERVER if table is Photo else frozenset()
    return [column for column in table_of(table).columns if column.key not in skipped]


def _value(column: Column[Any], value: Any, where: str) -> Any:  # noqa: ANN401, PLR0911 - JSON in, a column's value out
    kind = column.type
    if value is None:
        if not column.nullable:
            raise wrong(f"{where} is empty")
        return None
    if isinstance(kind, Instant):
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


_LISTS = frozenset({"active_rules", "confirmed", "kinds", "claim", "cancels", "cards"})


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
