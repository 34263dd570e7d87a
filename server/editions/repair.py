"""Checks the form of an edition's document, and goes on past each mistake as far as it can."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from server.editions.files import EditionFile
from server.editions.variants import names_of

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_ROUNDS = 5
_STAND_INS: dict[str, Any] = {
    "slug": "no-slug",
    "title": {"en": "?"},
    "summary": {"en": "?"},
    "name": {"en": "?"},
    "label": {"en": "?"},
    "text": {"en": "?"},
    "players": {"min": 1, "max": 600},
    "min": 1,
    "max": 600,
    "minimum": 0,
    "default": 0,
    "type": "yes-no",
}
"""What takes the place of a missing value, so that the rest can be checked."""

Problem = tuple[tuple[str, ...], str]


def repaired(document: dict[str, Any]) -> tuple[EditionFile | None, list[Problem]]:
    """Return the file with stand-ins for what is wrong (None if too much is), and a sentence for each mistake."""
    draft = copy.deepcopy(document)
    problems: dict[tuple[str, ...], str] = {}
    for _ in range(_ROUNDS):
        try:
            return EditionFile.model_validate(draft), list(problems.items())
        except ValidationError as error:
            found = error.errors(include_url=False)
        # Later items of a list go first, so that the places of the others stay true.
        for item in sorted(found, key=lambda item: [str(step).zfill(6) for step in item["loc"]], reverse=True):
            way = tuple(f"#{step}" if isinstance(step, int) else step for step in item["loc"])
            problems.setdefault(way, f"{'.'.join(_shown(document, item['loc']))}: {_sentence(item)}")
            _mend(draft, item)
    return None, list(problems.items())


def _sentence(error: ErrorDetails) -> str:
    own = {"missing": "is missing", "extra_forbidden": "is no field here"}
    return own.get(error["type"], error["msg"].removeprefix("Value error, "))


def _shown(document: dict[str, Any], way: tuple[int | str, ...]) -> list[str]:
    """Name an item of a list by its name instead of its place."""
    shown: list[str] = []
    here: Any = document
    for step in way:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            here = None
        names = names_of(here) if isinstance(step, int) else []
        shown.append(names[0] if names else str(step))
    return shown


def _mend(draft: dict[str, Any], error: ErrorDetails) -> None:
    """Put a stand-in where a value is missing or a number is none; take everything else out."""
    *way, last = error["loc"]
    parents: list[Any] = [draft]
    for step in way:
        try:
            parents.append(parents[-1][step])
        except (KeyError, IndexError, TypeError):
            return
    here = parents[-1]
    if error["type"] == "missing" and isinstance(here, dict):
        if last in _STAND_INS:
            here[last] = copy.deepcopy(_STAND_INS[str(last)])
        elif way and isinstance(parents[-2], list):
            parents[-2].pop(int(way[-1]))
    elif isinstance(here, dict) and last in here:
        if way and way[-1] == "numbers":
            here[last] = 0
        elif error["type"] == "greater_than_equal":
            here[last] = 1
        else:
            del here[last]
    elif isinstance(here, list) and isinstance(last, int) and last < len(here):
        here.pop(last)
