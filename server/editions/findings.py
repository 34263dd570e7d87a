"""Finds every mistake in an edition's folder at once, each with its file and line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgen.art import SYMBOLS
from server.editions.checks import mistakes
from server.editions.code_checks import code_mistakes
from server.editions.lines import Lines
from server.editions.loader import build
from server.editions.probe import failures
from server.editions.registry import FILE, found, slug_of
from server.editions.repair import repaired
from server.editions.source import Source, read_book, read_source
from server.editions.variants import names_of
from server.scoring.edition import EditionError
from server.scoring.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.editions.files import EditionFile
    from server.scoring.edition import Edition

_LINE = re.compile(r"\(?at line (\d+)[^)]*\)?|\(line (\d+)\)|, line (\d+)\)")
_PRINTED = frozenset({"rule", "special"})
"""Categories for which the printer has an ink and a symbol."""


class Finding(NamedTuple):
    """One mistake: the file, the line in it from 1, and a sentence."""

    file: Path
    line: int
    sentence: str


def editions_in(folder: Path) -> list[Path]:
    """Return the folder if it is an edition, else the editions in it; EditionError if there is none."""
    if (folder / FILE).exists():
        return [folder]
    inside = sorted(file.parent for file in folder.glob(f"*/{FILE}"))
    if not inside:
        raise EditionError(f"{folder}: there is no {FILE} in it, nor in a folder in it")
    return inside


def findings(folder: Path) -> list[Finding]:
    """Return all mistakes in an edition's folder, in the order of files and lines."""
    folder = folder.absolute()
    try:
        source = read_source(folder)
        places = _Places(source)
    except EditionError as error:
        return [_of_file(folder, str(error))]
    found_here = set(_of_document(folder, source, places))
    file, problems = repaired(source.document)
    found_here |= {places.finding(way, sentence) for way, sentence in problems}
    book, edition = None, None
    try:
        book = read_book(source)
    except EditionError as error:
        found_here.add(_of_file(folder, str(error)))
    if file is not None:
        edition = _built(file, book, source, places, found_here)
    if file is not None and edition is not None and book is not None:
        found_here |= set(_of_code(edition, file, source, places))
    return sorted(found_here, key=lambda finding: (finding.file != source.file, finding))


def _of_document(folder: Path, source: Source, places: _Places) -> Iterator[Finding]:
    """Check what concerns the folder's name."""
    slug = slug_of(folder)
    if source.document.get("slug") != slug:
        yield places.finding(("slug",), f"slug: must be '{slug}', the name of the folder")
    others = [place for place in found(folder.parent).get(slug, []) if place.resolve() != folder.resolve()]
    for other in others:
        yield places.finding(("slug",), f"slug: '{slug}' is taken by the edition in {other}")


def _built(
    file: EditionFile, book: Rulebook | None, source: Source, places: _Places, collected: set[Finding]
) -> Edition:
    """Build the edition in each of its languages, and collect what is wrong; return it in its own language."""

    def keep(place: str, sentence: str, function: Callable[..., Any] | None = None, /) -> None:
        if book is None and "function" in sentence:
            return  # without rules.py there are none, which is said already
        if function is not None:
            code = function.__code__
            collected.add(Finding(places.path(code.co_filename), code.co_firstlineno, f"{place}: {sentence}"))
        else:
            collected.add(places.finding(place.split("."), f"{place}: {sentence}"))

    own = build(file, book or Rulebook(), file.language, keep)
    for language in sorted(file.title.keys() - {file.language}):
        build(file, book or Rulebook(), language, keep)
    for line in mistakes(own, source.left_out):
        place, sentence = line.split(": ", 1)
        keep(place, sentence)
    for place, sentence in _unprintable(own):
        keep(place, sentence)
    return own


def _unprintable(edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield the cards that are dealt one by one, so that the printer makes them, but have no face."""
    for kind in edition.kinds:
        dealt = any(deal.category == kind.category and deal.each for deal in edition.deal)
        if dealt and kind.category not in _PRINTED:
            for what in ("ink", "symbol"):
                if not getattr(kind, what):
                    yield f"cards.{kind.slug}", f"has no {what}, so it cannot be printed"
            if kind.symbol and kind.symbol not in SYMBOLS:
                yield f"cards.{kind.slug}", f"there is no symbol '{kind.symbol}' (there is {', '.join(SYMBOLS)})"


def _of_code(edition: Edition, file: EditionFile, source: Source, places: _Places) -> Iterator[Finding]:
    """Check what the functions do: as they are written, and by running them; each line of Python is told of once."""
    told: set[tuple[str, int]] = set()
    named: set[str] = set()
    for mistake in code_mistakes(edition, file, source.folders[0]):
        if mistake.line is None:
            named.add(".".join(mistake.way))
            yield places.finding(mistake.way, f"{'.'.join(mistake.way)}: {mistake.sentence}")
        else:
            told.add((mistake.file, mistake.line))
            yield Finding(places.path(mistake.file), mistake.line, mistake.sentence)
    categories = {deal.category for deal in edition.deal}
    if any(kind.category not in categories for kind in edition.kinds):
        return  # told already; such cards cannot be laid on a table
    for where, sentence in failures(edition):
        path, _, line = where.rpartition(":")
        if not line.isdigit() and not told and where not in named:
            yield places.finding(where.split("."), f"{where}: {sentence}")
        elif line.isdigit() and (path, int(line)) not in told:
            yield Finding(places.path(path), int(line), sentence)


def _of_file(folder: Path, message: str) -> Finding:
    """Turn an error that ends all reading into a finding: its message names the file, and maybe the line."""
    path, _, sentence = message.partition(": ")
    match = _LINE.search(sentence)
    line = int(next(group for group in match.groups() if group)) if match else 1
    file = folder / FILE
    for name in (FILE, "rules.py"):
        if path.endswith(name):
            file = type(folder)(path)
            if sentence.startswith(("extends", "without")):
                line = Lines(file.read_text(encoding="utf-8")).find(sentence.split(":")[0].split("."))[1]
    return Finding(file, line, " ".join(_LINE.sub("", sentence).split()))


class _Places:
    """Finds the lines of an edition's file, or of a file that it extends where the other says it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        files = [folder / FILE for folder in source.folders]
        self._lines = [(file, Lines(file.read_text(encoding="utf-8"))) for file in files]

    def path(self, name: str) -> Path:
        """Return the path of a file that a function names."""
        return type(self._source.file)(name)

    def finding(self, way: tuple[str, ...] | list[str], sentence: str) -> Finding:
        """Return a finding about a value; of several files the one that says most of it, the edition's own first."""
        steps, line, file = 0, 1, self._source.file
        for path, lines in self._lines:
            length, number = lines.find(self._named(list(way)))
            if length > steps:
                steps, line, file = length, number, path
        return Finding(file, line, " ".join(sentence.split()))

    def _named(self, way: list[str]) -> list[str]:
        """Replace an item's place in the whole document by its name, which holds in each file."""
        items = self._source.document.get(way[0]) if len(way) > 1 else None
        if not isinstance(items, list):
            return way
        place = way[1].removeprefix("#")
        if way[0] == "rulings" or way[1] != place:
            names = names_of(items[int(place)]) if int(place) < len(items) else []
            return [way[0], names[0] if names else f"#{place}", *way[2:]]
        return way
