"""What an edition's folder holds, read and not yet checked: its TOML, laid over that which it extends, and rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.editions.lines import line_of
from server.editions.registry import FILE, RULES, folder_of, found, slug_of
from server.editions.rules_file import read_rules
from server.editions.source_code import parsed
from server.editions.toml_file import read_toml
from server.editions.variants import merged, unknown_names, without
from server.scoring.edition import EditionError
from server.scoring.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Source:
    """An edition's document and, from itself on, the folders of the editions that it extends.

    `left_out` are the keys of rules that the folder's edition or one below it leaves out, `absent` its cards and
    categories.
    """

    document: dict[str, Any]
    folders: tuple[Path, ...]
    left_out: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    @property
    def file(self) -> Path:
        """The edition's own TOML."""
        return self.folders[0] / FILE


def read_source(
    folder: Path, above: tuple[Path, ...] = (), keep: Callable[[EditionError], None] | None = None
) -> Source:
    """Return what a folder holds; `above` are the folders of the variants that led here. EditionError in one line.

    With `keep`, mistakes in what the variant leaves out go there, and the rest is read.
    """
    path = folder / FILE
    document = read_toml(path)
    base = document.get("extends")
    if base is None:
        return Source(document, (folder,))

    def refuse(way: tuple[str, ...], sentence: str) -> EditionError:
        return EditionError(f"{path}:{line_of(path, way)}: {'.'.join(way)}: {sentence}")

    if not isinstance(base, str):
        raise refuse(("extends",), 'must be the name of an edition, such as "eurocg-2026"')
    try:
        below = folder_of(base, beside=folder.parent)
    except EditionError as error:
        if base in found(folder.parent):
            raise refuse(("extends",), str(error)) from None
        known = ", ".join(_usable(folder))
        raise refuse(("extends",), f"there is no edition '{base}' (there is {known})") from None
    if below.resolve() in (place.resolve() for place in (folder, *above)):
        raise refuse(("extends",), f"'{base}' extends this edition itself; name another")
    source = read_source(below, (folder, *above))
    for part, name in unknown_names(source.document, document):
        mistake = refuse(("without", part), f"'{base}' has no '{name}'; take it out")
        if keep is None:
            raise mistake
        keep(mistake)
    left_out = source.left_out | without(document, "rules")
    absent = source.absent | without(document, "cards") | without(document, "categories")
    return Source(merged(source.document, document), (folder, *source.folders), left_out, absent)


def read_book(source: Source, keep: Callable[[Path, int, str], None] | None = None) -> tuple[Rulebook, bool]:
    """Return the functions of an edition: its own, above those of the editions that it extends; and if all could run.

    The functions of others for what the variant leaves out are left out too. A variant needs no `rules.py`. For
    `keep`, which gets the file too, see `read_rules`.
    """
    own, *others = source.folders
    whole = True

    def read(folder: Path) -> Rulebook:
        nonlocal whole
        path = folder / RULES
        book, complete = read_rules(path, None if keep is None else lambda line, what: keep(path, line, what))
        whole = whole and complete
        return book

    if not others:
        return read(own), whole
    below = Rulebook()
    for folder in reversed(others):
        if (folder / RULES).exists() or folder is others[-1]:
            _lay_over(below, read(folder))
    keys = {key for part in source.document.get("rules", []) for key in (part.get("key"), *part.get("keys", []))}
    book = Rulebook()
    book.rules = {key: code for key, code in below.rules.items() if key in keys}
    book.families = {n: c for n, c in below.families.items() if n in _names(source, "families")}
    book.ties = {n: key for n, key in below.ties.items() if n in _names(source, "ties")}
    if (own / RULES).exists():
        _lay_over(book, read(own))
    return book, whole


def _usable(folder: Path) -> list[str]:
    """Return the editions that one in this folder may extend: those that can be read, other than itself."""
    return [
        slug
        for slug, folders in sorted(found(folder.parent).items())
        if len(folders) == 1 and folders[0].resolve() != folder.resolve() and _reads(folders[0])
    ]


def _reads(folder: Path) -> bool:
    """Tell whether both files of an edition can be read; what they say is not looked at."""
    try:
        document = read_toml(folder / FILE)
        if (folder / RULES).exists() or "extends" not in document:
            parsed((folder / RULES).read_bytes())
    except (EditionError, OSError, SyntaxError, ValueError):
        return False
    return document.get("slug") == slug_of(folder)


def _names(source: Source, part: str) -> set[str]:
    return {item.get("name") for item in source.document.get(part, [])}


def _lay_over(book: Rulebook, other: Rulebook) -> None:
    book.rules |= other.rules
    book.families |= other.families
    book.ties |= other.ties
