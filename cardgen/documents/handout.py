"""The hand-out: the public rules of play on one page, for every player."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm

from cardgen import fonts
from cardgen.faces.face import CREAM, GOLD, INK, WHITE
from cardgen.pages.paper import new_canvas

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.pages.paper import Paper, Progress
    from cardgen.strings import HandoutWords

_MARGIN, _BAND, _GUTTER = 16 * mm, 34 * mm, 9 * mm
_FOOT = 30 * mm
"""Height of the lines that the hosts fill in."""
_LARGEST, _SMALLEST = 13.0, 8.5
_HEAD = 1.32
"""Size of a heading as a multiple of the text size."""


@dataclass(frozen=True)
class HandoutSection:
    """A heading and its paragraphs. A paragraph that begins with a bullet is an item of a list."""

    heading: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Handout:
    """The hand-out of an edition in one language. Without a `deadline`, there is a line to write it on."""

    title: str
    summary: str
    sections: tuple[HandoutSection, ...]
    deadline: str = ""


@dataclass(frozen=True)
class _Set:
    """A line of text with its place: `y` is the depth of its baseline in the column, in points."""

    text: str
    font: str
    size: float
    indent: float
    y: float


def write_handout(
    out: BinaryIO,
    handout: Handout,
    paper: Paper,
    words: HandoutWords,
    *,
    language: str,
    progress: Progress | None = None,
) -> int:
    """Write the page; return 1. TextError if the text does not fit a page at a legible size.

    `language` is that of the hand-out, in which there may be no `words`. The text is set in two columns, as large as it
    fits; sections are not split.
    """
    canvas = new_canvas(out, paper, words.title.format(title=handout.title), language)
    width, height = paper.width * mm, paper.height * mm
    column = (width - 2 * _MARGIN - _GUTTER) / 2
    lead_size = 11.5
    lead = fonts.wrap(handout.summary, fonts.TEXT, lead_size, lambda _: (0, width - 2 * _MARGIN), 40 * mm)
    top = height - _BAND - 8 * mm - lead[-1].y - 5 * mm
    columns = _fitted(handout, column, top - _FOOT - 12 * mm)
    _draw_band(canvas, handout.title, words.over, width, height)
    canvas.setFillColor(INK)
    canvas.setFont(fonts.TEXT, lead_size)
    for line in lead:
        canvas.drawString(_MARGIN, height - _BAND - 8 * mm - line.y + 0.6 * mm, line.text)
    for index, lines in enumerate(columns):
        x = _MARGIN + index * (column + _GUTTER)
        for one in lines:
            canvas.setFillColor(INK)
            canvas.setFont(one.font, one.size)
            canvas.drawString(x + one.indent, top - one.y, one.text)
    canvas.setStrokeColor(GOLD)
    canvas.setLineWidth(0.6)
    canvas.line(width / 2, top, width / 2, _FOOT + 12 * mm)
    _draw_foot(canvas, words, handout.deadline, width)
    canvas.showPage()
    canvas.save()
    if progress:
        progress(1, 1)
    return 1


def _fitted(handout: Handout, width: float, depth: float) -> list[list[_Set]]:
    """Return the lines of both columns, balanced, at the largest size at which all sections fit."""
    for section in handout.sections:
        fonts.check_characters(section.heading, fonts.DISPLAY)
        for paragraph in section.paragraphs:
            fonts.check_characters(paragraph, fonts.TEXT)
    for step in range(int((_LARGEST - _SMALLEST) * 4) + 1):
        size = _LARGEST - step / 4
        blocks = [_block(section, size, width) for section in handout.sections]
        gap = 0.9 * size
        parts = [(blocks[:first], blocks[first:]) for first in range(len(blocks) + 1)]
        columns = min(parts, key=lambda halves: max(_height(half, gap) for half in halves))
        if max(_height(half, gap) for half in columns) <= depth:
            return [_stacked(half, gap) for half in columns]
    raise fonts.TextError(f"the hand-out of {handout.title} does not fit one page: shorten its sections")


def _height(blocks: list[tuple[list[_Set], float]], gap: float) -> float:
    return sum(high for _, high in blocks) + gap * max(0, len(blocks) - 1)


def _block(section: HandoutSection, size: float, width: float) -> tuple[list[_Set], float]:
    """Return the lines of a section with depths from its top, and its height."""
    head = size * _HEAD
    lines: list[_Set] = []
    y = 0.0
    for line in fonts.wrap(section.heading, fonts.DISPLAY, head, partial(_room, width), 1e4):
        lines.append(_Set(line.text, fonts.DISPLAY, head, 0, line.y))
        y = line.y
    y += 0.35 * size
    for paragraph in section.paragraphs:
        item = paragraph.startswith("•")
        if lines[-1].indent and not item:
            y += 0.3 * size
        indent = size if item else 0.0
        text = paragraph.removeprefix("•").strip()
        if item:
            lines.append(_Set("•", fonts.STRONG, size, 0.15 * size, y + size))
        wrapped = fonts.wrap(text, fonts.TEXT, size, partial(_room, width - indent), 1e4)
        lines += [_Set(line.text, fonts.TEXT, size, indent, y + line.y) for line in wrapped]
        y = lines[-1].y + (0.2 if item else 0.45) * size
    return lines, y


def _room(width: float, _depth: float) -> tuple[float, float]:
    return 0, width


def _stacked(blocks: list[tuple[list[_Set], float]], gap: float) -> list[_Set]:
    lines: list[_Set] = []
    y = 0.0
    for block, high in blocks:
        lines += [_Set(one.text, one.font, one.size, one.indent, y + one.y) for one in block]
        y += high + gap
    return lines


def _draw_band(canvas: Canvas, title: str, over: str, width: float, height: float) -> None:
    canvas.setFillColor(INK)
    canvas.rect(0, height - _BAND, width, _BAND, stroke=0, fill=1)
    canvas.setFillColor(GOLD)
    canvas.rect(0, height - _BAND - 1.1 * mm, width, 1.1 * mm, stroke=0, fill=1)
    canvas.setFillColor(WHITE)
    size = 40.0
    canvas.setFont(fonts.DISPLAY, size)
    canvas.drawString(_MARGIN, height - 22 * mm, "Haggle")
    left = _MARGIN + fonts.width("Haggle", fonts.DISPLAY, size) + 8 * mm
    room = width - _MARGIN - left
    for text, font, largest, y in ((title, fonts.STRONG, 15.0, 16.5), (over, fonts.TEXT, 12.0, 22.0)):
        canvas.setFont(font, min(largest, largest * room / fonts.width(text, font, largest)))
        canvas.drawRightString(width - _MARGIN, height - y * mm, text)


def _draw_foot(canvas: Canvas, words: HandoutWords, deadline: str, width: float) -> None:
    """Draw the deadline, and lines that the hosts fill in by hand."""
    canvas.setFillColor(CREAM)
    canvas.setStrokeColor(GOLD)
    canvas.setLineWidth(0.8)
    canvas.roundRect(_MARGIN, 14 * mm, width - 2 * _MARGIN, _FOOT - 8 * mm, 2.4 * mm, fill=1)
    room = (width - 2 * _MARGIN) / 3
    for index, (word, known) in enumerate(((words.deadline, deadline), (words.place, ""), (words.host, ""))):
        x = _MARGIN + index * room + 5 * mm
        canvas.setFillColor(INK)
        canvas.setFont(fonts.STRONG, 9)
        canvas.drawString(x, 14 * mm + _FOOT - 8 * mm - 6 * mm, word)
        if known:
            canvas.setFont(fonts.TEXT, 12)
            canvas.drawString(x, 14 * mm + 5 * mm, known)
            continue
        canvas.setStrokeColor(INK)
        canvas.setLineWidth(0.5)
        canvas.line(x, 14 * mm + 5 * mm, x + room - 10 * mm, 14 * mm + 5 * mm)
