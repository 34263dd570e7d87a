"""Fonts, and setting text in lines that fit."""

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
"""Depth of letters below their baseline as a multiple of the size."""

_SHOWN = 60
"""Characters of a text that an error message shows."""

# Not the no-break spaces that French sets before a colon.
_BREAKS = " \t\r\n"


class TextError(ValueError):
    """A text cannot be set: it does not fit, or a font lacks one of its characters.

    For programs, `why` is the cause in a word, with its `numbers`.
    """

    def __init__(self, message: str, why: str = "words", **numbers: float) -> None:
        super().__init__(message)
        self.why, self.numbers = why, numbers


class RoomError(TextError):
    """A text does not fit into its place."""


@dataclass(frozen=True)
class TextLine:
    """One line of set text: its left end and baseline in points from the region's top left, y downwards."""

    text: str
    x: float
    y: float


@cache
def use_fonts() -> None:
    """Register the fonts with the PDF library, once."""
    for name, file in _FILES.items():
        pdfmetrics.registerFont(TTFont(name, file))


def width(text: str, font: str, size: float) -> float:
    """Return the width of a text in points."""
    use_fonts()
    return float(pdfmetrics.stringWidth(text, font, size))


def fitting_size(text: str, font: str, most: float, room: float, spacing: float = 0.0) -> float:
    """Return the largest size in points, at most `most`, at which a line with extra `spacing` fits into `room`."""
    natural = width(text, font, most)
    free = room - spacing * max(len(text) - 1, 0)
    return most if natural <= free else most * max(free, 0.0) / natural


def shortened(text: str, font: str, size: float, room: float) -> str:
    """Return a text that fits into `room` points, if need be its beginning with an ellipsis."""
    for length in range(len(text), 0, -1):
        short = text if length == len(text) else f"{text[:length].rstrip()}…"
        if width(short, font, size) <= room:
            return short
    return ""


def check_characters(text: str, font: str) -> None:
    """Raise TextError if the font lacks a character of the text, since it would print as a box."""
    use_fonts()
    known = pdfmetrics.getFont(font).face.charToGlyph
    missing = sorted({c for c in text if ord(c) not in known and c not in _BREAKS})
    if missing:
        raise TextError(f"the font has no character {', '.join(missing)} for: {_start(text)}")


def words(text: str) -> list[str]:
    """Return the parts of a text that are not broken."""
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

    `room` returns the left end and the width, in points, of a line whose baseline is at a given depth. `depth` is the
    greatest depth of the last baseline, `start` the top of the first line. Raises RoomError if the text does not fit.
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
    """Return the first of the sizes, in points, at which a text fits, and its lines; TextError if there is none."""
    check_characters(text, font)
    problem = RoomError(f"no size to try for: {_start(text)}")
    for size in sizes:
        try:
            return size, wrap(text, font, size, room, depth)
        except RoomError as error:
            problem = error
    raise problem


def _start(text: str) -> str:
    """Return the start of a text for an error message."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()}…"
