"""Finds cards lying apart from each other where nothing is known, neither a code nor the size of a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.quads import is_squarish, side

if TYPE_CHECKING:
    from scanner.result import Grey, Quad

SIZES = (600,)
"""Pixels of the longer side at which a picture is looked at, the coarse way first."""

_FEWEST = 3
# Cards that confirm each other's size; fewer are looked for at the next size.
_ENOUGH = 6
# From so many on no other way of looking is tried.
_AROUND = 8
# The threshold is the mean of so large a part of the picture: a few cards.
_BRIGHTER = (6, 3)
# How much above that mean a pixel may be a card's, in parts of a hundred of the contrast; dark pictures have little.
_EDGES = (0.12, 0.08)
# Brightness steps from these parts of white on are edges.
_SMALLEST, _LARGEST = 12.0, 0.7
# Side of a card in pixels, and in longer sides of the picture.
_FILLED = 0.9
# Share of the four-cornered shape that an outline must fill.
_STRAIGHT = 0.04
# How far an outline may be from its four corners' sides, as a share of its length.
_LIKE = 1.35
# Cards in one picture differ less in the side of their areas.
_SQUEEZED = (0.95, 2.1)
# Range of the height over the width of a card at a slant.
_CARDS = (1.15, 1.8)
# The same where codes and other squares on cards are seen as well.


def rectangles(grey: Grey) -> list[Quad]:
    """Return four-cornered things of like size and a card's shape, as outlines: the width first, clockwise."""
    most: list[Quad] = []
    for size in SIZES:
        factor = min(1.0, size / max(grey.shape))
        if factor * min(grey.shape) < 1:
            # A strip, as no photograph is.
            return most
        small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1), dtype=np.uint8)
        bright = ((_bright(soft, brighter), _SQUEEZED) for brighter in _BRIGHTER)
        for areas, squeezed in (*bright, *((_uneven(soft, edge), _CARDS) for edge in _EDGES)):
            found = [_turned(quad / factor) for quad in _outlines(areas)]
            most = max(most, _alike([quad for quad in found if is_squarish(quad)], squeezed), key=len)
            if len(most) >= _ENOUGH:
                return most
        if len(most) >= _FEWEST or factor >= 1:
            break
    return most


def _bright(soft: Grey, brighter: float) -> Grey:
    """Return what is brighter than its surroundings: rims on a darker table."""
    around = max(max(soft.shape) // _AROUND | 1, 3)
    contrast = float(np.percentile(soft, 98)) - float(np.percentile(soft, 2))
    method, kind = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY
    return np.asarray(cv2.adaptiveThreshold(soft, 255, method, kind, around, -brighter * contrast / 100))


def _uneven(soft: Grey, edge: float) -> Grey:
    """Return what has edges in it: print on cards that lie on a table as bright as their rims."""
    steps = cv2.morphologyEx(soft, cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8))
    marks = (steps > edge * float(np.percentile(soft, 98))).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((3, 3), dtype=np.uint8)))


def _outlines(areas: Grey) -> list[Quad]:
    """Return the four-cornered ones of the areas that are not 0."""
    contours, _ = cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    # The many specks of noise are told apart by their boxes.
    large = (contour for contour in contours if min(cv2.boundingRect(contour)[2:]) >= _SMALLEST / 2)
    quads = []
    for contour in large:
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if not _SMALLEST**2 <= area <= (_LARGEST * max(areas.shape)) ** 2:
            continue
        quad = cv2.approxPolyDP(hull, _STRAIGHT * cv2.arcLength(hull, closed=True), closed=True)
        if len(quad) == 4 and cv2.contourArea(contour) > _FILLED * cv2.contourArea(quad):  # noqa: PLR2004 - corners
            quads.append(quad.reshape(4, 2).astype(np.float64))
    return quads


def _turned(quad: Quad) -> Quad:
    """Return the corners clockwise on the screen, the first side a short one."""
    if cv2.contourArea(quad.astype(np.float32), oriented=True) < 0:
        quad = quad[::-1]
    lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return quad if lengths[0] + lengths[2] <= lengths[1] + lengths[3] else np.roll(quad, -1, axis=0)


def _alike(quads: list[Quad], squeezed: tuple[float, float]) -> list[Quad]:
    """Return the largest group of like size and of a card's shape."""
    shaped = []
    for quad in quads:
        lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        if squeezed[0] <= (lengths[1] + lengths[3]) / (lengths[0] + lengths[2]) <= squeezed[1]:
            shaped.append(quad)
    sizes = np.array([side(quad) for quad in shaped])
    groups = [np.flatnonzero((sizes <= one) & (sizes > one / _LIKE)) for one in sizes]
    return [shaped[at] for at in max(groups, key=len)] if groups else []
