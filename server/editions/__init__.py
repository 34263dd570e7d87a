"""The editions of the game: a folder each, with `edition.toml` (cards, wording, rules) and maybe `rules.py`.

Editions are found in this package and in the user's folder, which `editions_from` or HAGGLE_EDITIONS names.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from server.editions.loader import read_edition
from server.editions.registry import FILE, RULES, edition_folders, editions_from, folder_of, is_uploaded
from server.editions.source import read_toml
from server.editions.symbols import symbol_files
from server.scoring.edition import Edition
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Edition", "EditionError", "edition_names", "editions_from", "load_edition"]


def edition_names() -> tuple[str, ...]:
    """Return the slugs of all editions, broken ones included, in alphabetical order."""
    return tuple(sorted(edition_folders()))


def load_edition(slug: str, language: str | None = None) -> Edition:
    """Return an edition with its texts in `language`, by default in its own.

    EditionError if there is no such edition or language, or if its files are broken. An uploaded edition needs to be
    installed before (`server.editions.uploads`).
    """
    folder = folder_of(slug)
    return _read(folder, language, _stamp(folder))


@lru_cache(maxsize=64)
def _read(folder: Path, language: str | None, _stamp: tuple[int, ...]) -> Edition:
    edition = read_edition(folder, language)
    # Games name the content of an uploaded edition, not only its slug.
    return replace(edition, slug=folder.name) if is_uploaded(folder.name) else edition


def _stamp(folder: Path, above: tuple[Path, ...] = ()) -> tuple[int, ...]:
    """Return the modification times of the files of an edition and of those that it extends.

    So changes by an author take effect while the program runs. `above` are the folders of the variants that led here.
    """
    files = [folder / FILE, folder / RULES, *symbol_files([folder]).values()]
    written = tuple(file.stat().st_mtime_ns for file in files if file.exists())
    if folder in above:
        return written
    try:
        base = _extended(files[0], written)
        return written if base is None else (*written, *_stamp(folder_of(base, folder.parent), (folder, *above)))
    except EditionError:  # raised again when the edition is read
        return written


@cache
def _extended(file: Path, _written: tuple[int, ...]) -> str | None:
    """Return the name of the edition that a file extends."""
    base = read_toml(file).get("extends")
    return base if isinstance(base, str) else None
