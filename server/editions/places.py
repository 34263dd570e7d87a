"""Where in an edition's files something stands that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from server.editions.lines import Lines
from server.editions.registry import FILE
from server.editions.variants import names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from server.editions.source import Source


class Finding(NamedTuple):
    """One mistake: the file, the line in it from 1, and a sentence. A `hint` may be no mistake."""

    file: Path
    line: int
    sentence: str
    hint: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {'hint: ' if self.hint else ''}{self.sentence}"


class Places:
    """Finds the lines of an edition's file, or of a file that it extends where the other says it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        files = [folder / FILE for folder in source.folders]
        self._lines = [(file, Lines(file.read_text(encoding="utf-8"))) for file in files]

    def at(self, way: Sequence[str], sentence: str) -> Finding:
        """Return a finding about a value; of several files the one that says most of it, the edition's own first."""
        steps, line, file = 0, 1, self._source.file
        for path, lines in self._lines:
            length, number = lines.find(self._named(list(way)))
            if length > steps:
                steps, line, file = length, number, path
        return Finding(file, line, " ".join(sentence.split()))

    def of_function(self, function: Callable[..., Any], sentence: str) -> Finding:
        """Return a finding about a function, in the line in which it begins."""
        code = function.__code__
        return Finding(Path(code.co_filename), code.co_firstlineno, " ".join(sentence.split()))

    def _named(self, way: list[str]) -> list[str]:
        """Replace an item's place in the whole document by its name, which holds in each file."""
        items = self._source.document.get(way[0]) if len(way) > 1 else None
        place = way[1].removeprefix("#") if len(way) > 1 else ""
        if not isinstance(items, list) or place == way[1] or int(place) >= len(items):
            return way
        names = names_of(items[int(place)])
        twin = any(names[:1] == names_of(item)[:1] for item in items[: int(place)])
        # Items of one name, and rulings of a variant, are told apart by their places in the one file or not at all.
        return [way[0], names[0], *way[2:]] if names and not twin else way
