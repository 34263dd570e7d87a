"""The calibration page: what a printer does to lengths, places, codes, greys and colours, and what to set against it.

Lengths in millimetres from the page's lower left corner. Where backs have a page of their own, so has this one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm

from cardgen import gauges, texts
from cardgen.faces import CREAM, GOLD, INK
from cardgen.layout import grid
from cardgen.paper import new_canvas
from cardgen.wordings import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.layout import Grid
    from cardgen.setup import Setup
    from cardgen.wordings import CalibrationWords, Task

CORNER = 20
"""How far the two rulers lie from the paper's left and lower edge."""
LONG, SHORT = 200, 150
"""Lengths of the rulers along the longer and the shorter side of the paper."""
MOST_INKS = 12
_EDGE, _BAND = 10.0, 13.0
_LEFT, _WIDE, _SPACE = 32.0, 168.0, 8.0
"""Where words and patches begin, free of the upright ruler; what the ladder and the patches take; between columns."""
_TASKS = 32.0
"""The height that the first two tasks take side by side."""
_HEAD, _BODY = 13.0, 9.0


def write_calibration(
    out: BinaryIO,
    setup: Setup,
    card: Geometry,
    inks: Sequence[str] = (),
    words: CalibrationWords = ENGLISH.calibration,
    *,
    only: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> int:
    """Write the page, or two where backs have a page of their own; return their number. PaperError as for sheets.

    They lie on the paper as the sheets of the setup do, with its shift and scale. `inks` ("#RRGGBB") are shown beside
    those of the house. `only` writes this page alone; `tell` hears of each page that is done, and their number.
    """
    layout = grid(setup, card)
    page = _Page(new_canvas(out, layout.paper, words.title, words.language, setup.turning), layout, setup, words)
    for number in range(1, layout.sides + 1) if only is None else [only]:
        across, up, right, rise = setup.drift(layout.paper, back=number > 1)
        page.canvas.transform(across, 0, 0, up, right * mm, rise * mm)
        if number == 1:
            page.front(inks)
        else:
            page.back()
        page.canvas.showPage()
        if tell:
            tell(number, layout.sides)
    page.canvas.save()
    return layout.sides


@dataclass(frozen=True)
class _Page:
    canvas: Canvas
    layout: Grid
    setup: Setup
    words: CalibrationWords

    @property
    def landscape(self) -> bool:
        return self.layout.paper.width > self.layout.paper.height

    @property
    def top(self) -> float:
        """Where words begin under the band."""
        return self.layout.paper.height - _EDGE - _BAND - 8.0

    @property
    def aside(self) -> tuple[float, float]:
        """The left end and the width of the second column."""
        if self.landscape:
            return _LEFT + _WIDE + _SPACE, self.layout.paper.width - _EDGE - _LEFT - _WIDE - _SPACE
        return _LEFT + (_WIDE + _SPACE) / 2, (_WIDE - _SPACE) / 2

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the grid on the front."""
        x, width = self.aside
        if self.landscape:
            return x + width / 2 + 2.0, CORNER + _SPACE + gauges.GRID_SIDE / 2
        return _LEFT + gauges.GRID_SIDE / 2 + 2.0, self.top - _TASKS - gauges.GRID_SIDE / 2

    def front(self, inks: Sequence[str]) -> None:
        """Draw rulers, the grid for the cross of the back, codes and patches, and what to do about each."""
        words, (aside, room), top = self.words, self.aside, self.top
        across, up = (LONG, SHORT) if self.landscape else (SHORT, LONG)
        self._band(words.front)
        gauges.draw_ruler(self.canvas, CORNER, CORNER, across, upright=False)
        gauges.draw_ruler(self.canvas, CORNER, CORNER, up, upright=True)
        low = self._said(aside if self.landscape else _LEFT, top, room, words.scale, across=across, up=up)
        low = self._said(aside, low - 5.0 if self.landscape else top, room, words.shift, corner=CORNER)
        if self.layout.sides > 1:
            turn = self.layout.turn
            gauges.draw_grid(self.canvas, *self.middle, flip_x=turn == "up", flip_y=turn == "across")
            if self.landscape:
                self._said(aside, low - 5.0, room, words.backs)
            else:
                self._said(aside - room / 2, self.middle[1] + gauges.REACH + 2.0, room * 1.5, words.backs)
        if not self.landscape:
            top -= _TASKS + (gauges.GRID_SIDE + 10.0 if self.layout.sides > 1 else 0.0)
        self._patches(top, inks)

    def back(self) -> None:
        """Draw the cross that is seen through the paper on the grid of the front."""
        self._band(self.words.back)
        x, y = self.middle
        axis = self.layout.axis or 0.0
        x, y = (2 * axis - x, y) if self.layout.turn == "across" else (x, 2 * axis - y)
        gauges.draw_cross(self.canvas, x, y)
        self.canvas.setFillColor(INK)
        self.canvas.setFont(texts.TEXT, _BODY)
        half = texts.width(_typeset(self.words.cross), texts.TEXT, _BODY) / 2 / mm
        middle = min(max(x, half + _EDGE), self.layout.paper.width - _EDGE - half)
        self.canvas.drawCentredString(middle * mm, (y - gauges.GRID_SIDE / 2 - 2.0) * mm, _typeset(self.words.cross))

    def _patches(self, top: float, inks: Sequence[str]) -> None:
        """Draw the ladder, greys and colours under each other, and the settings of this print below them."""
        words, canvas, air = self.words, self.canvas, 3.5 if self.landscape else 9.0
        low = self._said(_LEFT, top, _WIDE, words.codes) - 3.0
        gauges.draw_ladder(canvas, _LEFT, low, _WIDE, words.point)
        low = self._said(_LEFT, low - gauges.LADDER_HEIGHT - air, _WIDE, words.greys) - 2.5
        gauges.draw_greys(canvas, _LEFT, low, _WIDE)
        low = self._said(_LEFT, low - gauges.PATCH_HEIGHT - air, _WIDE, words.colours) - 2.5
        house = [f"#{colour.hexval()[2:]}" for colour in (INK, GOLD, CREAM)]
        shown = list(dict.fromkeys(ink.lower() for ink in (*house, *inks)))[:MOST_INKS]
        gauges.draw_colours(canvas, _LEFT, low, _WIDE, shown)
        percent = tuple(100 * way for way in self.setup.scale)
        pairs = {"scale": percent, "shift": self.setup.shift, "backs": self.setup.back_shift}
        set_to = {name: f"{x:g} / {y:g}".replace(".", words.point) for name, (x, y) in pairs.items()}
        canvas.setFillColor(INK)
        canvas.setFont(texts.STRONG, _BODY)
        said = _typeset(words.set.format(**set_to))
        canvas.drawString(_LEFT * mm, (low - gauges.PATCH_HEIGHT - air - 1.5) * mm, said)

    def _band(self, side: str) -> None:
        paper = self.layout.paper
        box = (_EDGE, paper.height - _EDGE - _BAND, paper.width - _EDGE, paper.height - _EDGE)
        gauges.draw_band(self.canvas, box, self.words.title, side)

    def _said(self, x: float, top: float, width: float, task: Task, **lengths: int) -> float:
        """Write what to do from a height downwards; return where it ends."""
        self.canvas.setFillColor(GOLD)
        self.canvas.setFont(texts.DISPLAY, _HEAD)
        self.canvas.drawString(x * mm, top * mm - 0.72 * _HEAD, _typeset(task.heading))
        self.canvas.setFillColor(INK)
        self.canvas.setFont(texts.TEXT, _BODY)
        text = _typeset(task.text.format(**lengths))
        low = top * mm - _HEAD - 1.2
        for line in texts.wrap(text, texts.TEXT, _BODY, lambda _: (0, width * mm), 60 * mm):
            self.canvas.drawString(x * mm, low - line.y, line.text)
            end = low - line.y
        return float(end / mm) - 0.8


def _typeset(text: str) -> str:
    """Return a text with real apostrophes."""
    return text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
