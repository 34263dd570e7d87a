"""The editions of the game: one folder each, with `edition.toml` (cards, wording, numbers) and `rules.py`.

They lie in this package and in a folder of the user's, which `editions_from` or HAGGLE_EDITIONS names.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from server.editions.loader import read_edition
from server.editions.registry import editions_from, folder_of, found
from server.scoring.edition import Edition, EditionError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Edition", "EditionError", "edition_names", "editions_from", "load_edition"]


def edition_names() -> tuple[str, ...]:
    """Return the slugs of all editions, broken ones too, in alphabetical order."""
    return tuple(sorted(found()))


def load_edition(slug: str, language: str | None = None) -> Edition:
    """Return an edition with its texts in `language`, or in its own language for None.

    EditionError if there is no such edition or language, or if its files are broken.
    """
    return _read(folder_of(slug), language)


@cache
def _read(folder: Path, language: str | None) -> Edition:
    return read_edition(folder, language)
