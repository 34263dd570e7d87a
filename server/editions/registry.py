"""The search for editions in this package and in the user's folder. Each is a folder with an `edition.toml`."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "HAGGLE_EDITIONS"
"""Environment variable that names the user's folder of editions. Subprocesses inherit it."""
_NAME = f"let --editions, or the variable {VARIABLE}, name"
COPIES = "HAGGLE_EDITION_COPIES"
"""Environment variable that names the folder of copies of uploaded editions (`server.editions.uploads`)."""
FILE = "edition.toml"
RULES = "rules.py"
_UPLOADED = re.compile(r"[a-z][a-z0-9-]{0,59}@[0-9a-f]{32}", re.ASCII)
PACKAGE = Path(__file__).parent


@contextmanager
def editions_from(folder: Path | None) -> Iterator[None]:
    """Also find editions in a folder of the user; None changes nothing."""
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
    """Return the user's folder of editions, if there is one; EditionError if it is not such a folder."""
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        raise EditionError(f"{folder}: there is no such folder; {_NAME} one that holds a folder for each edition")
    if (folder / FILE).exists():
        raise EditionError(f"{folder} is an edition itself; {_NAME} the folder that holds it")
    return folder


def is_uploaded(name: str) -> bool:
    """Return whether a name is that of an uploaded edition, such as `tea@` and 32 hexadecimal digits."""
    return _UPLOADED.fullmatch(name) is not None


def slug_of(folder: Path) -> str:
    """Return the slug of an edition in this folder."""
    return folder.name.replace("_", "-")


def edition_folders(beside: Path | None = None) -> dict[str, list[Path]]:
    """Return the folders of editions by slug, several if slugs collide; also those in the folder `beside`.

    EditionError if the user's folder is wrong; it is ignored if `beside` is given.
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
            if not is_uploaded(file.parent.name):
                folders.setdefault(slug_of(file.parent), []).append(file.parent)
    return folders


def folder_of(slug: str, beside: Path | None = None) -> Path:
    """Return the folder of an edition; EditionError if there is none, or more than one."""
    if is_uploaded(slug):
        folder = Path(os.environ.get(COPIES, "")) / slug
        if not os.environ.get(COPIES) or not (folder / FILE).exists():
            raise EditionError(f"the uploaded edition '{slug}' is not on this server any more")
        return folder
    folders = edition_folders(beside)
    if slug not in folders:
        raise EditionError(f"unknown edition '{slug}' (known: {', '.join(sorted(folders))})")
    if len(folders[slug]) > 1:
        first, second = folders[slug][:2]
        raise EditionError(f"edition '{slug}' exists twice, in {first} and in {second}; rename the second")
    return folders[slug][0]
