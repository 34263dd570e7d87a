"""The repair of wrong values in the document of an edition, to find further mistakes."""

from __future__ import annotations

import copy
import re
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
    "players": {"min": 1, "max": 600},
}
"""Replacements for missing or wrong values of the whole edition, so that the rest can be checked."""


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
    places = {part: list(range(len(items))) for part, items in draft.items() if isinstance(items, list)}
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
        incomplete = lost | {path[0] for path in problems}
        before = {part: list(indices) for part, indices in places.items()}
        removed: set[tuple[str, int]] = set()
        # Later items of a list are removed first, so that the indices of the others stay valid.
        for item in sorted(found, key=lambda item: [str(step).zfill(6) for step in item["loc"]], reverse=True):
            place = list(item["loc"])
            if len(place) > 1 and isinstance(place[1], int) and place[0] in before:
                place[1] = before[str(place[0])][place[1]]
            path = tuple(f"#{step}" if isinstance(step, int) else step for step in place)
            part = str(item["loc"][0])
            # Later mistakes in the same item follow from the first, and so does an empty part from lost items.
            if part not in incomplete if len(path) == 1 else path[:2] not in reported:
                problems.setdefault(path, (path_text(document, place), error_sentence(item)))
            # An item that was removed has further mistakes, but another item has its index now.
            if item["loc"][:2] in removed:
                continue
            if not _repair(draft, item) and isinstance(draft.get(part), list) and len(item["loc"]) > 1:
                index = int(item["loc"][1])
                removed.add((part, index))
                lost.add(part)
                del draft[part][index], places[part][index]
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
    """Replace or remove a wrong value; return False if the item in which it is must be left out."""
    part, inner = str(error["loc"][0]), error["loc"][1:]
    if part in _DEFAULTS and (not inner or error["type"] == "missing"):
        title = draft.get("title")
        languages = [name for name in title if re.fullmatch("[a-z]{2}", name)] if isinstance(title, dict) else []
        texts = dict.fromkeys(languages, "?") if part == "summary" else None
        draft[part] = texts or copy.deepcopy(_DEFAULTS[part])
        return True
    path = error["loc"]
    if len(path) > 1 and path[-1] == "[key]" and not isinstance(draft.get(part), list):
        # A name that is wrong itself, such as a language of the title, is removed with its value.
        path = path[:-1]
    here: Any = draft
    for step in path[:-1]:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            return True  # removed already
    last = path[-1]
    if not isinstance(here, dict) or last not in here:
        return not inner or not isinstance(draft.get(part), list)
    if path[-2:-1] == ("numbers",):
        here[last] = 1
    elif last in {"slug", "key"}:
        return False
    else:
        del here[last]
    return True
