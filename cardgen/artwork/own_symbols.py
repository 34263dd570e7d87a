"""Symbols that an edition brings as SVG: checked against an allow-list, and reduced to the outline of one shape.

Only shapes, lines and groups may be in a file. picosvg converts them to filled paths, and Skia unites these: white
shapes are cut out, all other colours become the ink of the card. Nothing else of the file is used.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pathops
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from picosvg.svg import SVG
from picosvg.svg_pathops import skia_path

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 30_000
"""Size limit of a file."""
_MAX_ELEMENTS = 300
_MAX_DEPTH = 12
_MAX_NUMBERS = 2_000
"""Most numbers in all attributes of a file together."""
_MAX_SEGMENTS = 600
"""Most lines and curves of the outline, which is printed more than a hundred times on a card."""
_THIN = 0.025
"""The least width of a line as a share of the radius, 0.2 mm on the smallest cards; a sentence below states it."""
_MOST_THIN = 0.1
"""The most of the inked area that may be thinner."""

_SVG = "{http://www.w3.org/2000/svg}"
_DRAWN = {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
_IGNORED = {"title", "desc", "metadata"}
_SHAPE = {"d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "points", "fill-rule"}
_LINE = {"stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity"}
_ATTRIBUTES = _SHAPE | _LINE | {"viewBox", "transform", "fill", "fill-opacity", "opacity", "display", "style"}
_REASONS = {
    "image": "has a raster image; draw it with paths",
    "text": "has text; convert it to paths",
    "style": "has a style sheet; write fill and stroke as attributes",
    "script": "has a script; take it out",
}
_FORBIDDEN = re.compile(r"url\s*\(|@|/\*|stroke-dash|expression|\\", re.IGNORECASE)
_WHITE = {"white", "#fff", "#ffffff", "rgb(255,255,255)"}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
_LARGEST = 100_000
"""The largest coordinate."""


class SymbolError(ValueError):
    """A symbol that cannot be used: a sentence about the file, with names in braces for the values in it."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format_map(values))
        self.template = template
        self.values = values


@lru_cache(maxsize=256)
def symbol_outline(svg: str) -> str:
    """Return the outline of a symbol as path data that fills a circle of radius 1, with y upwards; SymbolError."""
    drawing = ET.tostring(_cleaned(svg), encoding="unicode")
    try:
        shapes = list(SVG.fromstring(drawing).topicosvg(ndigits=5).shapes())  # type: ignore[no-untyped-call] # picosvg's
        whole = pathops.Path()
        for shape in shapes:
            white = shape.fill.lower().replace(" ", "") in _WHITE
            path = skia_path(shape.as_cmd_seq(), shape.fill_rule)
            whole = pathops.op(whole, path, pathops.PathOp.DIFFERENCE if white else pathops.PathOp.UNION)
        outline, segments = _normalized(whole)
    except SymbolError:
        raise
    except Exception as error:
        raise SymbolError("has a shape that cannot be read; save it as plain SVG, with paths only") from error
    if segments > _MAX_SEGMENTS:
        raise SymbolError(
            "has {number} lines and curves (at most {most}); simplify its paths", number=segments, most=_MAX_SEGMENTS
        )
    return outline


def check_print(outline: str) -> None:
    """Raise SymbolError if much of a symbol is too thin to be printed."""
    path = skia_path(_commands(outline), "evenodd")
    eroded = pathops.op(path, _stroked(path), pathops.PathOp.DIFFERENCE)
    opened = pathops.op(eroded, _stroked(eroded), pathops.PathOp.UNION)
    lost = pathops.op(path, opened, pathops.PathOp.DIFFERENCE)
    if _area(lost) > _MOST_THIN * _area(path):
        raise SymbolError("has lines thinner than a 40th of its radius, which are too thin to print; make them wider")


def _cleaned(svg: str) -> ET.Element:
    """Return the tree of a file with only the elements and attributes that draw; SymbolError if it has others."""
    if len(svg.encode()) > MAX_BYTES:
        raise SymbolError("is too large (at most {most} kB); simplify its paths", most=MAX_BYTES // 1000)
    try:
        tree = fromstring(svg)
    except DefusedXmlException:
        raise SymbolError("defines entities, or refers to other files; save it as plain SVG") from None
    except (ET.ParseError, ValueError, RecursionError):
        raise SymbolError("is no SVG; save the drawing as plain SVG") from None
    if tree.tag != f"{_SVG}svg":
        raise SymbolError("is no SVG; save the drawing as plain SVG")
    elements = list(tree.iter())
    if len(elements) > _MAX_ELEMENTS:
        raise SymbolError(
            "has {number} elements (at most {most}); unite its shapes", number=len(elements), most=_MAX_ELEMENTS
        )
    result = _copied(tree, 0)
    result.set("xmlns", _SVG.strip("{}"))
    numbers = [number for one in result.iter() for value in one.attrib.values() for number in _NUMBER.findall(value)]
    if len(numbers) > _MAX_NUMBERS:
        raise SymbolError(
            "has {number} numbers (at most {most}); simplify its paths", number=len(numbers), most=_MAX_NUMBERS
        )
    if any(not abs(float(number)) <= _LARGEST for number in numbers):
        raise SymbolError("has a number above {most}; draw it smaller", most=_LARGEST)
    return result


def _copied(element: ET.Element, depth: int) -> ET.Element:
    if depth > _MAX_DEPTH:
        raise SymbolError("has more than {most} groups in each other; ungroup its shapes", most=_MAX_DEPTH)
    result = ET.Element(element.tag.removeprefix(_SVG))
    for name, value in element.attrib.items():
        if name.endswith("href") or name.startswith("on"):
            raise SymbolError("refers to something outside of its shapes, or has a script; save it as plain SVG")
        if name in _ATTRIBUTES:
            if _FORBIDDEN.search(value):
                raise SymbolError(
                    "has a gradient, a dashed line or the like in {name}; use plain fills and lines", name=name
                )
            result.set(name, value)
    for child in element:
        tag = child.tag
        if not tag.startswith(_SVG) or tag.removeprefix(_SVG) in _IGNORED:
            continue
        name = tag.removeprefix(_SVG)
        if name == "defs" and not len(child):
            continue
        if name not in _DRAWN:
            raise SymbolError(_REASONS.get(name, "has <{name:.20}>; convert it to plain paths"), name=name)
        result.append(_copied(child, depth + 1))
    return result


def _normalized(path: pathops.Path) -> tuple[str, int]:
    """Return path data around (0, 0), and the number of its lines and curves."""
    path.simplify(fix_winding=True)
    if not _area(path):
        raise SymbolError("draws nothing; it needs filled shapes or lines, not in white")
    left, top, right, bottom = path.bounds
    x, y = (left + right) / 2, (top + bottom) / 2
    radius = max(hypot(points[-1][0] - x, points[-1][1] - y) for _, points in path if points)

    def at(point: tuple[float, float]) -> str:
        return f"{(point[0] - x) / radius:.4f},{(y - point[1]) / radius:.4f}"

    parts: list[str] = []
    here = (0.0, 0.0)
    for verb, points in path:
        if verb == pathops.PathVerb.QUAD:
            (cx, cy), end = points
            curve = tuple((px + 2 / 3 * (cx - px), py + 2 / 3 * (cy - py)) for px, py in (here, end))
            points = (*curve, end)  # noqa: PLW2901 - the same curve with two handles
        elif verb == pathops.PathVerb.CONIC:
            raise SymbolError("has a shape that cannot be read; save it as plain SVG, with paths only")
        letter = {pathops.PathVerb.MOVE: "M", pathops.PathVerb.LINE: "L", pathops.PathVerb.CLOSE: "Z"}.get(verb, "C")
        parts.append(" ".join([letter, *map(at, points)]))
        here = points[-1] if points else here
    return " ".join(parts), sum(part[0] in "LC" for part in parts)


def _stroked(path: pathops.Path) -> pathops.Path:
    """Return a line along the outline."""
    line = pathops.Path(path)
    line.stroke(_THIN, pathops.LineCap.BUTT_CAP, pathops.LineJoin.ROUND_JOIN, 4)
    line.convertConicsToQuads(_THIN / 20)
    return line


def _area(path: pathops.Path) -> float:
    simple = pathops.Path(path)
    simple.simplify(fix_winding=True)
    return abs(float(simple.area))


def _commands(outline: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the commands of path data."""
    for part in re.findall("[MLCZ][^MLCZ]*", outline):
        yield part[0], tuple(float(number) for number in _NUMBER.findall(part[1:]))
