"""In which line of a TOML file something stands; the standard reader does not tell."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from server.editions.variants import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(#.*)?$")


def line_of(path: Path, way: Sequence[str]) -> int:
    """Return the line in which something stands in a file that can be read."""
    return Lines(path.read_text(encoding="utf-8")).find(way)[1]


class Lines:
    """The lines of one file, found by the way to a value. Items of lists go by name, and by "#" and place."""

    def __init__(self, text: str) -> None:
        document = tomllib.loads(text)
        self._lines: dict[tuple[str, ...], int] = {}
        counts: dict[str, int] = {}
        prefixes: list[tuple[str, ...]] = [()]
        for line, statement in _statements(text):
            header = _HEADER.match(statement)
            if header:
                steps = tuple(step.strip(" \"'") for step in header[2].split("."))
                if header[1] == "[[":
                    place = counts.get(header[2], 0)
                    counts[header[2]] = place + 1
                    prefixes = [(*steps, name) for name in _item_names(document, steps, place)]
                else:
                    prefixes = [steps]
                self._add(prefixes, (), line)
            else:
                for way in _ways(tomllib.loads(statement)):
                    self._add(prefixes, way, line)

    def _add(self, prefixes: Sequence[tuple[str, ...]], way: tuple[str, ...], line: int) -> None:
        for prefix in prefixes:
            self._lines[(*prefix, *way)] = line

    def find(self, way: Sequence[str]) -> tuple[int, int]:
        """Return how many steps of the way are found in this file, and the line of the last of them."""
        for length in range(len(way), 0, -1):
            line = self._lines.get(tuple(way[:length]))
            if line is not None:
                return length, line
        return 0, 1


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number of its first line and the text of each header and each key with its value."""
    held, first = "", 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not held:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            first = number
            if _HEADER.match(line):
                yield number, line
                continue
        held += line
        try:
            tomllib.loads(held)
        except tomllib.TOMLDecodeError:
            continue  # a value that goes on in the next line
        yield first, held
        held = ""


def _item_names(document: dict[str, Any], steps: tuple[str, ...], place: int) -> list[str]:
    items: Any = document
    for step in steps:
        items = items.get(step, {}) if isinstance(items, dict) else {}
    names = names_of(items[place]) if isinstance(items, list) and place < len(items) else []
    return [*names, f"#{place}"]


def _ways(value: object, way: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the ways to everything inside a value, itself included."""
    if way:
        yield way
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _ways(inner, (*way, name))
