"""Checks the form of an edition's document, and goes on past each mistake as far as it can."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from server.editions.files import EditionFile
from server.editions.form import sentence, shown
from server.editions.variants import PARTS, names_of

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_ROUNDS = 6
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
_BY_SLUG = frozenset({"cards", "categories", "groups", "parts"})
"""Lists whose items are known by a slug, and have a name in words; items of others are known by their name."""
_FACT_RANGE = ("minimum", "maximum", "default")


class Problem(NamedTuple):
    """A mistake: the way to it, in which "#3" is the fourth item of a list, and a sentence."""

    way: tuple[str, ...]
    sentence: str


class Repaired(NamedTuple):
    """The file with stand-ins for what is wrong; None if too much is. `lost` are lists of which an item is gone."""

    file: EditionFile | None
    problems: list[Problem]
    lost: frozenset[str]


def repaired(document: dict[str, Any]) -> Repaired:
    """Check a document and mend it as far as that can be done."""
    draft = copy.deepcopy(document)
    problems: dict[tuple[str, ...], str] = {}
    lost: set[str] = set()
    _drop_twins(draft, problems, lost)
    places = {part: list(range(len(draft[part]))) for part in PARTS if isinstance(draft.get(part), list)}
    for part, twins in _twins(document).items():
        places[part] = [place for place in range(len(document[part])) if place not in twins]
    for _ in range(_ROUNDS):
        try:
            return Repaired(EditionFile.model_validate(draft), _listed(problems), frozenset(lost))
        except ValidationError as error:
            found = error.errors(include_url=False)
        told = {way[:2] for way in problems}
        # Later items of a list go first, so that the places of the others stay true.
        for item in sorted(found, key=lambda item: [str(step).zfill(6) for step in item["loc"]], reverse=True):
            place = list(item["loc"])
            if len(place) > 1 and isinstance(place[1], int) and place[0] in places:
                place[1] = places[str(place[0])][place[1]]
            way = tuple(f"#{step}" if isinstance(step, int) else step for step in place)
            # What comes up in a later round about the same item follows from the first.
            if len(way) == 1 or way[:2] not in told:
                problems.setdefault(way, f"{shown(document, place)}: {sentence(item)}")
            if _mend(draft, item):
                part = str(item["loc"][0])
                lost.add(part)
                if len(item["loc"]) > 1 and part in places and len(draft[part]) < len(places[part]):
                    places[part].pop(int(item["loc"][1]))
    return Repaired(None, _listed(problems), frozenset(lost))


def _listed(problems: dict[tuple[str, ...], str]) -> list[Problem]:
    return [Problem(way, what) for way, what in problems.items()]


def _twins(document: dict[str, Any]) -> dict[str, set[int]]:
    """Return the places of items whose name stands earlier in their list."""
    twins: dict[str, set[int]] = {}
    for part in PARTS:
        seen: set[str] = set()
        items = document.get(part)
        for place, item in enumerate(items if isinstance(items, list) else ()):
            # A rule may bear the name of a family; only its keys count.
            names = {name for name in names_of(item) if part != "rules" or name != item.get("effect")}
            if names & seen:
                twins.setdefault(part, set()).add(place)
            seen |= names
    return twins


def _drop_twins(draft: dict[str, Any], problems: dict[tuple[str, ...], str], lost: set[str]) -> None:
    for part, places in _twins(draft).items():
        for place in sorted(places, reverse=True):
            name = names_of(draft[part][place])[0]
            problems[(part, f"#{place}")] = f"{part}.{name}: stands twice in the file; give the second another name"
            del draft[part][place]
        lost.add(part)


def _mend(draft: dict[str, Any], error: ErrorDetails) -> bool:
    """Put a stand-in where a value is missing or wrong, or take it out; tell whether a named item is gone."""
    *way, last = error["loc"]
    parents: list[Any] = [draft]
    for step in way:
        try:
            parents.append(parents[-1][step])
        except (KeyError, IndexError, TypeError):
            return False
    here = parents[-1]
    if isinstance(here, list) and isinstance(last, int) and last < len(here):
        return _mend_item(here, last, str(way[0])) and len(way) == 1
    if not isinstance(here, dict):
        return False
    if error["type"] == "missing":
        listed = bool(way) and isinstance(parents[-2], list)
        if last in _STAND_INS and not (listed and last == ("slug" if way[0] in _BY_SLUG else "name")):
            here[str(last)] = _stand_in(draft, str(last))
        elif listed:
            parents[-2].pop(int(way[-1]))
            return True
    elif error["type"] in {"dict_type", "model_type"} and last in _STAND_INS:
        here[str(last)] = _stand_in(draft, str(last))
    elif last in here:
        return _mend_field(here, str(last), error, in_numbers=bool(way) and way[-1] == "numbers")
    return False


def _stand_in(draft: dict[str, Any], name: str) -> object:
    """Return what takes the place of a value; a text in all languages of the edition, so that none is missing."""
    value = copy.deepcopy(_STAND_INS[name])
    title = draft.get("title")
    return dict.fromkeys(title, "?") if value == {"en": "?"} and isinstance(title, dict) else value


def _mend_item(here: list[Any], place: int, part: str) -> bool:
    if part == "facts" and isinstance(here[place], dict):
        here[place] = {name: value for name, value in here[place].items() if name not in _FACT_RANGE}
        here[place]["type"] = "yes-no"
        return False
    here.pop(place)
    return True


def _mend_field(here: dict[str, Any], name: str, error: ErrorDetails, *, in_numbers: bool) -> bool:
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
