"""The editions of the game: one folder each, with `edition.toml` (cards, wording, numbers) and `rules.py`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from server.editions.loader import read_edition
from server.scoring.edition import Edition, EditionError

__all__ = ["Edition", "EditionError", "edition_names", "load_edition"]

_HERE = Path(__file__).parent


def edition_names() -> tuple[str, ...]:
    """Return the slugs of all editions, in alphabetical order."""
    return tuple(sorted(path.parent.name.replace("_", "-") for path in _HERE.glob("*/edition.toml")))


@cache
def load_edition(slug: str, language: str | None = None) -> Edition:
    """Return an edition with its texts in `language`, or in its own language for None.

    EditionError if there is no such edition or language.
    """
    if slug not in edition_names():
        raise EditionError(f"unknown edition '{slug}' (there is {', '.join(edition_names())})")
    return read_edition(_HERE / slug.replace("-", "_"), language)
