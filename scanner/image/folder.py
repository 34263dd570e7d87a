"""Lists the image files in a folder in natural order."""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = frozenset({".jpg", ".jpeg", ".jfif", ".png", ".webp", ".heic", ".heif", ".tif", ".tiff", ".pdf"})
"""File name extensions of images."""

_NUMBER = re.compile(r"([0-9]+)")

# Control characters, line separators, and invalid UTF-8 in names, which Python represents as lone surrogates.
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


@dataclass(frozen=True)
class Folder:
    """The pictures in a folder and its subfolders: relative paths with slashes, in natural order.

    `others` is the number of other files; `shut` lists folders that cannot be read, with the reason.
    """

    place: Path
    pictures: tuple[str, ...]
    others: int = 0
    shut: tuple[tuple[str, str], ...] = ()


def pictures_in(folder: Path) -> Folder:
    """Return the pictures of a folder, without hidden files (such as macOS resource forks).

    Links to folders are not followed, to avoid cycles.
    """
    found: list[str] = []
    shut: list[tuple[str, str]] = []
    others = 0

    def note(error: OSError) -> None:
        shut.append((_from(folder, Path(error.filename)), error.strerror or str(error)))

    for place, folders, files in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if Path(name).suffix.lower() in SUFFIXES and not name.startswith("."):
                found.append(_from(folder, Path(place, name)))
            else:
                others += 1
    return Folder(folder, tuple(sorted(found, key=natural)), others, tuple(sorted(shut)))


def printable(name: str) -> str:
    """Return a file name with unprintable characters replaced."""
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(one) in _UNPRINTABLE else one for one in name)


def natural(path: str) -> tuple[object, str]:
    """Return a sort key for natural order: folder by folder, and 9 before 10."""
    return tuple(tuple(map(_piece, filter(None, _NUMBER.split(part)))) for part in path.split("/")), path


def _piece(text: str) -> tuple[int, int, str]:
    # Numbers come before letters, as in the organiser's list.
    return (0, int(text), "") if _NUMBER.fullmatch(text) else (1, 0, text.casefold())


def _from(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()
