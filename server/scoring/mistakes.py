"""Mistakes in what somebody sends: where they are, and what to do about them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import ErrorDetails

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")


class Mistake(NamedTuple):
    """One mistake: its place, such as `hands[0].cards.purple`, and a sentence about it."""

    place: str
    message: str


class WireError(ValueError):
    """Input that cannot be scored. `place` and `message` are those of the first of the `mistakes`."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        self.place, self.message = self.mistakes[0]
        super().__init__(f"{self.place}: {self.message}")


def shown(value: object, longest: int = 40) -> str:
    """Write a value as JSON in plain characters on one line, cut to `longest`; lists and objects only by type."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def place_of(steps: Sequence[int | str]) -> str:
    """Write the way to a value: names with dots, indices and unusual names in brackets."""
    place = ""
    for step in steps:
        if isinstance(step, str) and _PLAIN_KEY.fullmatch(step):
            place += f".{step}" if place else step
        else:
            place += f"[{shown(step)}]"
    return place or "input"


def mistake_of(error: ErrorDetails, fields: Sequence[str]) -> Mistake:
    """Say in our words what pydantic found; `fields` are the names that the place may have."""
    context = error.get("ctx", {})
    value = shown(error["input"])
    messages = {
        "int_type": f"must be a whole number, not {value}",
        "string_type": f"must be text, not {value}",
        "string_unicode": "has a character that cannot be printed",
        "list_type": f"must be a list, not {value}",
        "dict_type": f"must be an object, not {value}",
        "model_type": f"must be an object, not {value}",
        "missing": "is missing",
        "extra_forbidden": f"is no field here (there is {', '.join(fields)})",
        "greater_than_equal": f"must be at least {context.get('ge')}, not {value}",
        "less_than_equal": f"must be at most {context.get('le')}, not {value}",
        "too_long": f"has too many entries (at most {context.get('max_length')})",
        "string_too_long": f"is too long (at most {context.get('max_length')} characters)",
    }
    return Mistake(place_of(error["loc"]), messages.get(error["type"], error["msg"]))
