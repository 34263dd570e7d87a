"""What one card looks like: the face of its kind, drawn once, and its own two codes on top.

Lengths are in points, y upwards, with the origin in the card's bottom left corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm

from cardgen import texts
from cardgen.art import SYMBOLS, rounded
from cardgen.symbols import matrix, runs

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry

INK = HexColor("#20263a")
CREAM = HexColor("#fbf4e4")
GOLD = HexColor("#b98a2e")
WHITE = HexColor("#ffffff")

_CODE_LINE = 3.4 * mm
"""Height of the strip under a code for its short code."""
_GAP = 0.9 * mm
"""White between a code's patch and the panel."""
_ROUND = 2.4 * mm
_PADDING = 2.6 * mm
_EDGE = 0.75 * mm
"""Width of the line round the panel of a card with words."""
_EVEN_ODD = 0


@dataclass(frozen=True)
class Face:
    """What all cards of one kind show. Plain data, in the words and colours of whoever asks for the cards.

    `category` is `colour`, `rule` or `special` and chooses the layout; `name` is printed large, `label` says the
    kind in words ("Rule 7"), `text` is the rule or the fact, `ink` is "#RRGGBB", `symbol` a name from art.SYMBOLS.
    """

    kind: str
    category: str
    name: str
    label: str
    text: str
    ink: str
    symbol: str
    mark: str


def draw_face(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw all that the cards of one kind share. Raises TextError if its words do not fit."""
    if not face.text:
        _draw_colour(canvas, face, card)
    else:
        _draw_worded(canvas, face, card)


def draw_codes(canvas: Canvas, payload: str, short: str, card: Geometry) -> None:
    """Draw a card's code and short code in its top left corner and, turned by half a turn, in the opposite one."""
    modules = canvas.beginPath()
    for row, column, length in runs(matrix(payload)):
        modules.rect(column, card.modules - row - 1, length, 1)
    for turned in (False, True):
        canvas.saveState()
        if turned:
            canvas.translate(card.width * mm, card.height * mm)
            canvas.rotate(180)
        canvas.setFillColor(INK)
        canvas.setFont(texts.STRONG, 7.6)
        centre = (card.inset + card.patch / 2) * mm
        canvas.drawCentredString(centre, (card.height - card.inset - card.patch) * mm - 2.0 * mm, short, charSpace=0.7)
        canvas.setFillGray(0)
        edge = card.inset + card.quiet * card.module
        canvas.translate(edge * mm, (card.height - edge - card.code) * mm)
        canvas.scale(card.module * mm, card.module * mm)
        canvas.drawPath(modules, stroke=0, fill=1)
        canvas.restoreState()


def _panel(card: Geometry, grow: float = 0) -> list[tuple[float, float]]:
    """Return the corners of the coloured panel: the card less a margin and the two corners where the codes lie."""
    left, bottom = card.inset * mm - grow, card.inset * mm - grow
    right, top = card.width * mm - left, card.height * mm - bottom
    across = (card.inset + card.patch) * mm + _GAP - grow
    down = across + _CODE_LINE
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


def _fill_panel(canvas: Canvas, card: Geometry, colour: Color, edge: Color | None = None) -> None:
    """Fill the panel; with an `edge` colour, draw a line along the inside of its outline too."""
    path = canvas.beginPath()
    rounded(path, _panel(card, -_EDGE / 2 if edge else 0), _ROUND)
    canvas.setFillColor(colour)
    if edge:
        canvas.setStrokeColor(edge)
        canvas.setLineWidth(_EDGE)
    canvas.drawPath(path, stroke=int(edge is not None), fill=1)


def _clip_to_panel(canvas: Canvas, card: Geometry) -> None:
    path = canvas.beginPath()
    rounded(path, _panel(card), _ROUND)
    canvas.clipPath(path, stroke=0, fill=0)


def _symbol(
    canvas: Canvas, name: str, x: float, y: float, r: float, colour: Color, outline: Color | None = None
) -> None:
    path = canvas.beginPath()
    SYMBOLS[name](path, x, y, r)
    canvas.setFillColor(colour)
    if outline:
        canvas.setStrokeColor(outline)
        canvas.setLineWidth(0.35 * mm)
        canvas.setLineJoin(1)
    canvas.drawPath(path, stroke=int(outline is not None), fill=1, fillMode=_EVEN_ODD)


def _mix(colour: Color, other: Color, share: float) -> Color:
    """Return `colour` with a share of `other` in it; flat colours print the same everywhere, transparency does not."""
    parts = ((a + (b - a) * share) for a, b in zip(colour.rgb(), other.rgb(), strict=True))
    return Color(*parts)


def _lightness(colour: Color) -> float:
    """Return how light a colour looks, 0 to 1, by the usual weights of red, green and blue."""
    red, green, blue = colour.rgb()
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def _draw_colour(canvas: Canvas, face: Face, card: Geometry) -> None:
    ink = HexColor(face.ink)
    dark = _lightness(ink) < 0.5  # noqa: PLR2004 - the middle between black and white
    on_ink = WHITE if dark else INK
    _fill_panel(canvas, card, ink)
    canvas.saveState()
    _clip_to_panel(canvas, card)
    _pattern(canvas, face.symbol, _mix(ink, WHITE if dark else INK, 0.10), card)
    canvas.restoreState()
    x, y, r = card.width * mm / 2, card.height * mm / 2, 14.2 * mm
    for radius, colour in ((r, ink), (r - 0.55 * mm, WHITE), (r - 1.5 * mm, ink), (r - 1.75 * mm, WHITE)):
        canvas.setFillColor(colour)
        canvas.circle(x, y, radius, stroke=0, fill=1)
    # A light colour on white needs a dark outline, to be seen in grey and in poor light.
    _symbol(canvas, face.symbol, x, y, 10.2 * mm, ink, outline=None if dark else _mix(ink, INK, 0.8))
    for turned in (False, True):
        canvas.saveState()
        if turned:
            canvas.translate(card.width * mm, card.height * mm)
            canvas.rotate(180)
        _colour_heading(canvas, face, card, on_ink)
        canvas.restoreState()


def _pattern(canvas: Canvas, symbol: str, colour: Color, card: Geometry) -> None:
    """Cover the panel with small symbols in offset rows."""
    step, r = 7.2 * mm, 1.9 * mm
    rows = int(card.height * mm / step * 2) + 2
    for row in range(rows):
        for column in range(int(card.width * mm / step) + 2):
            x = (column + (row % 2) / 2) * step - 0.4 * mm
            _symbol(canvas, symbol, x, row * step / 2, r, colour)


def _colour_heading(canvas: Canvas, face: Face, card: Geometry, colour: Color) -> None:
    """Write a colour's name into the free top right corner, as large as fits."""
    left = (card.inset + card.patch) * mm + _GAP
    right = (card.width - card.inset) * mm
    middle, room = (left + right) / 2, right - left - 2 * _PADDING
    size = min(25.0, 25.0 * room / texts.width(face.name, texts.DISPLAY, 25.0))
    canvas.setFillColor(colour)
    canvas.setFont(texts.DISPLAY, size)
    canvas.drawCentredString(middle, card.height * mm - 12.4 * mm, face.name)
    canvas.setFont(texts.STRONG, 6.6)
    canvas.drawCentredString(middle, card.height * mm - 17.0 * mm, face.mark, charSpace=0.5)


def _draw_worded(canvas: Canvas, face: Face, card: Geometry) -> None:
    accent = HexColor(face.ink)
    _fill_panel(canvas, card, CREAM, edge=accent)
    _worded_heading(canvas, face, card, accent)
    deepest = _body(canvas, face, card)
    x = (card.width - card.inset - card.patch) * mm - _GAP
    canvas.setFillColor(accent)
    canvas.setFont(texts.STRONG, 6.2)
    middle = (card.inset * mm + x) / 2
    canvas.drawCentredString(middle, card.inset * mm + 2.6 * mm, face.mark, charSpace=0.4)
    r = 7.0 * mm
    centre = card.inset * mm + 7.4 * mm + r
    if deepest > centre + r + 1.5 * mm:
        _symbol(canvas, face.symbol, middle, centre, r, _mix(CREAM, accent, 0.13))


def _worded_heading(canvas: Canvas, face: Face, card: Geometry, accent: Color) -> None:
    """Fill the free top right corner: the symbol with its number, the kind in words, and the name."""
    left = (card.inset + card.patch) * mm + _GAP + 0.7 * mm
    right, top = (card.width - card.inset) * mm - 0.7 * mm, (card.height - card.inset) * mm - 0.7 * mm
    middle = (left + right) / 2
    r = 7.6 * mm
    _symbol(canvas, face.symbol, middle, top - 1.6 * mm - r, r, accent)
    digits = "".join(c for c in face.label if c.isdigit())
    centre = top - 1.6 * mm - r
    if face.category == "rule":
        canvas.setFillColor(CREAM)
        canvas.setFont(texts.DISPLAY, 19)
        canvas.drawCentredString(middle, centre - 2.35 * mm, digits)
    canvas.setFillColor(accent)
    canvas.setFont(texts.STRONG, 7.4)
    canvas.drawCentredString(middle, top - 20.6 * mm, face.label.upper(), charSpace=0.9)


def _body(canvas: Canvas, face: Face, card: Geometry) -> float:
    """Set the name and the text under the upper code, flowing on beside the lower one; return the last baseline."""
    left = card.inset * mm + _PADDING
    top = card.height * mm - (card.inset + card.patch) * mm - _GAP - _CODE_LINE - 0.8 * mm
    full = card.width * mm - 2 * left
    narrow = full - (card.patch * mm + _GAP + 0.8 * mm)
    # From this depth on, lines stand beside the lower code.
    beside = top - ((card.inset + card.patch) * mm + _GAP + _CODE_LINE)
    bottom = top - card.inset * mm - 5.6 * mm
    texts.check_characters(face.name, texts.DISPLAY)
    name_size, name = texts.fit(face.name, texts.DISPLAY, _steps(12.5, 10.0), lambda _: (0, full), 30)
    canvas.setFillColor(INK)
    canvas.setFont(texts.DISPLAY, name_size)
    for line in name:
        canvas.drawString(left, top - line.y, line.text)
    down = name[-1].y + 1.5 * mm

    def room(y: float) -> tuple[float, float]:
        return (0, full) if y + down < beside - 1.0 * mm else (0, narrow)

    size, lines = texts.fit(face.text, texts.TEXT, _steps(9.75, 7.25), room, bottom - down)
    canvas.setFont(texts.TEXT, size)
    for line in lines:
        canvas.drawString(left + line.x, top - down - line.y, line.text)
    last: float = top - down - lines[-1].y
    return last


def _steps(largest: float, smallest: float) -> list[float]:
    """Return sizes from the largest down to the smallest in quarter points."""
    return [largest - step / 4 for step in range(int((largest - smallest) * 4) + 1)]
