"""Paragraphs of several sizes and fonts, set as large as they fit on a card."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgen import fonts
from cardgen.fonts import DESCENT, LEADING, RoomError, TextLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from reportlab.pdfgen.canvas import Canvas

LARGEST, SMALLEST = 9.75, 6.0
"""Sizes of body text in points; smaller ones are hard to read at arm's length."""

_GOOD = 8.75
"""From this size on, larger text is no better to read."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph in one font. Its size is `grade` times the body size, within `least` and `most` points.

    `before` is the space above it as a multiple of the body size; `ruled` draws a line there.
    """

    text: str
    font: str
    grade: float = 1.0
    least: float = 0.0
    most: float = LARGEST
    before: float = 0.0
    ruled: bool = False

    def size(self, body: float) -> float:
        """Return the size in points at a body size."""
        return min(max(self.grade * body, self.least), self.most)


@dataclass(frozen=True)
class TextBox:
    """The area for text: (`left`, `top`) is the corner, in points, with y upwards.

    Lines above the depth `turn` have the width `full`, those below it `narrow`. No line is below `depth`.
    """

    left: float
    top: float
    full: float
    narrow: float
    turn: float
    depth: float

    def at(self, size: float) -> Callable[[float], tuple[float, float]]:
        """Return a function from the depth of a line's baseline to its left end and width."""
        return lambda y: (0, self.full if y + DESCENT * size <= self.turn else self.narrow)


@dataclass(frozen=True)
class SetParagraph:
    """A paragraph broken into lines. `rule` is the depth of the line above it, if any."""

    font: str
    size: float
    lines: tuple[TextLine, ...]
    rule: float | None

    @property
    def end(self) -> float:
        """Depth of the bottom of the last line."""
        return self.lines[-1].y + DESCENT * self.size


def set_paragraphs(paragraphs: Sequence[Paragraph], room: TextBox) -> list[SetParagraph]:
    """Return paragraphs in the largest size at which they fit; RoomError if they do not fit at the smallest."""
    problem = RoomError("nothing to set")
    # Slightly smaller text above the turn looks better than a few short lines beside the code.
    above = replace(room, depth=room.turn)
    for body, place in [*((body, above) for body in _sizes(_GOOD)), *((body, room) for body in _sizes(SMALLEST))]:
        try:
            return _set_at(body, paragraphs, place)
        except RoomError as error:
            problem = error
    raise problem


def draw_paragraphs(canvas: Canvas, paragraphs: Iterable[SetParagraph], room: TextBox) -> None:
    """Draw paragraphs in the canvas's colours; lines between them are as wide as the text below."""
    for paragraph in paragraphs:
        if paragraph.rule is not None:
            _, width = room.at(0)(paragraph.rule + paragraph.size)
            y = room.top - paragraph.rule
            canvas.line(room.left, y, room.left + width, y)
        canvas.setFont(paragraph.font, paragraph.size)
        for line in paragraph.lines:
            canvas.drawString(room.left + line.x, room.top - line.y, line.text)


def _sizes(least: float) -> list[float]:
    return [LARGEST - step / 4 for step in range(int((LARGEST - least) * 4) + 1)]


def _set_at(body: float, paragraphs: Sequence[Paragraph], room: TextBox) -> list[SetParagraph]:
    done: list[SetParagraph] = []
    depth = 0.0
    for paragraph in paragraphs:
        size = paragraph.size(body)
        white = paragraph.before * body if done else 0.0
        # The first line of a paragraph has no extra leading above it.
        start = depth + white - (LEADING - 1) * size / 2
        lines = fonts.wrap(
            paragraph.text, paragraph.font, size, room.at(size), room.depth - DESCENT * size, start=max(start, 0)
        )
        if not lines:
            continue
        done.append(SetParagraph(paragraph.font, size, tuple(lines), depth + white / 2 if paragraph.ruled else None))
        depth = done[-1].end
    return done
