"""The repair of wrong values in the document of an edition, to find further mistakes."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from server.editions.schema import EditionFile, error_sentence, path_text
from server.editions.source import PARTS
from server.editions.source_lines import names_of
from server.editions.translations import Sentence

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_ROUNDS = 6
_DEFAULTS: dict[str, Any] = {
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
"""Replacements for missing values, so that the rest can be checked."""
_BY_SLUG = frozenset({"cards", "categories", "groups", "parts"})
"""Lists whose items are identified by a slug; items of others are identified by their name."""


class RepairedFile(NamedTuple):
    """The file with replacements for wrong values, or None if too much is wrong.

    `problems` are fields and sentences by path, in which "#3" is the fourth item of a list.
    `lost` are lists that lost an item.
    """

    file: EditionFile | None
    problems: dict[tuple[str, ...], tuple[str, str]]
    lost: frozenset[str]


def repair(document: dict[str, Any]) -> RepairedFile:
    """Validate a document, and repair it as far as possible."""
    draft = copy.deepcopy(document)
    problems: dict[tuple[str, ...], tuple[str, str]] = {}
    lost: set[str] = set()
    places = {part: list(range(len(draft[part]))) for part in PARTS if isinstance(draft.get(part), list)}
    for part, duplicates in _duplicates(document).items():
        lost.add(part)
        for index in sorted(duplicates, reverse=True):
            name = names_of(draft[part][index])[0]
            problems[(part, f"#{index}")] = (
                f"{part}.{name}",
                Sentence("is used twice in the file; give the second another name"),
            )
            del draft[part][index], places[part][index]
    for _ in range(_ROUNDS):
        try:
            return RepairedFile(EditionFile.model_validate(draft), problems, frozenset(lost))
        except ValidationError as error:
            found = error.errors(include_url=False)
        reported = {path[:2] for path in problems}
        before = {part: list(indices) for part, indices in places.items()}
        # Later items of a list are removed first, so that the indices of the others stay valid.
        for item in sorted(found, key=lambda item: [str(step).zfill(6) for step in item["loc"]], reverse=True):
            place = list(item["loc"])
            if len(place) > 1 and isinstance(place[1], int) and place[0] in before:
                place[1] = before[str(place[0])][place[1]]
            path = tuple(f"#{step}" if isinstance(step, int) else step for step in place)
            # Later mistakes in the same item follow from the first.
            if len(path) == 1 or path[:2] not in reported:
                problems.setdefault(path, (path_text(document, place), error_sentence(item)))
            if _repair(draft, item):
                part = str(item["loc"][0])
                lost.add(part)
                if len(item["loc"]) > 1 and part in places and len(draft[part]) < len(places[part]):
                    places[part].pop(int(item["loc"][1]))
    return RepairedFile(None, problems, frozenset(lost))


def _duplicates(document: dict[str, Any]) -> dict[str, set[int]]:
    """Return the indices of items whose name occurs earlier in their list."""
    duplicates: dict[str, set[int]] = {}
    for part in PARTS:
        seen: set[str] = set()
        items = document.get(part)
        for index, item in enumerate(items if isinstance(items, list) else ()):
            # The effect of a rule may be the key of another.
            names = {name for name in names_of(item) if part != "rules" or name != item.get("effect")}
            if names & seen:
                duplicates.setdefault(part, set()).add(index)
            seen |= names
    return duplicates


def _repair(draft: dict[str, Any], error: ErrorDetails) -> bool:
    """Replace or remove a missing or wrong value; return whether a named item was removed."""
    *path, last = error["loc"]
    parents: list[Any] = [draft]
    for step in path:
        try:
            parents.append(parents[-1][step])
        except (KeyError, IndexError, TypeError):
            return False
    here = parents[-1]
    if isinstance(here, list) and isinstance(last, int) and last < len(here):
        return _repair_item(here, last, str(path[0])) and len(path) == 1
    if not isinstance(here, dict):
        return False
    if error["type"] == "missing":
        listed = bool(path) and isinstance(parents[-2], list)
        if last in _DEFAULTS and not (listed and last == ("slug" if path[0] in _BY_SLUG else "name")):
            here[str(last)] = _default(draft, str(last))
        elif listed:
            parents[-2].pop(int(path[-1]))
            return True
    elif error["type"] in {"dict_type", "model_type"} and last in _DEFAULTS:
        here[str(last)] = _default(draft, str(last))
    elif last in here:
        return _repair_field(here, str(last), error, in_numbers=bool(path) and path[-1] == "numbers")
    return False


def _default(draft: dict[str, Any], name: str) -> object:
    """Return the replacement for a value; a text gets all languages of the edition."""
    value = copy.deepcopy(_DEFAULTS[name])
    title = draft.get("title")
    return dict.fromkeys(title, "?") if value == {"en": "?"} and isinstance(title, dict) else value


def _repair_item(here: list[Any], index: int, part: str) -> bool:
    if part == "facts" and isinstance(here[index], dict):
        limits = {"minimum", "maximum", "default"}
        here[index] = {name: value for name, value in here[index].items() if name not in limits} | {"type": "yes-no"}
        return False
    here.pop(index)
    return True


def _repair_field(here: dict[str, Any], name: str, error: ErrorDetails, *, in_numbers: bool) -> bool:
    if in_numbers or error["type"] == "greater_than_equal" or error["type"] == "int_type":
        here[name] = 1
    elif error["type"] == "string_type" and isinstance(here[name], int):
        here[name] = str(here[name])
    elif error["type"] == "literal_error" and name == "type":
        here[name] = "whole" if "maximum" in here else "yes-no"
    else:
        del here[name]
        return name in {"slug", "key"}
    return False
