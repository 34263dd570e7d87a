"""Faces of tarot cards: a drawing between the codes, the rank in the outer corner, and the name."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import fonts
from cardgen.artwork.shapes import Shape, clipped, parse_path, rectangle
from cardgen.artwork.tarot import FIGURES, RED_SUITS, field, figure, fool, pips, scene, star, suit
from cardgen.faces.areas import Areas, clip_to_panel, fill_panel, line_panel
from cardgen.faces.face import CREAM, GOLD, INK, WHITE, mix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.pdfgen.pathobject import PDFPathObject

    from cardgen.artwork.shapes import Steps
    from cardgen.artwork.tarot import Box, Field
    from cardgen.cards import Geometry
    from cardgen.faces.face import Face

    Inks = Mapping[str, Color]


RUBY = HexColor("#b3202e")
_TEAL = HexColor("#2d6a68")
_LINE = 1.3 * mm
"""Distance of the fine line from the panel's outline."""
_ONE_LINE, _OF_FIGURES = 7.5, 10.0
"""A name is set in one line if it fits at this size, in points."""
_SMALLER = 1.5
"""Points by which a name may be smaller for the sake of better line breaks."""
_SHORT = re.compile(r"(?<= )([^\W\d]{1,3}) ")
_NAMES = [size / 4 for size in range(44, 23, -1)]
"""Sizes of a name, in points."""
_EVEN_ODD = 0


def palette(own: Color) -> Inks:
    """Return the colours of inks. "suit" is the card's own ink; "shade" and "mist" are lighter shades of it."""
    return {
        "suit": own,
        "shade": mix(own, CREAM, 0.45),
        "mist": mix(own, CREAM, 0.80),
        "ink": INK,
        "dusk": mix(INK, CREAM, 0.18),
        "slate": mix(INK, CREAM, 0.36),
        "ruby": RUBY,
        "rose": mix(RUBY, CREAM, 0.62),
        "teal": _TEAL,
        "sage": mix(_TEAL, CREAM, 0.50),
        "gold": GOLD,
        "straw": mix(CREAM, GOLD, 0.35),
        "paper": CREAM,
        "white": WHITE,
    }


def draw_shapes(canvas: Canvas, shapes: Iterable[Shape], palette: Mapping[str, Color]) -> None:
    """Draw shapes, in millimetres from the canvas's origin, with the colours of a palette."""
    canvas.setLineJoin(1)
    canvas.setLineCap(1)
    for shape in shapes:
        if shape.clip:
            canvas.saveState()
            canvas.clipPath(_path(canvas, shape.clip), stroke=0, fill=0)
        if shape.fill:
            canvas.setFillColor(palette[shape.fill])
        if shape.line:
            canvas.setStrokeColor(palette[shape.line])
            canvas.setLineWidth(shape.width * mm)
        path = _path(canvas, shape.steps)
        canvas.drawPath(path, stroke=int(bool(shape.line)), fill=int(bool(shape.fill)), fillMode=_EVEN_ODD)
        if shape.clip:
            canvas.restoreState()


def _path(canvas: Canvas, steps: Steps) -> PDFPathObject:
    path = canvas.beginPath()
    for letter, points in steps:
        if letter == "M":
            path.moveTo(points[0][0] * mm, points[0][1] * mm)
        elif letter == "L":
            path.lineTo(points[0][0] * mm, points[0][1] * mm)
        elif letter == "C":
            path.curveTo(*(side * mm for point in points for side in point))
        else:
            path.close()
    return path


def draw_tarot(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw the card of the face's motif, such as "pique-7", "coeur-roi", "atout-12" or "excuse"."""
    suit_name, _, rank = face.motif.partition("-")
    trump = suit_name in {"atout", "excuse"}
    ink = RUBY if suit_name in RED_SUITS else INK
    areas = Areas(card)
    place = field(card.width, card.height, card.inset, areas.across / mm, areas.down / mm)
    fill_panel(canvas, card, INK if trump else CREAM, edge=ink)
    # Red suits have a second line, which is visible in grey too.
    line_panel(canvas, card, ink if suit_name in RED_SUITS else GOLD, _LINE)
    canvas.saveState()
    clip_to_panel(canvas, card)
    canvas.translate(card.width / 2 * mm, card.height / 2 * mm)
    inks = palette(ink)
    if suit_name == "atout":
        _scene(canvas, int(rank), place, inks)
        _both_ways(canvas, face, lambda name: _plate(canvas, rank, name, place))
    elif suit_name == "excuse":
        draw_shapes(canvas, fool(place), inks)
        _both_ways(canvas, face, lambda name: _starred(canvas, name, place, inks))
    else:
        shapes = figure(suit_name, rank, place) if rank in FIGURES else pips(suit_name, int(rank), place)
        draw_shapes(canvas, shapes, inks)
        _both_ways(canvas, face, lambda name: _index(canvas, suit_name, rank, name, place, inks))
    canvas.restoreState()


def _both_ways(canvas: Canvas, face: Face, draw: Callable[[str], None]) -> None:
    """Call `draw` with the name, and rotated by 180 degrees with the name in the second language, if any."""
    draw(face.name)
    canvas.saveState()
    canvas.rotate(180)
    draw(face.second.name if face.second else face.name)
    canvas.restoreState()


def _index(canvas: Canvas, suit_name: str, rank: str, name: str, place: Field, inks: Inks) -> None:
    """Draw the rank in its corner with the suit below it, and the name at the side."""
    left, _, right, top = place.index
    k = place.sign
    middle = (left + right) / 2 - 0.7 * k
    text = rank[0].upper() if rank in FIGURES else rank
    size = 25 * k * min(1, (right - left - 2 * k) * mm / fonts.width(text, fonts.DISPLAY, 25 * k))
    base = (top - 1.9 * k) * mm - 0.68 * 25 * k
    canvas.setFillColor(inks["suit"])
    canvas.setFont(fonts.DISPLAY, size)
    canvas.drawCentredString(middle * mm, base, text)
    below = base / mm - 5.0 * k
    draw_shapes(canvas, suit(suit_name, middle, below, 3.1 * k), inks)
    if rank not in FIGURES:
        # A line separates the index from the pips, which people count.
        foot, turn = below - 5.0 * k, 2 * k
        edge = f"M{left} {top - 0.4}L{left} {foot + turn}C{left} {foot} {left} {foot} {left + turn} {foot}"
        edge += f"L{right - 0.4} {foot}"
        draw_shapes(canvas, [Shape(parse_path(edge), line="gold", width=0.22)], inks)
    _name(canvas, name, place.side, inks["suit"], _OF_FIGURES if rank in FIGURES else _ONE_LINE)


def _starred(canvas: Canvas, name: str, place: Field, inks: Inks) -> None:
    """Draw the star of the excuse in its corner, and the name at the side."""
    left, _, right, top = place.index
    k = place.sign
    draw_shapes(canvas, star((left + right) / 2 - 0.6 * k, top - 6.4 * k, 4.6 * k), inks)
    _name(canvas, name, place.side, CREAM)


def _scene(canvas: Canvas, number: int, place: Field, inks: Inks) -> None:
    """Draw the scene of a trump so that it covers its window."""
    left, bottom, right, top = place.window
    window = rectangle(*place.window)
    scale = (
        max((top - bottom) / 25, (right - left) / 58) if right - left > 1.4 * (top - bottom) else (top - bottom) / 25
    )
    draw_shapes(canvas, clipped(scene(number, scale), window), inks)
    draw_shapes(canvas, [Shape(window, line="gold", width=0.6)], inks)


def _plate(canvas: Canvas, rank: str, name: str, place: Field) -> None:
    """Draw a trump's number, very large, and its name below."""
    left, bottom, right, top = (side * mm for side in place.plate)
    room, high = right - left - 3 * mm, top - bottom
    size = min(high * 0.92, 0.92 * high * room / fonts.width("20", fonts.DISPLAY, high * 0.92))
    canvas.setFillColor(GOLD)
    canvas.setFont(fonts.DISPLAY, size)
    edge = right - 2.2 * mm * place.sign
    base = top - 2.0 * mm * place.sign - 0.68 * size
    canvas.drawRightString(edge, base, rank)
    fonts.check_characters(name, fonts.DISPLAY)
    most, room = min(11.0, 0.7 * (base - bottom)), edge - left - mm
    canvas.setFillColor(CREAM)
    canvas.setFont(fonts.DISPLAY, fonts.fitting_size(name, fonts.DISPLAY, most, room))
    canvas.drawRightString(edge, (base + bottom) / 2 - 0.33 * most, name)


def _name(canvas: Canvas, name: str, box: Box, ink: Color, one_line: float = _ONE_LINE) -> None:
    """Draw a name in the middle of a box; TextError if it does not fit."""
    left, bottom, right, top = (side * mm for side in box)
    room = right - left - 2.8 * mm
    # A name is set in one line if it fits. Otherwise, lines may end at a hyphen, but after a short word such as "de"
    # only if that makes the name larger.
    free = name.replace("-", "- ")
    together = _SHORT.sub("\\1\u00a0", free)
    if fonts.fitting_size(name, fonts.DISPLAY, _NAMES[0], room) >= one_line:
        free = together = name.replace(" ", "\u00a0")
    size, lines = fonts.fit(free, fonts.DISPLAY, _NAMES, lambda _: (0, room), top - bottom)
    if all(fonts.width(part, fonts.DISPLAY, size - _SMALLER) <= room for part in fonts.words(together)):
        with suppress(fonts.RoomError):
            size, lines = fonts.fit(together, fonts.DISPLAY, _NAMES, lambda _: (0, room), top - bottom)
    canvas.setFillColor(ink)
    canvas.setFont(fonts.DISPLAY, size)
    deep = lines[-1].y - lines[0].y
    for line in lines:
        base = (top + bottom) / 2 + deep / 2 - (line.y - lines[0].y) - 0.33 * size
        # The no-break space of the font is narrow.
        text = line.text.replace("- ", "-").replace("\u00a0", " ")
        canvas.drawCentredString((left + right) / 2, base, text)
