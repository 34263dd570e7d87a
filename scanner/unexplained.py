"""A quick look for things on the table that no card explains: where there is nothing, nothing more is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from scanner.pixels import percentiles
from scanner.quads import centre, side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Geometry
    from scanner.pyramid import Pyramid
    from scanner.result import Grey, Quad

LOOK = 504
"""Pixels of the longer side at which the whole picture is looked over: a card of a deck of 40 has 40 by 55 of them."""

_STEP = 0.2
# Brightness steps from this share of white on count as the edge of something: grain of wood and weave have less.
_PAPER = 99.5
# Percentile of brightness that counts as white: cards may be a small part of a picture.
_BEYOND = 3.0
# Millimetres around a card where its shadow and the error of its outline are not looked at.
_GAP = 5
# Pixels of the overview that join what belongs to one thing.
_PLACE, _FULL = 13, 0.45
# Pixels a side of a place, and the share of them that have edges if it is full of them: a line through it has less.
_LONG, _WIDE = 0.5, 0.2
# Things that span less than these shares of a card, in length and width, are no card of which a third is to be seen.


_overviews: WeakKeyDictionary[Pyramid, tuple[Grey, float]] = WeakKeyDictionary()
# Of pictures that are looked over again, after cards were found.


def unexplained(picture: Pyramid, outlines: Sequence[Quad], others: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    """Return convex shapes, in pixels, around things outside the cards' outlines; `others` are those of other things.

    It takes about a millisecond, and tells things from an even table, not cards from other things.
    """
    marks, factor = _marks(picture)
    marks = marks.copy()
    shape = np.array([geometry.width, geometry.height])
    for outline in outlines:
        millimetre = side(outline) / float(np.sqrt(shape.prod()))
        _clear(marks, _grown(outline, _BEYOND * millimetre + 1 / factor) * factor)
    for other in others:
        _clear(marks, _grown(other, 1 / factor) * factor)
    if not marks.any():
        return []
    joined = cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((_GAP, _GAP), dtype=np.uint8))
    contours, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    usual = float(np.median([side(outline) for outline in outlines])) * factor if outlines else LOOK / 40
    shapes = []
    for contour in contours:
        _, lengths, _ = cv2.minAreaRect(contour)
        if max(lengths) >= _LONG * usual and min(lengths) >= _WIDE * usual:
            shapes.append(cv2.convexHull(contour)[:, 0].astype(np.float64) / factor)
    return shapes


def crowd(picture: Pyramid) -> Quad | None:
    """Return the box around the largest place full of edges: cards from afar, where lines run through the picture."""
    marks, factor = _marks(picture)
    share = cv2.boxFilter(marks, cv2.CV_32F, (_PLACE, _PLACE))
    contours, _ = cv2.findContours((share > _FULL).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    left, top, width, height = cv2.boundingRect(max(contours, key=cv2.contourArea))
    low, high = np.array([left, top]) / factor, np.array([left + width, top + height]) / factor
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def _marks(picture: Pyramid) -> tuple[Grey, float]:
    """Return where the overview of a picture has edges, not to be changed, and its pixels for each of the picture's."""
    if picture not in _overviews:
        _overviews[picture] = _looked_over(picture)
    return _overviews[picture]


def _looked_over(picture: Pyramid) -> tuple[Grey, float]:
    height, width = picture.shape
    factor = min(1.0, LOOK / max(height, width))
    size = max(round(width * factor), 1), max(round(height * factor), 1)
    # Each is the mean of all pixels there: in the dark noise alone would have edges.
    small = cv2.resize(picture.halved(1 / factor, 1.0).pixels, size, interpolation=cv2.INTER_AREA)
    steps = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8))
    white = percentiles(np.asarray(small[::2, ::2], dtype=np.uint8), _PAPER)[0]
    return (steps > _STEP * white).astype(np.uint8), factor


def _clear(marks: Grey, quad: Quad) -> None:
    cv2.fillConvexPoly(marks, np.round(quad * 8).astype(np.int32), 0, shift=3)


def _grown(quad: Quad, by: float) -> Quad:
    """Return a quad whose corners lie `by` farther from the middle, each in both directions of its sides."""
    middle = centre(quad)
    return np.asarray(middle + (quad - middle) * (1 + 2 * by / max(side(quad), 1.0)), dtype=np.float64)
