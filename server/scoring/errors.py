"""Errors in editions and in hands that are sent in: their places, and sentences about them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Any

    from pydantic_core import ErrorDetails


_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")


class EditionError(ValueError):
    """An edition that does not exist or whose files are wrong. The message is one line for people."""


class CalculationError(EditionError):
    """A calculation that fails for a hand. Its message is made of a `template` and `values`, for translations."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format_map(values))
        self.template = template
        self.values = values


class Mistake(NamedTuple):
    """One mistake: its place, such as `hands[0].cards.purple`, and a sentence about it."""

    place: str
    message: str


class InputError(ValueError):
    """Input that cannot be scored. `place` and `message` are those of the first of the `mistakes`."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        self.place, self.message = self.mistakes[0]
        super().__init__(f"{self.place}: {self.message}")


def format_value(value: object, longest: int = 40) -> str:
    """Format a value as ASCII JSON on one line, cut to `longest`; of lists and objects only the type."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def format_path(steps: Sequence[int | str]) -> str:
    """Format the path to a value: names with dots, indices and unusual names in brackets."""
    place = ""
    for step in steps:
        if isinstance(step, str) and _PLAIN_KEY.fullmatch(step):
            place += f".{step}" if place else step
        else:
            place += f"[{format_value(step)}]"
    return place or "input"


def to_mistake(error: ErrorDetails, fields: Sequence[str]) -> Mistake:
    """Translate an error of pydantic; `fields` are the names that exist at its place."""
    context = error.get("ctx", {})
    value = format_value(error["input"])
    messages = {
        "int_type": f"must be a whole number, not {value}",
        "string_type": f"must be text, not {value}",
        "string_unicode": "has a character that cannot be printed",
        "list_type": f"must be a list, not {value}",
        "dict_type": f"must be an object, not {value}",
        "model_type": f"must be an object, not {value}",
        "missing": "is missing",
        "extra_forbidden": f"is an unknown field (known: {', '.join(fields)})",
        "greater_than_equal": f"must be at least {context.get('ge')}, not {value}",
        "less_than_equal": f"must be at most {context.get('le')}, not {value}",
        "too_long": f"has too many entries (at most {context.get('max_length')})",
        "string_too_short": "must not be empty",
        "string_too_long": f"is too long (at most {context.get('max_length')} characters)",
    }
    return Mistake(format_path(error["loc"]), messages.get(error["type"], error["msg"]))


def rule_failure(what: str, function: Callable[..., Any], error: Exception | SystemExit) -> EditionError:
    """Return the error to raise when `function`, described by `what`, fails: file and line, then the reason."""
    place = failing_line(function, error.__traceback__)
    if isinstance(error, SystemExit):
        reason = f"{what} ends the program (SystemExit), which no rule may; take that out"
    elif isinstance(error, KeyError):
        reason = f"{what} fails: there is no {error} (KeyError)"
    elif not isinstance(error, EditionError):
        reason = f"{what} fails: {type(error).__name__}: {error}"
    else:
        reason = str(error) if str(error).startswith(f"{what} ") else f"{what}: {error}"
    return EditionError(" ".join(f"{place}: {reason}".split()))


def failing_line(function: Callable[..., Any], trace: TracebackType | None) -> str:
    """Return file and line of the innermost call in the file that defines the function; for a formula, its edition."""
    code = getattr(function, "__code__", None)
    if code is None:
        return f"{function!r}"
    if not code.co_filename.endswith(".py"):
        return str(code.co_filename)
    return f"{code.co_filename}:{line_in_file(code.co_filename, trace) or code.co_firstlineno}"


def line_in_file(file: str, trace: TracebackType | None) -> int | None:
    """Return the line of the innermost call in a file, or None."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
