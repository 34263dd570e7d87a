"""Where editions are found: in the package, and in a folder of the user's. Each is a folder with `edition.toml`."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "HAGGLE_EDITIONS"
"""Environment variable that names the user's folder of editions; processes that we start inherit it."""
_NAME = f"let --editions, or the variable {VARIABLE}, name"
FILE = "edition.toml"
RULES = "rules.py"
PACKAGE = Path(__file__).parent


@contextmanager
def editions_from(folder: Path | None) -> Iterator[None]:
    """Find editions in a folder of the user's too, besides the package; None leaves things as they are."""
    before = os.environ.get(VARIABLE)
    if folder is not None:
        os.environ[VARIABLE] = str(folder.absolute())
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before


def users_folder() -> Path | None:
    """Return the user's folder of editions, if one is named; EditionError if it cannot hold any."""
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        raise EditionError(f"{folder}: there is no such folder; {_NAME} one that holds a folder for each edition")
    if (folder / FILE).exists():
        raise EditionError(f"{folder} is an edition itself; {_NAME} the folder that holds it")
    return folder


def slug_of(folder: Path) -> str:
    """Return the slug that an edition in this folder must have."""
    return folder.name.replace("_", "-")


def found(beside: Path | None = None) -> dict[str, list[Path]]:
    """Return the folders of editions by slug, several where slugs collide; also those in the folder `beside`.

    EditionError if the user's folder cannot hold any; where `beside` says where to look, such a folder is passed over.
    """
    try:
        users = users_folder()
    except EditionError:
        if beside is None:
            raise
        users = None
    places = dict.fromkeys(place.resolve() for place in (PACKAGE, users, beside) if place is not None)
    folders: dict[str, list[Path]] = {}
    for place in places:
        for file in sorted(place.glob(f"*/{FILE}")):
            folders.setdefault(slug_of(file.parent), []).append(file.parent)
    return folders


def folder_of(slug: str, beside: Path | None = None) -> Path:
    """Return the folder of an edition; EditionError if there is none, or more than one."""
    folders = found(beside)
    if slug not in folders:
        raise EditionError(f"unknown edition '{slug}' (there is {', '.join(sorted(folders))})")
    if len(folders[slug]) > 1:
        first, second = folders[slug][:2]
        raise EditionError(f"edition '{slug}' stands twice, in {first} and in {second}; rename the second")
    return folders[slug][0]
