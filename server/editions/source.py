"""What an edition's folder holds, read and not yet checked: its TOML, laid over that which it extends, and rules."""

from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any

from server.editions.registry import FILE, RULES, folder_of
from server.editions.variants import merged, unknown_names, without
from server.scoring.edition import EditionError
from server.scoring.failures import place_in
from server.scoring.rulebook import Rulebook

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Source:
    """An edition's document and, from itself on, the folders of the editions that it extends.

    `left_out` are the keys of rules that the folder's edition or one below it leaves out.
    """

    document: dict[str, Any]
    folders: tuple[Path, ...]
    left_out: frozenset[str] = frozenset()

    @property
    def file(self) -> Path:
        """The edition's own TOML."""
        return self.folders[0] / FILE


def read_source(folder: Path, above: tuple[Path, ...] = ()) -> Source:
    """Return what a folder holds; `above` are the folders of the variants that led here. EditionError in one line."""
    path = folder / FILE
    document = read_toml(path)
    base = document.get("extends")
    if base is None:
        return Source(document, (folder,))
    if not isinstance(base, str):
        raise EditionError(f"{path}: extends: should be the name of an edition")
    try:
        below = folder_of(base, beside=folder.parent)
    except EditionError as error:
        raise EditionError(f"{path}: extends: {error}") from None
    if below.resolve() in (place.resolve() for place in (folder, *above)):
        raise EditionError(f"{path}: extends: '{base}' extends this edition itself")
    source = read_source(below, (folder, *above))
    for part, name in unknown_names(source.document, document):
        raise EditionError(f"{path}: without.{part}: '{base}' has no '{name}'")
    left_out = source.left_out | without(document, "rules")
    return Source(merged(source.document, document), (folder, *source.folders), left_out)


def read_toml(path: Path) -> dict[str, Any]:
    """Return a TOML file as data; numbers with decimals are exact."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Fraction)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EditionError(f"{path}: {error}") from error


def read_book(source: Source) -> Rulebook:
    """Return the functions of an edition: its own, above those of the editions that it extends.

    The functions of others for what the variant leaves out are left out too. A variant needs no `rules.py`.
    """
    own, *others = source.folders
    if not others:
        return read_rules(own / RULES)
    below = Rulebook()
    for folder in reversed(others):
        if (folder / RULES).exists() or folder is others[-1]:
            _lay_over(below, read_rules(folder / RULES))
    keys = {key for part in source.document.get("rules", []) for key in (part.get("key"), *part.get("keys", []))}
    book = Rulebook()
    book.rules = {key: code for key, code in below.rules.items() if key in keys}
    book.families = {n: c for n, c in below.families.items() if n in _names(source, "families")}
    book.ties = {n: key for n, key in below.ties.items() if n in _names(source, "ties")}
    if (own / RULES).exists():
        _lay_over(book, read_rules(own / RULES))
    return book


def _names(source: Source, part: str) -> set[str]:
    return {item.get("name") for item in source.document.get(part, [])}


def _lay_over(book: Rulebook, other: Rulebook) -> None:
    book.rules |= other.rules
    book.families |= other.families
    book.ties |= other.ties


def read_rules(path: Path) -> Rulebook:
    """Run an edition's `rules.py` by its path, so that a folder anywhere can hold an edition."""
    spec = spec_from_file_location(f"haggle_edition_{path.parent.name}", path)
    if spec is None or spec.loader is None:
        raise EditionError(f"{path}: not a Python file")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses in the file look themselves up there
    try:
        spec.loader.exec_module(module)
    except EditionError as error:
        raise EditionError(f"{path}: {error}{_line(path, error)}") from error
    except (Exception, SystemExit) as error:  # an author's file can fail in any way
        raise EditionError(f"{path}: cannot be run: {type(error).__name__}: {error}{_line(path, error)}") from error
    book = getattr(module, "book", None)
    if not isinstance(book, Rulebook):
        raise EditionError(f"{path}: defines no 'book = Rulebook()'")
    return book


def _line(path: Path, error: Exception | SystemExit) -> str:
    """Say in which line of the file something failed; a syntax error says it itself."""
    line = None if isinstance(error, SyntaxError) else place_in(str(path), error.__traceback__)
    return f" (line {line})" if line else ""
