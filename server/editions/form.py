"""Says in our words what is wrong with the form of an edition's document: a field's name, its type, its range."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

from server.editions.files import EditionFile
from server.editions.variants import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import ErrorDetails

Step = int | str

_PATTERNS = {
    "^#[0-9A-F]{6}$": 'must be a colour such as "#C2242B" (# and six of 0 to 9, A to F)',
    "^[a-z][a-z0-9-]*$": 'must be small letters, digits and hyphens, such as "red-star"',
    "^[a-z][a-z0-9_]*$": 'must be small letters, digits and underscores, such as "extra_points"',
    "^[a-z0-9][a-z0-9-]*$": 'must be small letters, digits and hyphens, such as "7" or "greedy"',
    "^[a-z]{2}$": "is no language; write two small letters, such as en",
}
_LONGEST = 40


def shown(document: dict[str, Any], way: Sequence[Step]) -> str:
    """Write the way to a value; an item of a list goes by its name, or by its place in the list from 1."""
    steps: list[str] = []
    here: Any = document
    for step in way:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            here = None
        if isinstance(step, int):
            steps.append(next(iter(names_of(here)), f"no. {step + 1}"))
        elif step != "[key]":
            steps.append(step)
    return ".".join(steps)


def sentence(error: ErrorDetails) -> str:
    """Return what is wrong with a value, and what it must be."""
    what, value, limits = error["type"], _value(error["input"]), error.get("ctx", {})
    last = next((step for step in reversed(error["loc"]) if isinstance(step, str)), "")
    known = _fields(error["loc"])
    if what == "extra_forbidden":
        close = get_close_matches(last, known, 1)
        return f"is no field here; write {close[0]}" if close else f"is no field here (there is {', '.join(known)})"
    if what == "string_pattern_mismatch":
        return f"{_PATTERNS.get(limits['pattern'], 'has a form that cannot be')}, not {value}".replace(
            "such as en, not", "such as en, instead of"
        )
    if what in {"dict_type", "model_type"}:
        texts = isinstance(error["input"], str)
        return f"must say its language: {last}.en = {value}" if texts else f"must be a table, not {value}"
    words = {
        "missing": "is missing; add it",
        "string_type": f"must be a text in quotation marks, not {value}",
        "int_type": f"must be a whole number without quotation marks, not {value}",
        "bool_type": f"must be true or false, not {value}",
        "list_type": f"must be a list in [ ], not {value}",
        "literal_error": f"must be {str(limits.get('expected')).replace(chr(39), chr(34))}, not {value}",
        "greater_than_equal": f"must be at least {limits.get('ge')}, not {value}",
        "too_short": "must not be empty",
        "value_error": error["msg"].removeprefix("Value error, "),
    }
    return words.get(what, f"{error['msg'].lower()}, not {value}")


def _value(value: object) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _fields(way: Sequence[Step]) -> list[str]:
    """Return the fields of the table in which the last step of a way stands."""
    model: Any = EditionFile
    for step in way[:-1]:
        if isinstance(step, str) and model is not None:
            field = model.model_fields.get(step)
            model = _model(field.annotation) if field else None
    return list(model.model_fields) if model is not None else []


def _model(annotation: object) -> type[BaseModel] | None:
    """Return the table that a field holds, alone, in a list or as one of several types."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for inner in get_args(annotation) if (model := _model(inner))), None)
