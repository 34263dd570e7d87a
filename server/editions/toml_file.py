"""Reads a TOML file, and says in our words where and why one cannot be read."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from server.scoring.edition import EditionError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_MOST = 20
"""So many mistakes of one file are told at once."""
_WORDS = (
    (r"Cannot overwrite a value", "this stands twice in the same table; keep one"),
    (r"Cannot declare .* twice", "this table stands twice; give it [[ ]] if it is one of a list, or join the two"),
    (
        r"Illegal character '\\n'|Unterminated string|Expected \"['\"]",
        'a text has no end; close it with a " in its line',
    ),
    (r"Invalid value", "after = a value is missing or has no quotation marks"),
    (r"Expected '='", "a name and its value need a = between them"),
)
"""Mistakes of one line, after which the others can be read."""
_OTHER = "a bracket, a comma or a quotation mark is missing or too many, here or in the line before"


def read_toml(path: Path, keep: Callable[[int, str], None] | None = None) -> dict[str, Any]:
    """Return a TOML file as data; numbers with decimals are exact.

    EditionError for the first mistake; with `keep`, which takes line and sentence, all mistakes go there that can be
    told apart, and what stands in their lines is left out.
    """
    try:
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        return _failed(path, keep, line, "is not UTF-8; save the file in that encoding", error)
    except OSError as error:
        return _failed(path, keep, 1, f"cannot be read: {error.strerror}", error)
    lines = text.split("\n")
    for _ in range(_MOST):
        try:
            return tomllib.loads("\n".join(lines), parse_float=_exact)
        except tomllib.TOMLDecodeError as error:
            found = _PLACE.search(str(error))
            number = int(found[1]) if found and found[1] else len("\n".join(lines).rstrip().split("\n"))
            what = _PLACE.sub("", str(error))
            sentence = next((ours for pattern, ours in _WORDS if re.search(pattern, what)), _OTHER)
            _failed(path, keep, number, f"{sentence}: {lines[number - 1].strip()[:60]}", error)
            if sentence == _OTHER:
                break
            lines[number - 1] = ""
    return {}


def _failed(
    path: Path, keep: Callable[[int, str], None] | None, line: int, sentence: str, cause: Exception
) -> dict[str, Any]:
    if keep is None:
        raise EditionError(f"{path}:{line}: {sentence}") from cause
    keep(line, sentence)
    return {}


def _exact(text: str) -> Fraction | float:
    """Take a number with decimals exactly; one without end stays what it is, and is refused where it stands."""
    try:
        return Fraction(text)
    except ValueError:
        return float(text)
