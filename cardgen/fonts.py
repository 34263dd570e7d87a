"""The faces of type, and text that is made to fit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import font_source_sans_pro
import font_source_serif_pro
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TEXT, STRONG, ITALIC, DISPLAY = "Haggle-Text", "Haggle-Strong", "Haggle-Italic", "Haggle-Display"
_FILES = {
    TEXT: font_source_sans_pro.font_files_ttf["SourceSansPro"],
    STRONG: font_source_sans_pro.font_files_ttf["SourceSansProBold"],
    ITALIC: font_source_sans_pro.font_files_ttf["SourceSansProIt"],
    DISPLAY: font_source_serif_pro.font_files_ttf["SourceSerifProBlack"],
}
LEADING = 1.19
"""Distance of lines as a multiple of the size."""
DESCENT = 0.25
"""How far letters reach below their line as a multiple of the size; upwards no farther than the size itself."""

# Characters of a text that an error shows.
_SHOWN = 60

# Where lines may be broken: not at the fixed spaces that French sets before a colon.
_BREAKS = " \t\r\n"


class TextError(ValueError):
    """A text cannot be set: it does not fit, or a font lacks one of its characters.

    For programs, `why` names the cause in a word, and `numbers` are those that belong to it.
    """

    def __init__(self, message: str, why: str = "words", **numbers: float) -> None:
        super().__init__(message)
        self.why, self.numbers = why, numbers


class RoomError(TextError):
    """A text has no room in its place."""


@dataclass(frozen=True)
class TextLine:
    """One line of set text: its left end and baseline in points from the region's top left, y downwards."""

    text: str
    x: float
    y: float


@cache
def use_fonts() -> None:
    """Make the fonts known to the PDF library, once."""
    for name, file in _FILES.items():
        pdfmetrics.registerFont(TTFont(name, file))


def width(text: str, font: str, size: float) -> float:
    """Return the width of a text in points."""
    use_fonts()
    return float(pdfmetrics.stringWidth(text, font, size))


def fitting_size(text: str, font: str, most: float, room: float, spacing: float = 0.0) -> float:
    """Return the size in points, at most `most`, in which a line with wider spacing is no wider than `room`."""
    natural = width(text, font, most)
    free = room - spacing * max(len(text) - 1, 0)
    return most if natural <= free else most * max(free, 0.0) / natural


def check_characters(text: str, font: str) -> None:
    """Raise TextError if the font lacks a character of the text, since it would print as a box."""
    use_fonts()
    known = pdfmetrics.getFont(font).face.charToGlyph
    missing = sorted({c for c in text if ord(c) not in known and c not in _BREAKS})
    if missing:
        raise TextError(f"the font has no character {', '.join(missing)} for: {_start(text)}")


def words(text: str) -> list[str]:
    """Return the parts of a text that stay in one line."""
    return [word for word in re.split(f"[{_BREAKS}]+", text) if word]


def wrap(
    text: str,
    font: str,
    size: float,
    room: Callable[[float], tuple[float, float]],
    depth: float,
    *,
    start: float = 0,
) -> list[TextLine]:
    """Break a text into lines.

    `room` gives the left end and the width, in points, of a line whose baseline is at a given depth; `depth` is
    how far down the last baseline may lie, `start` where the first line begins. Raises RoomError if the text does not
    fit.
    """
    lines: list[TextLine] = []
    left = words(text)
    y = start + size
    while left:
        if y > depth:
            raise RoomError(f"too long for its place at {size:g} points: {_start(text)}")
        x, space = room(y)
        count = 0
        while count < len(left) and width(" ".join(left[: count + 1]), font, size) <= space:
            count += 1
        if count == 0:
            raise RoomError(f"the word {left[0]} is too wide at {size:g} points: {_start(text)}")
        lines.append(TextLine(" ".join(left[:count]), x, y))
        left = left[count:]
        y += size * LEADING
    return lines


def fit(
    text: str, font: str, sizes: Iterable[float], room: Callable[[float], tuple[float, float]], depth: float
) -> tuple[float, list[TextLine]]:
    """Return the first of the sizes, in points, at which a text fits, and its lines; TextError if none does."""
    check_characters(text, font)
    problem = RoomError(f"no size to try for: {_start(text)}")
    for size in sizes:
        try:
            return size, wrap(text, font, size, room, depth)
        except RoomError as error:
            problem = error
    raise problem


def _start(text: str) -> str:
    """Return enough of a text to find it again."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()}…"
