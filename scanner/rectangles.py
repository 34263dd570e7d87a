"""Finds cards lying apart from each other where nothing is known, neither a code nor the size of a card."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.pixels import percentiles, values_at
from scanner.planes import FEWEST, cards_on_plane
from scanner.quads import are_squarish, card_corners, centre, code_on_card, project, twin_on_card
from scanner.singles import likeness_of, patch_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Geometry
    from scanner.result import Grey, Quad

SIZE = 840
"""Pixels of the longer side at which a picture is looked at."""

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
_FILLED, _DIAGONAL = 0.9, 0.25
# Share of the four-cornered shape that an outline must fill, and of its box: half of that of the longest card seen.
_STRAIGHT = 0.04
# How far an outline may be from its four corners' sides, as a share of its length.
_CODE = 0.45
# Correlation of most codes of cards with a grey square in a white frame.
_MOST = 128
# So many points of an outline are enough to tell its sides.
_MIDDLE, _POINTS, _PARALLEL = 0.32, 4, 0.1
# Share of a side, from its middle, whose points tell it; how many it takes; and the sine between sides that meet.


def rectangles(grey: Grey, geometry: Geometry) -> list[Quad]:
    """Return the outlines of cards on one table, at any slant, as rectangles on it: the width first, clockwise."""
    most = np.empty((0, 4, 2))
    factor = min(1.0, SIZE / max(grey.shape))
    if factor * min(grey.shape) < 1:
        # A strip, as no photograph is.
        return []
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1), dtype=np.uint8)
    height, width = grey.shape

    def printed(cards: Quad) -> bool:
        return _bear_codes(soft, cards * factor, geometry)

    bright = (_bright(soft, brighter) for brighter in _BRIGHTER)
    for areas in chain(bright, (_uneven(soft, edge) for edge in _EDGES)):
        quads = _outlines(areas) / factor
        if len(quads) >= FEWEST:
            most = max(most, cards_on_plane(quads, (height, width), geometry, printed), key=len)
        if len(most) >= _ENOUGH:
            break
    return list(most)


def _bear_codes(soft: Grey, cards: Quad, geometry: Geometry) -> bool:
    """Tell whether most cards have something like a code where these have theirs, however blurred."""
    points, inside, _ = patch_points(geometry)
    places = np.vstack([points + centre(code) for code in (code_on_card(geometry), twin_on_card(geometry))])
    on_card = card_corners(geometry).astype(np.float32)
    spots = [project(cv2.getPerspectiveTransform(on_card, card.astype(np.float32)), places) for card in cards]
    likeness = likeness_of(values_at(soft, np.array(spots)).reshape(2 * len(cards), -1), inside)
    return float(np.median(likeness)) > _CODE


def _bright(soft: Grey, brighter: float) -> Grey:
    """Return what is brighter than its surroundings: rims on a darker table."""
    around = max(max(soft.shape) // _AROUND | 1, 3)
    dark, light = percentiles(np.asarray(soft[::2, ::2], dtype=np.uint8), 2, 98)
    method, kind = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY
    return np.asarray(cv2.adaptiveThreshold(soft, 255, method, kind, around, -brighter * (light - dark) / 100))


def _uneven(soft: Grey, edge: float) -> Grey:
    """Return what has edges in it: print on cards that lie on a table as bright as their rims."""
    steps = cv2.morphologyEx(soft, cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8))
    marks = (steps > edge * percentiles(np.asarray(soft[::2, ::2], dtype=np.uint8), 98)[0]).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((3, 3), dtype=np.uint8)))


def _outlines(areas: Grey) -> Quad:
    """Return the four-cornered ones of the areas that are not 0, shape (n, 4, 2), clockwise on the screen."""
    contours, _ = cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    # The many specks of noise are told apart by their boxes.
    around: list[Quad] = []
    quads = []
    for contour in contours:
        # An outline goes along a box's longer side twice.
        if len(contour) < _SMALLEST:
            continue
        _, _, across, down = cv2.boundingRect(contour)
        if min(across, down) < _SMALLEST / 2 or across * down < _SMALLEST**2:
            continue
        filled = cv2.contourArea(contour)
        if filled < _DIAGONAL * across * down:
            continue
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if not _SMALLEST**2 <= area <= (_LARGEST * max(areas.shape)) ** 2:
            continue
        quad = cv2.approxPolyDP(hull, _STRAIGHT * cv2.arcLength(hull, closed=True), closed=True)
        if len(quad) == 4 and filled > _FILLED * cv2.contourArea(quad):  # noqa: PLR2004 - corners
            around.append(contour.astype(np.float64))
            quads.append(quad)
    if not quads:
        return np.empty((0, 4, 2))
    return _squarish(_by_sides(around, np.stack(quads).reshape(-1, 4, 2).astype(np.float64)))


def _by_sides(contours: Sequence[Quad], rough: Quad) -> Quad:
    """Return the quads whose sides run through the points of outlines, away from their corners: those are round.

    `rough` has their corners, shape (n, 4, 2). Where too few points tell a side these stay.
    """
    lengths = np.array([len(contour) for contour in contours])
    ends = np.cumsum(lengths)
    picked = (np.arange(_MOST) * lengths[:, np.newaxis] // _MOST) + (ends - lengths)[:, np.newaxis]
    middles = rough.mean(axis=1, keepdims=True)
    # Of all outlines at once: sides have the shape (n, 4), points (n, 1, m).
    x, y = np.moveaxis(np.concatenate(contours)[picked, 0] - middles, -1, 0)[:, :, np.newaxis]
    left, top = np.moveaxis(rough - middles, -1, 0)
    across, down = np.roll(left, -1, axis=1) - left, np.roll(top, -1, axis=1) - top
    length = np.sqrt(np.maximum(across**2 + down**2, 1e-9))
    across, down = across / length, down / length
    # How far along each side and beside it the points lie.
    part = across[..., np.newaxis] * x + down[..., np.newaxis] * y - (across * left + down * top)[..., np.newaxis]
    aside = down[..., np.newaxis] * x - across[..., np.newaxis] * y - (down * left - across * top)[..., np.newaxis]
    near = _STRAIGHT * np.sqrt((length**2).sum(axis=1) / 4)[:, np.newaxis, np.newaxis]
    of_side = (np.abs(aside) < near) & (np.abs(part / length[..., np.newaxis] - 0.5) < _MIDDLE)
    number = of_side.sum(axis=2)
    told = (number * np.minimum(lengths / _MOST, 1)[:, np.newaxis]).min(axis=1) >= _POINTS
    # For each side the line with the least squares: through the middle of its points, along their spread.
    kinds = np.concatenate((x, y, x * x, x * y, y * y), axis=1)
    left, top, xx, xy, yy = np.moveaxis(of_side @ kinds.swapaxes(1, 2) / np.maximum(number, 1)[..., np.newaxis], -1, 0)
    turn = np.arctan2(2 * (xy - left * top), xx - left * left - yy + top * top) / 2
    a, b = np.sin(turn), -np.cos(turn)
    c = a * left + b * top
    d, e, f = np.roll(a, 1, axis=1), np.roll(b, 1, axis=1), np.roll(c, 1, axis=1)
    sines = d * b - e * a
    told &= (np.abs(sines) >= _PARALLEL).all(axis=1)
    corners = np.stack((f * b - e * c, d * c - f * a), axis=-1) / np.where(sines == 0, 1, sines)[..., np.newaxis]
    return np.where(told[:, np.newaxis, np.newaxis], corners + middles, rough)


def _squarish(quads: Quad) -> Quad:
    """Return those quads that can be squares seen at a slant, clockwise on the screen."""
    x, y = np.moveaxis(quads, -1, 0)
    doubled = (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)
    turned = np.where((doubled < 0)[:, np.newaxis, np.newaxis], quads[:, ::-1], quads)
    return np.asarray(turned[are_squarish(turned)])
