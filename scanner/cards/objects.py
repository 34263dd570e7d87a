"""Objects on the table: regions of a small copy of the picture that are full of edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.geometry.quads import centre, side
from scanner.image.filters import percentiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Geometry
    from scanner.image.filters import Pyramid
    from scanner.result import Grey, Quad


# Pixels of the longer side of the copy: a card of a deck of 40 has 40 by 55 of them.
_SIZE = 504

# Step of brightness, as a share of white, from which on it is the edge of something: grain of wood and weave have less.
_STEP = 0.2

# Percentile of brightness that counts as white: cards may be a small part of a picture.
_PAPER = 99.5

# Margin around a card, in millimetres, that is ignored: its shadow, and the error of its outline.
_BEYOND = 3.0

# Pixels of the copy up to which gaps between edges are closed.
_GAP = 5

# Minimum length and width of an object, as shares of a card, of which a third is then visible.
_LONG, _WIDE = 0.5, 0.2

# Side of a card, in pixels of the copy, if none was read.
_USUAL = 13

# Side in pixels of an area, and the share of it that is edges in a dense region: a line through it has less.
_AREA, _DENSE = 13, 0.45


def unexplained_objects(
    edges: Grey, factor: float, outlines: Sequence[Quad], others: Sequence[Quad], geometry: Geometry
) -> list[Quad]:
    """Return convex shapes, in pixels, around objects outside the outlines of cards and of `others`.

    `edges` and `factor` are the result of `edges_of`. That separates objects from an even table, but not cards from
    other objects.
    """
    edges = edges.copy()
    for outline in outlines:
        _clear(edges, outline, factor, _BEYOND * side(outline) / np.sqrt(geometry.width * geometry.height))
    for other in others:
        _clear(edges, other, factor, 0)
    closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((_GAP, _GAP), dtype=np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    usual = float(np.median([side(outline) for outline in outlines])) * factor if outlines else _USUAL
    shapes = []
    for contour in contours:
        _, lengths, _ = cv2.minAreaRect(contour)
        if max(lengths) >= _LONG * usual and min(lengths) >= _WIDE * usual:
            shapes.append(cv2.convexHull(contour)[:, 0].astype(np.float64) / factor)
    return shapes


def dense_region(picture: Pyramid) -> Quad | None:
    """Return the bounding box of the largest region full of edges: cards from afar, even if lines cross the picture."""
    edges, factor = edges_of(picture)
    share = cv2.boxFilter(edges, cv2.CV_32F, (_AREA, _AREA))
    contours, _ = cv2.findContours((share > _DENSE).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    left, top, width, height = cv2.boundingRect(max(contours, key=cv2.contourArea))
    right, bottom = left + width, top + height
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) / factor


def edges_of(picture: Pyramid) -> tuple[Grey, float]:
    """Return a mask of the edges in a small copy of a picture, and the scale of that. It takes about a millisecond."""
    height, width = picture.shape
    factor = min(1.0, _SIZE / max(height, width))
    size = max(round(width * factor), 1), max(round(height * factor), 1)
    # Each is the mean of all pixels there: in the dark noise alone would have edges.
    small = cv2.resize(picture.halved(1 / factor, 1.0).pixels, size, interpolation=cv2.INTER_AREA)
    steps = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8))
    white = percentiles(np.asarray(small[::2, ::2], dtype=np.uint8), _PAPER)[0]
    return (steps > _STEP * white).astype(np.uint8), factor


def _clear(edges: Grey, quad: Quad, factor: float, margin: float) -> None:
    """Remove the edges in a quad with a margin: some of its pixels and one of the mask's."""
    grown = 1 + 2 * (margin + 1 / factor) / max(side(quad), 1.0)
    corners = (centre(quad) + grown * (quad - centre(quad))) * factor
    cv2.fillConvexPoly(edges, np.round(corners * 8).astype(np.int32), 0, shift=3)
