"""The calibration page, which shows how a printer changes lengths, positions, codes and colours, and how to correct it.

Lengths are in millimetres from the page's lower left corner. If backs have their own pages, there is a second page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import fonts
from cardgen.documents.labels import draw_code
from cardgen.faces.face import CREAM, GOLD, INK, WHITE
from cardgen.pages.layout import grid
from cardgen.pages.paper import new_canvas
from cardgen.strings import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.pages.layout import Grid, PageSetup
    from cardgen.pages.paper import Progress
    from cardgen.strings import CalibrationTask, CalibrationWords


LADDER = (0.35, 0.4, 0.45, 0.5, 0.6, 0.72, 0.84, 0.96, 1.2)
"""Modules of the codes in millimetres, including those of cards."""
LADDER_HEIGHT = 34.5
REACH = 8
"""Distance of the grid's edges from its middle."""
GRID_SIDE = 30.0
"""Width of the grid with its numbers."""
PATCH_HEIGHT = 15.0
_MODULES = 25
"""Side of a code with its quiet zone, in modules."""
_SMALL = 6.5
CORNER = 20
"""Distance of the two rulers from the paper's left and lower edges."""
LONG, SHORT = 200, 150
"""Lengths of the rulers along the longer and the shorter side of the paper."""
MAX_INKS = 12
_EDGE, _BAND = 10.0, 13.0
_LEFT, _WIDE, _SPACE = 32.0, 168.0, 8.0
"""Left end of text and patches; width of the ladder and the patches; distance of columns."""
_TASKS = 32.0
"""Height of the first two tasks, side by side."""
_HEAD, _BODY = 13.0, 9.0


def write_calibration(
    out: BinaryIO,
    setup: PageSetup,
    card: Geometry,
    inks: Sequence[str] = (),
    words: CalibrationWords = ENGLISH.calibration,
    *,
    only: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the page, or two if backs have their own pages; return their number. PaperError as for sheets.

    The setup's shift and scale are applied as for sheets. `inks` ("#RRGGBB") are shown besides those of all cards.
    """
    layout = grid(setup, card)
    page = _Page(new_canvas(out, layout.paper, words.title, words.language, setup.duplex_mode), layout, setup, words)
    for number in range(1, layout.sides + 1) if only is None else [only]:
        across, up, right, rise = setup.transform(layout.paper, back=number > 1)
        page.canvas.transform(across, 0, 0, up, right * mm, rise * mm)
        if number == 1:
            page.front(inks)
        else:
            page.back()
        page.canvas.showPage()
        if progress:
            progress(number, layout.sides)
    page.canvas.save()
    return layout.sides


@dataclass(frozen=True)
class _Page:
    canvas: Canvas
    layout: Grid
    setup: PageSetup
    words: CalibrationWords

    @property
    def landscape(self) -> bool:
        return self.layout.paper.width > self.layout.paper.height

    @property
    def top(self) -> float:
        """Top of the text below the band."""
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
            return x + width / 2 + 2.0, CORNER + _SPACE + GRID_SIDE / 2
        return _LEFT + GRID_SIDE / 2 + 2.0, self.top - _TASKS - GRID_SIDE / 2

    def front(self, inks: Sequence[str]) -> None:
        """Draw rulers, the grid for the cross on the back, codes and patches, with instructions for each."""
        words, (aside, room), top = self.words, self.aside, self.top
        across, up = (LONG, SHORT) if self.landscape else (SHORT, LONG)
        self._band(words.front)
        draw_ruler(self.canvas, CORNER, CORNER, across, upright=False)
        draw_ruler(self.canvas, CORNER, CORNER, up, upright=True)
        low = self._task(aside if self.landscape else _LEFT, top, room, words.scale, across=across, up=up)
        low = self._task(aside, low - 5.0 if self.landscape else top, room, words.shift, corner=CORNER)
        if self.layout.sides > 1:
            turn = self.layout.turn
            draw_grid(self.canvas, *self.middle, flip_x=turn == "up", flip_y=turn == "across")
            if self.landscape:
                self._task(aside, low - 5.0, room, words.backs)
            else:
                self._task(aside - room / 2, self.middle[1] + REACH + 2.0, room * 1.5, words.backs)
        if not self.landscape:
            top -= _TASKS + (GRID_SIDE + 10.0 if self.layout.sides > 1 else 0.0)
        self._patches(top, inks)

    def back(self) -> None:
        """Draw the cross that is visible through the paper on the grid of the front."""
        self._band(self.words.back)
        x, y = self.middle
        axis = self.layout.axis or 0.0
        x, y = (2 * axis - x, y) if self.layout.turn == "across" else (x, 2 * axis - y)
        draw_cross(self.canvas, x, y)
        self.canvas.setFillColor(INK)
        self.canvas.setFont(fonts.TEXT, _BODY)
        half = fonts.width(_typeset(self.words.cross), fonts.TEXT, _BODY) / 2 / mm
        middle = min(max(x, half + _EDGE), self.layout.paper.width - _EDGE - half)
        self.canvas.drawCentredString(middle * mm, (y - GRID_SIDE / 2 - 2.0) * mm, _typeset(self.words.cross))

    def _patches(self, top: float, inks: Sequence[str]) -> None:
        """Draw the ladder, greys and colours below each other, and below them the settings of this print."""
        words, canvas, air = self.words, self.canvas, 3.5 if self.landscape else 9.0
        low = self._task(_LEFT, top, _WIDE, words.codes) - 3.0
        draw_ladder(canvas, _LEFT, low, _WIDE, words.point)
        low = self._task(_LEFT, low - LADDER_HEIGHT - air, _WIDE, words.greys) - 2.5
        greys = [f"{10 * tenths} %" for tenths in range(11)]
        draw_patches(canvas, _LEFT, low, _WIDE, greys, lambda tenths: canvas.setFillGray(1 - tenths / 10))
        low = self._task(_LEFT, low - PATCH_HEIGHT - air, _WIDE, words.colours) - 2.5
        common = [f"#{colour.hexval()[2:]}" for colour in (INK, GOLD, CREAM)]
        shown = list(dict.fromkeys(ink.upper() for ink in (*common, *inks)))[:MAX_INKS]
        draw_patches(canvas, _LEFT, low, _WIDE, shown, lambda n: canvas.setFillColor(HexColor(shown[n])))
        percent = tuple(100 * way for way in self.setup.scale)
        pairs = {"scale": percent, "shift": self.setup.shift, "backs": self.setup.back_shift}
        set_to = {name: f"{x:g} / {y:g}".replace(".", words.point) for name, (x, y) in pairs.items()}
        canvas.setFillColor(INK)
        canvas.setFont(fonts.STRONG, _BODY)
        canvas.drawString(_LEFT * mm, (low - PATCH_HEIGHT - air - 1.5) * mm, _typeset(words.set.format(**set_to)))

    def _band(self, side: str) -> None:
        paper = self.layout.paper
        box = (_EDGE, paper.height - _EDGE - _BAND, paper.width - _EDGE, paper.height - _EDGE)
        draw_band(self.canvas, box, self.words.title, side)

    def _task(self, x: float, top: float, width: float, task: CalibrationTask, **lengths: int) -> float:
        """Draw a task with its top at a height; return its bottom."""
        self.canvas.setFillColor(GOLD)
        self.canvas.setFont(fonts.DISPLAY, _HEAD)
        self.canvas.drawString(x * mm, top * mm - 0.72 * _HEAD, _typeset(task.heading))
        self.canvas.setFillColor(INK)
        self.canvas.setFont(fonts.TEXT, _BODY)
        text = _typeset(task.text.format(**lengths))
        low = top * mm - _HEAD - 1.2
        for line in fonts.wrap(text, fonts.TEXT, _BODY, lambda _: (0, width * mm), 60 * mm):
            self.canvas.drawString(x * mm, low - line.y, line.text)
            end = low - line.y
        return float(end / mm) - 0.8


def draw_ruler(canvas: Canvas, x: float, y: float, length: int, *, upright: bool) -> None:
    """Draw a ruler that begins at a point, with ticks above it, or to the right if it is `upright`."""
    canvas.saveState()
    canvas.translate(x * mm, y * mm)
    if upright:
        # Rotated and mirrored, so that the ticks point away from the paper's edge.
        canvas.transform(0, 1, 1, 0, 0, 0)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.4)
    canvas.line(0, 0, length * mm, 0)
    canvas.setLineWidth(0.25)
    canvas.lines([(n * mm, 0, n * mm, _tick(n) * mm) for n in range(length + 1)])
    canvas.restoreState()
    canvas.setFillColor(INK)
    canvas.setFont(fonts.STRONG, _SMALL)
    for n in range(0, length + 1, 10):
        if upright and n:
            canvas.drawString((x + 4.8) * mm, (y + n) * mm - 0.33 * _SMALL, str(n))
        elif not upright and n:
            canvas.drawCentredString((x + n) * mm, (y + 4.8) * mm, str(n))
        elif not n and not upright:
            canvas.drawRightString((x - 1.2) * mm, (y - 2.6) * mm, "0 mm")


def draw_grid(canvas: Canvas, x: float, y: float, *, flip_x: bool, flip_y: bool) -> None:
    """Draw a grid around a point, numbered from the middle to the right and up, or the opposite if flipped."""
    canvas.setStrokeColor(INK)
    for n in range(-REACH, REACH + 1):
        canvas.setLineWidth(0.35 if n % 2 == 0 else 0.12)
        for line in ((x + n, y - REACH, x + n, y + REACH), (x - REACH, y + n, x + REACH, y + n)):
            canvas.line(*(place * mm for place in line))
    canvas.setStrokeColor(GOLD)
    canvas.setLineWidth(1.0)
    canvas.line((x - REACH) * mm, y * mm, (x + REACH) * mm, y * mm)
    canvas.line(x * mm, (y - REACH) * mm, x * mm, (y + REACH) * mm)
    canvas.setFillColor(INK)
    canvas.setFont(fonts.STRONG, _SMALL)
    for n in range(-REACH, REACH + 1, 4):
        canvas.drawCentredString((x + n) * mm, (y - REACH - 3.0) * mm, _signed(-n if flip_x else n))
        canvas.drawRightString((x - REACH - 1.2) * mm, (y + n) * mm - 0.33 * _SMALL, _signed(-n if flip_y else n))
    canvas.setFont(fonts.DISPLAY, 9)
    canvas.drawString((x + REACH + 3.6) * mm, (y - REACH - 3.2) * mm, "X")
    canvas.drawCentredString((x - REACH - 2.6) * mm, (y + REACH + 2.6) * mm, "Y")


def draw_cross(canvas: Canvas, x: float, y: float) -> None:
    """Draw a cross that is dark enough to be visible through paper, with a ring around its middle."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.9)
    reach = REACH + 4.0
    canvas.line((x - reach) * mm, y * mm, (x + reach) * mm, y * mm)
    canvas.line(x * mm, (y - reach) * mm, x * mm, (y + reach) * mm)
    canvas.circle(x * mm, y * mm, 3.0 * mm)


def ladder_text(module: float) -> str:
    """Return the text of a code of the ladder."""
    return f"HAGGLE {module:.2f} MM"


def draw_ladder(canvas: Canvas, x: float, top: float, width: float, point: str) -> None:
    """Draw codes from the smallest to the largest, each with the size of its module below it.

    `point` is the decimal separator.
    """
    sides = [module * _MODULES for module in LADDER]
    gap = (width - sum(sides)) / (len(sides) - 1)
    foot = top - sides[-1]
    canvas.setFillColor(INK)
    canvas.setFont(fonts.STRONG, _SMALL)
    for module, side in zip(LADDER, sides, strict=True):
        canvas.drawCentredString((x + side / 2) * mm, (foot - 2.4) * mm, f"{module:.2f}".replace(".", point))
        draw_code(canvas, ladder_text(module), x, foot, side)
        x += side + gap


def draw_patches(
    canvas: Canvas, x: float, top: float, width: float, captions: Sequence[str], fill: Callable[[int], None]
) -> None:
    """Draw a patch above each of the captions. `fill` sets its colour by its number from 0."""
    side, bottom, height = width / len(captions), (top - PATCH_HEIGHT + 3.5) * mm, (PATCH_HEIGHT - 3.5) * mm
    for n in range(len(captions)):
        fill(n)
        canvas.rect((x + n * side) * mm, bottom, side * mm, height, 0, 1)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.25)
    canvas.rect(x * mm, bottom, width * mm, height)
    canvas.setFillColor(INK)
    canvas.setFont(fonts.STRONG, _SMALL)
    for n, caption in enumerate(captions):
        canvas.drawCentredString((x + (n + 0.5) * side) * mm, (top - PATCH_HEIGHT) * mm, caption)


def draw_band(canvas: Canvas, box: tuple[float, float, float, float], title: str, side: str) -> None:
    """Draw the band at the top of a page in a box (left, bottom, right, top)."""
    left, bottom, right, top = box
    canvas.setFillColor(INK)
    canvas.rect(left * mm, bottom * mm, (right - left) * mm, (top - bottom) * mm, stroke=0, fill=1)
    canvas.setFillColor(GOLD)
    canvas.rect(left * mm, (bottom - 0.8) * mm, (right - left) * mm, 0.8 * mm, stroke=0, fill=1)
    canvas.setFillColor(WHITE)
    base = (bottom + top) / 2 - 2.2
    canvas.setFont(fonts.DISPLAY, 19)
    canvas.drawString((left + 5) * mm, base * mm, title)
    canvas.setFont(fonts.STRONG, 9)
    canvas.drawRightString((right - 5) * mm, (base + 0.4) * mm, side.upper(), charSpace=1.2)


def _tick(n: int) -> float:
    if n % 10 == 0:
        return 4.0
    return 2.8 if n % 5 == 0 else 1.8


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


def _typeset(text: str) -> str:
    """Return a text with typographic apostrophes."""
    return text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
