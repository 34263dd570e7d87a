"""Finds the pictures in a folder of the user's, in the order in which a person would list them."""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = frozenset({".jpg", ".jpeg", ".jfif", ".png", ".webp", ".heic", ".heif", ".tif", ".tiff", ".pdf"})
"""How the names of files end that are taken for pictures."""

_NUMBER = re.compile(r"([0-9]+)")

# Control characters, ends of lines, and bytes of a name that is no UTF-8, which Python has as lone surrogates.
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


@dataclass(frozen=True)
class Folder:
    """The pictures of a folder and of those in it, by their ways from there, with slashes, in natural order.

    `others` is how many files are no pictures, `shut` names the folders that cannot be looked into, with the reason.
    """

    place: Path
    pictures: tuple[str, ...]
    others: int = 0
    shut: tuple[tuple[str, str], ...] = ()


def pictures_in(folder: Path) -> Folder:
    """Return the pictures of a folder. What is hidden, and what a Mac lays beside each file, is no picture.

    Links to folders are not followed, so that none leads round in a circle.
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
    """Return a name of a file as it may be printed: in one line, and in characters that every program can read."""
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(one) in _UNPRINTABLE else one for one in name)


def natural(path: str) -> tuple[object, str]:
    """Return by what a path is sorted: folder by folder, and numbers by what they count, so that 9 comes before 10."""
    return tuple(tuple(map(_piece, filter(None, _NUMBER.split(part)))) for part in path.split("/")), path


def _piece(text: str) -> tuple[int, int, str]:
    # At equal places numbers come before letters, as in the desk's list.
    return (0, int(text), "") if _NUMBER.fullmatch(text) else (1, 0, text.casefold())


def _from(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()
