"""Reads JSON more strictly than Python does: what two programs could understand differently is a mistake."""

from __future__ import annotations

import json
from typing import NoReturn

from server.scoring.mistakes import shown

MAX_BYTES = 4 * 1024 * 1024
"""Longest text that is read: a thousand hands of all kinds, several times over."""

MAX_NAMES = 100_000
"""Names in all objects together: a thousand hands of nearly a hundred kinds each. It bounds how many can be wrong."""


class JsonError(ValueError):
    """Text that is not strict JSON. The message is one line for people."""


def read_json(data: bytes) -> object:
    """Return what a JSON text says; JsonError if it is too long, not UTF-8, not JSON, or ambiguous.

    Refused besides bad syntax: a key that stands twice in one object, NaN and infinities, numbers of thousands of
    digits, nesting deeper than Python can follow, and more than `MAX_NAMES` names.
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
            raise JsonError(f"the key {shown(key)} stands twice in one JSON object")
        result[key] = value
    return result


def _refuse(constant: str) -> NoReturn:
    raise JsonError(f"{constant} is not a number in JSON")
