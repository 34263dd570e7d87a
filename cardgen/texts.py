"""The faces of type, and text that is made to fit."""

from __future__ import annotations

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


class TextError(ValueError):
    """A text cannot be set: it does not fit, or a font lacks one of its characters."""


@dataclass(frozen=True)
class Line:
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


def check_characters(text: str, font: str) -> None:
    """Raise TextError if the font lacks a character of the text, since it would print as a box."""
    use_fonts()
    known = pdfmetrics.getFont(font).face.charToGlyph
    missing = sorted({c for c in text if ord(c) not in known and not c.isspace()})
    if missing:
        raise TextError(f"the font has no character {', '.join(missing)} for: {text}")


def wrap(text: str, font: str, size: float, room: Callable[[float], tuple[float, float]], depth: float) -> list[Line]:
    """Break a text into lines.

    `room` gives the left end and the width, in points, of a line whose baseline is at a given depth; `depth` is
    how far down the last baseline may lie. Raises TextError if the text does not fit.
    """
    lines: list[Line] = []
    words = text.split()
    y = size
    while words:
        if y > depth:
            raise TextError(f"too long for its place at {size} points: {text}")
        x, space = room(y)
        count = 0
        while count < len(words) and width(" ".join(words[: count + 1]), font, size) <= space:
            count += 1
        if count == 0:
            raise TextError(f"the word {words[0]} is too wide at {size} points: {text}")
        lines.append(Line(" ".join(words[:count]), x, y))
        words = words[count:]
        y += size * LEADING
    return lines


def fit(
    text: str, font: str, sizes: Iterable[float], room: Callable[[float], tuple[float, float]], depth: float
) -> tuple[float, list[Line]]:
    """Return the first of the sizes, in points, at which a text fits, and its lines; TextError if none does."""
    check_characters(text, font)
    problem = TextError(f"no size to try for: {text}")
    for size in sizes:
        try:
            return size, wrap(text, font, size, room, depth)
        except TextError as error:
            problem = error
    raise problem
