"""Mistakes in files, and the lines of values in a TOML file."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from server.editions.templates import template_names
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class EditionFinding(NamedTuple):
    """A mistake: the file, the line in it from 1, the field, such as "rules.7.when", and a sentence.

    The field is "" if it is unknown. A `hint` may be no mistake. `column`, from 1, is the place in a formula; 0 means
    the whole line.
    """

    file: Path
    line: int
    field: str
    sentence: str
    hint: bool = False
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}" if self.column else str(self.line)
        hint, field = "hint: " if self.hint else "", f"{self.field}: " if self.field else ""
        return " ".join(f"{self.file}:{place}: {hint}{field}{self.sentence}".split())


class FileError(EditionError):
    """A mistake in a file that ends the reading of an edition."""

    def __init__(self, finding: EditionFinding) -> None:
        super().__init__(str(finding))
        self.finding = finding


def names_of(item: object) -> list[str]:
    """Return the names of an item in a list: its key, or keys and effect, or slug, or name."""
    if not isinstance(item, dict):
        return []
    keys = item.get("keys")
    found = [item.get("key"), *(keys if isinstance(keys, list) else ()), item.get("effect") if keys else None]
    found += [item.get("slug"), item.get("name")]
    return [name for name in found if isinstance(name, str)]


def exact(text: str) -> Fraction | float:
    """Convert a number with decimals exactly; others, maybe very large, stay floats, which the schema refuses."""
    return Fraction(text) if re.fullmatch(r"[+-]?\d+\.\d+", text) else float(text)


# Strings, comments, brackets and ends of lines.
_TOKEN = re.compile(
    r'''"""(?:[^\\]|\\.)*?""""{0,2}|'{3}.*?'{3}'{0,2}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[\[{\]}\n]''', re.DOTALL
)
_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(#.*)?$")


def line_of(path: Path, key_path: Sequence[str]) -> int:
    """Return the line of a value in a TOML file."""
    return SourceLines(path.read_text(encoding="utf-8")).find(key_path)[1]


class SourceLines:
    """The lines of values in a TOML file, by their paths. Items of lists have their names, and "#" and index."""

    def __init__(self, text: str) -> None:
        self._document = tomllib.loads(text, parse_float=exact)
        self._lines: dict[tuple[str, ...], int] = {}
        counts: dict[tuple[str, ...], int] = {}
        items: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        prefixes: list[tuple[str, ...]] = [()]
        for line, statement in _statements(text):
            header = _HEADER.match(statement)
            if header:
                steps = tuple(step.strip(" \"'") for step in header[2].split("."))
                # The tables inside an item of a list, such as [[rules.also]], belong to the last item.
                above = next((steps[:length] for length in range(len(steps) - 1, 0, -1) if steps[:length] in items), ())
                inside = steps[len(above) :]
                prefixes = [(*prefix, *inside) for prefix in items.get(above, [()])]
                if header[1] == "[[":
                    place = counts.get(steps, 0)
                    counts = {name: number for name, number in counts.items() if name[: len(steps)] != steps}
                    counts[steps] = place + 1
                    names = _item_names(self._document, steps, place) if not above else [f"#{place}"]
                    prefixes = [(*prefix, name) for prefix in prefixes for name in names]
                    items = {name: found for name, found in items.items() if name[: len(steps)] != steps}
                    items[steps] = prefixes
                self._add(prefixes, (), line)
            else:
                for key_path in _key_paths(tomllib.loads(statement)):
                    self._add(prefixes, key_path, line)

    def _add(self, prefixes: Sequence[tuple[str, ...]], key_path: tuple[str, ...], line: int) -> None:
        for prefix in prefixes:
            self._lines.setdefault((*prefix, *key_path), line)

    def place_of(self, part: str, item: object) -> str | None:
        """Return the place of an item in a list of this file, such as "#2"; None if it is not there."""
        found = self._document.get(part, [])
        return f"#{found.index(item)}" if item in found else None

    def find(self, key_path: Sequence[str]) -> tuple[int, int]:
        """Return the number of leading steps of a path that are in this file, and the line of the last of them."""
        for length in range(len(key_path), 0, -1):
            line = self._lines.get(tuple(key_path[:length]))
            if line is not None:
                return length, line
        return 0, 1


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the first line and the text of each header and of each key with its value, of a valid file."""
    start, line, depth = 0, 1, 0
    text += "\n"
    for token in _TOKEN.finditer(text):
        if token[0] in {"[", "{"}:
            depth += 1
        elif token[0] in {"]", "}"}:
            depth -= 1
        elif token[0] == "\n" and depth == 0:
            statement = text[start : token.end()]
            if statement.strip() and not statement.lstrip().startswith("#"):
                yield line, statement
            start = token.end()
            line += statement.count("\n")


def _item_names(document: dict[str, Any], steps: tuple[str, ...], place: int) -> list[str]:
    items: Any = document
    for step in steps:
        items = items.get(step, {}) if isinstance(items, dict) else {}
    names = names_of(items[place]) if isinstance(items, list) and place < len(items) else []
    if any("{" in name for name in names) and isinstance(document.get("values"), dict):
        names += template_names(items[place], document["values"])
    return [*names, f"#{place}"]


def _key_paths(value: object, key_path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the paths of everything inside a value, itself included."""
    if key_path:
        yield key_path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        step = name if isinstance(name, str) else f"#{name}"
        yield from _key_paths(inner, (*key_path, step))
