"""The areas of a card that its codes leave free, and the panel that fills them.

Lengths are in points, with the origin in the card's bottom left corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from reportlab.lib.units import mm

from cardgen.artwork.symbols import rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face


_MM: float = mm
GAP = 0.9 * _MM
"""White between a code's patch and the panel."""
_PATCH = 22 * _MM
"""Side of a patch with small print in full size."""
_CODE_LINE = 3.4 * _MM
"""Height of the line for the short code under such a patch."""
_ROUND = 2.4 * mm
_EDGE = 0.75 * mm
"""Line width of the panel's outline."""
_EVEN_ODD = 0


@dataclass(frozen=True)
class Box:
    """A part of a card."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """The width."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height."""
        return self.top - self.bottom

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2


@dataclass(frozen=True)
class Areas:
    """The areas of a card."""

    card: Geometry

    @property
    def scale(self) -> float:
        """The scale of the small print beside a code, at most 1."""
        return min(1.0, self.card.patch * _MM / _PATCH)

    @property
    def padding(self) -> float:
        """Distance of text from the panel's sides."""
        return 2.6 * _MM * self.scale

    @property
    def clear(self) -> float:
        """Distance of text from the panel's top and bottom."""
        return 1.3 * _MM + 0.7 * _MM * self.scale

    @property
    def across(self) -> float:
        """Width that the upper code takes from the left edge, and the lower one from the right."""
        return (self.card.inset + self.card.patch) * _MM + GAP

    @property
    def down(self) -> float:
        """Height that the upper code with its short code takes from the top edge, and the lower one from the bottom."""
        return self.across + _CODE_LINE * self.scale

    @property
    def whole(self) -> Box:
        """The card without its white rim."""
        rim = self.card.inset * _MM
        return Box(rim, rim, self.card.width * _MM - rim, self.card.height * _MM - rim)

    @property
    def side_by_side(self) -> bool:
        """True if the codes are next to each other, with a column between them instead of a band."""
        column = max(self.card.width * _MM - 2 * self.across, 0) * self.whole.height
        band = max(self.card.height * _MM - 2 * self.down, 0) * self.whole.width
        return column > band

    @property
    def head(self) -> Box:
        """The free corner at the top right, beside the upper code or above the lower one."""
        whole, width, height = self.whole, self.card.width * _MM, self.card.height * _MM
        if self.side_by_side:
            return Box(width - self.across, self.down, whole.right, whole.top)
        return Box(self.across, height - self.down, whole.right, whole.top)

    @property
    def foot(self) -> Box:
        """The free corner at the bottom left: the head, rotated by 180 degrees."""
        head = self.head
        width, height = self.card.width * _MM, self.card.height * _MM
        return Box(width - head.right, height - head.top, width - head.left, height - head.bottom)

    @property
    def reach(self) -> float:
        """Radius of the largest free disc around the middle of the card."""
        x, y = self.card.width * _MM / 2, self.card.height * _MM / 2
        return min(hypot(max(x - self.across, 0), max(y - self.down, 0)), x - self.whole.left, y - self.whole.bottom)


def corners(card: Geometry, grow: float = 0) -> list[tuple[float, float]]:
    """Return the corners of the panel, which is the card without its rim and the codes, enlarged by `grow`."""
    areas = Areas(card)
    left, bottom = areas.whole.left - grow, areas.whole.bottom - grow
    right, top = areas.whole.right + grow, areas.whole.top + grow
    across, down = areas.across - grow, areas.down - grow
    return [
        (across, top),
        (right, top),
        (right, down),
        (card.width * mm - across, down),
        (card.width * mm - across, bottom),
        (left, bottom),
        (left, card.height * mm - down),
        (across, card.height * mm - down),
    ]


def fill_panel(canvas: Canvas, card: Geometry, colour: Color, edge: Color | None = None) -> None:
    """Fill the panel, with a line of the `edge` colour along the inside of its outline."""
    path = canvas.beginPath()
    rounded(path, corners(card, -_EDGE / 2 if edge else 0), _ROUND)
    canvas.setFillColor(colour)
    if edge:
        canvas.setStrokeColor(edge)
        canvas.setLineWidth(_EDGE)
    canvas.drawPath(path, stroke=int(edge is not None), fill=1)


def line_panel(canvas: Canvas, card: Geometry, colour: Color, inside: float, thick: float = 0.22 * mm) -> None:
    """Draw a line around the panel, `inside` its outline."""
    path = canvas.beginPath()
    rounded(path, corners(card, -inside), _ROUND - inside / 2)
    canvas.setStrokeColor(colour)
    canvas.setLineWidth(thick)
    canvas.drawPath(path, stroke=1, fill=0)


def clip_to_panel(canvas: Canvas, card: Geometry) -> None:
    """Clip all further drawing to the panel."""
    path = canvas.beginPath()
    rounded(path, corners(card), _ROUND)
    canvas.clipPath(path, stroke=0, fill=0)


def both_ends(canvas: Canvas, card: Geometry) -> Iterator[bool]:
    """Yield False, and True with the canvas rotated by 180 degrees about the card's middle."""
    for turned in (False, True):
        canvas.saveState()
        if turned:
            canvas.translate(card.width * mm, card.height * mm)
            canvas.rotate(180)
        yield turned
        canvas.restoreState()


def draw_symbol(
    canvas: Canvas, face: Face, x: float, y: float, r: float, colour: Color, outline: Color | None = None
) -> None:
    """Draw the symbol of a face in a circle of radius `r`, with a line of the `outline` colour around it."""
    draw_symbols(canvas, face, [(x, y)], r, colour, outline)


def draw_symbols(
    canvas: Canvas,
    face: Face,
    places: Iterable[tuple[float, float]],
    r: float,
    colour: Color,
    outline: Color | None = None,
) -> None:
    """Draw the same symbol, as `draw_symbol` does, around each of some places."""
    path = canvas.beginPath()
    face.draw_symbol(path, r)
    canvas.setFillColor(colour)
    if outline:
        canvas.setStrokeColor(outline)
        canvas.setLineWidth(0.35 * mm)
        canvas.setLineJoin(1)
    for x, y in places:
        canvas.saveState()
        canvas.translate(x, y)
        canvas.drawPath(path, stroke=int(outline is not None), fill=1, fillMode=_EVEN_ODD)
        canvas.restoreState()
