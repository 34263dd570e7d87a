"""Finds cards of which no code was read as bright quadrilaterals: seen from above, all are rectangles of one size."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.geometry.quads import are_squarish
from scanner.image.filters import percentiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.result import Grey, Quad

    Box = tuple[Sequence[float], Sequence[float], float]
    Values = npt.NDArray[np.float64]


# Pixels of the longer side to which a picture is shrunk.
_SIZE = 840

# Number of rectangles that define a table plane, and of those from which on no other threshold is tried.
_FEWEST, _ENOUGH = 4, 6

# The threshold is the mean of so large a part of the picture: a few cards.
_AROUND = 8

# How much above that mean a pixel may be a card's, in parts of a hundred of the contrast; dark pictures have little.
_BRIGHTER = (6, 3)

# Side of a card in pixels, and in longer sides of the picture.
_SMALLEST, _LARGEST = 12.0, 0.7

# Share of the four-cornered shape that an outline must fill, and of its box: half of that of the longest card seen.
_FILLED, _DIAGONAL = 0.9, 0.25

# How far an outline may be from its four corners' sides, as a share of its length.
_STRAIGHT = 0.04

# Focal lengths that are tried, in longer sides of the picture: 28 mm on 36 mm of film, zoomed, and cut out.
_LENSES = (0.8, 1.15, 1.7, 4.0)

# From this focal length on a view counts less, since hardly any picture is cut out of a larger one.
_LONG, _SELDOM = 2.6, 0.8

# Slants that are tried, in degrees, and the number of directions of each.
_SLANTS, _WAYS = (20.0, 36.0, 47.0, 55.0, 61.0, 66.0), 24

# Steps of the tangent, and of the focal length as a share of it, by which the best view is then improved.
_FINER = (0.12, 0.06)

# Ratio of outlines that fit squares to those that fit cards from which on they are squares of a cloth or floor.
_SQUARES = 1.2

# What lies farther from the horizon than this is in sight.
_AHEAD = 1e-6

# Usual errors of outlines: height over width and size, as logarithms, and the cosine at their corners.
_ASPECT, _SQUARE, _ALIKE = 0.08, 0.08, 0.1

# Sum of squares of errors, in units of the usual ones, up to which an outline is a card's.
_LIKELY = 6.0


def rectangles(grey: Grey, geometry: Geometry) -> list[Quad]:
    """Return the outlines of cards on one table, at any slant, as rectangles on it: the width first, clockwise."""
    factor = min(1.0, _SIZE / max(grey.shape))
    if factor * min(grey.shape) < 1:
        # A strip, as no photograph is.
        return []
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1), dtype=np.uint8)
    most = np.empty((0, 4, 2))
    for brighter in _BRIGHTER:
        quads = _outlines(_bright(soft, brighter))
        if len(quads) >= _FEWEST and len(most) < _ENOUGH:
            most = max(most, _cards_on_plane(quads, soft.shape, geometry), key=len)
    return list(most / factor)


def _bright(soft: Grey, brighter: float) -> Grey:
    """Return a mask of what is brighter than its surroundings: cards on a darker table."""
    around = max(max(soft.shape) // _AROUND | 1, 3)
    dark, light = percentiles(np.asarray(soft[::2, ::2], dtype=np.uint8), 2, 98)
    method, kind = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY
    return np.asarray(cv2.adaptiveThreshold(soft, 255, method, kind, around, -brighter * (light - dark) / 100))


def _outlines(areas: Grey) -> Quad:
    """Return the four-cornered ones of the areas that are not 0, shape (n, 4, 2), clockwise on the screen."""
    contours, _ = cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    quads = [np.empty((0, 4, 2))]
    for contour in contours:
        # Check the bounding box first, since noise gives many specks.
        _, _, across, down = cv2.boundingRect(contour)
        filled = cv2.contourArea(contour)
        if min(across, down) < _SMALLEST / 2 or filled < max(_DIAGONAL * across * down, _FILLED * _SMALLEST**2):
            continue
        hull = cv2.convexHull(contour)
        quad = cv2.approxPolyDP(hull, _STRAIGHT * cv2.arcLength(hull, closed=True), closed=True)
        area = cv2.contourArea(quad)
        if len(quad) == 4 and _FILLED * area < filled < (_LARGEST * max(areas.shape)) ** 2:  # noqa: PLR2004 - corners
            clockwise = cv2.contourArea(quad, oriented=True) > 0
            quads.append(quad.reshape(1, 4, 2)[:, :: 1 if clockwise else -1].astype(np.float64))
    found = np.concatenate(quads)
    return np.asarray(found[are_squarish(found)])


def _cards_on_plane(quads: Quad, shape: tuple[int, ...], geometry: Geometry) -> Quad:
    """Return those outlines, shape (n, 4, 2), that are cards on one table, as rectangles on it, the width first.

    `shape` is that of the picture. The result is empty if fewer than `_FEWEST` fit, or if far more fit the squares of a
    cloth or floor, which look like cards at another slant.
    """
    none = np.empty((0, 4, 2))
    aspect = max(geometry.height, geometry.width) / min(geometry.height, geometry.width)
    flat, worth = _best_view(quads, shape, aspect)
    if _best_view(quads, shape, 1.0)[1] > _SQUARES * worth:
        return none
    fits = _errors(_mapped(flat, quads), aspect)[0] < _LIKELY
    if np.count_nonzero(fits) < _FEWEST:
        return none
    cards = _rectangles(_mapped(flat, quads[fits])[0], geometry)
    return np.asarray(_mapped(np.asarray(np.linalg.inv(flat), dtype=np.float64), cards)[0])


def _best_view(quads: Quad, shape: tuple[int, ...], aspect: float) -> tuple[Quad, float]:
    """Return the matrix, shape (1, 3, 3), to the view from above in which most quads are rectangles of one size.

    `aspect` is their longer side over the shorter one. Also returns the number of quads that are, less for poor ones.
    """
    views = _views()
    changes = np.stack(np.meshgrid(*[(-1, 0, 1)] * 3), axis=-1).reshape(-1, 3)
    # After the last views none are made.
    for step in (*_FINER, 0.0):
        flats = _flattenings(views, shape)
        worth = np.exp(-_errors(_mapped(flats, quads), aspect) / 2).sum(axis=1)
        worth *= np.where(views[:, 2] < _LONG, 1, _SELDOM)
        best = int(worth.argmax())
        views = views[best] + step * changes * (1, 1, views[best, 2])
    return flats[[best]], float(worth[best])


@cache
def _views() -> Values:
    """Return the views that are tried, shape (n, 3): slants in all directions, seen by each lens.

    These are the tangents of the slants to the right and down, and the focal lengths.
    """
    turns = np.arange(_WAYS) * 2 * np.pi / _WAYS
    steep = np.tan(np.radians(_SLANTS))
    slopes = np.stack((np.outer(steep, np.cos(turns)), np.outer(steep, np.sin(turns))), axis=-1).reshape(-1, 2)
    return np.vstack([(0, 0, 1), *(np.column_stack((slopes, np.full(len(slopes), lens))) for lens in _LENSES)])


def _flattenings(views: Values, shape: tuple[int, ...]) -> Quad:
    """Return the matrices, shape (n, 3, 3), from pixels to views of the table from straight above."""
    focal = views[:, 2] * max(shape)
    steepness = np.hypot(views[:, 0], views[:, 1])
    x, y = views[:, :2].T / np.maximum(steepness, 1e-9)
    x = np.where(steepness == 0, 1.0, x)
    cos, sin = 1 / np.hypot(1, steepness), steepness / np.hypot(1, steepness)
    # The picture is turned so that the table comes nearer to the right.
    height, width = shape
    ahead, aside = (x * width + y * height) / 2, (y * width - x * height) / 2
    rows = (
        (x, y, -ahead),
        (-cos * y, cos * x, cos * aside),
        (sin * x / focal, sin * y / focal, cos - sin * ahead / focal),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=1)


def _mapped(matrices: Quad, quads: Quad) -> Quad:
    """Map quads, shape (n, 4, 2), by matrices, shape (m, 3, 3), to shape (m, n, 4, 2), NaN beyond the horizon."""
    spots = np.concatenate((quads, np.ones((*quads.shape[:2], 1))), axis=2)
    x, y, depth = (matrices.transpose(1, 0, 2) @ spots.reshape(-1, 3).T).reshape(3, len(matrices), *quads.shape[:2])
    depth = np.where(depth > _AHEAD, depth, np.nan)
    return np.stack((x / depth, y / depth), axis=-1)


def _errors(quads: Quad, aspect: float) -> Values:
    """Return the sums of squared errors of quads, shape (m, n, 4, 2), as rectangles of one size: infinite for NaN."""
    # Both coordinates apart: sums over two numbers each would take most of the time.
    x, y = np.moveaxis(quads, -1, 0)
    x, y = np.roll(x, -1, axis=2) - x, np.roll(y, -1, axis=2) - y
    lengths = np.maximum(np.hypot(x, y), 1e-9)
    tall = np.abs(np.log((lengths[..., 1] + lengths[..., 3]) / (lengths[..., 0] + lengths[..., 2])))
    askew = x * np.roll(x, -1, axis=2) + y * np.roll(y, -1, axis=2)
    askew = np.abs(askew / (lengths * np.roll(lengths, -1, axis=2))).mean(axis=2)
    size = np.log(lengths.prod(axis=2)) / 4
    # A median that leaves out NaN; its own function takes longer than all the rest.
    usual = np.sort(size, axis=1)[np.arange(len(size)), np.maximum((~np.isnan(size)).sum(axis=1) - 1, 0) // 2]
    unlike = size - usual[:, np.newaxis]
    errors = ((tall - np.log(aspect)) / _ASPECT) ** 2 + (askew / _SQUARE) ** 2 + (unlike / _ALIKE) ** 2
    return np.asarray(np.where(np.isnan(errors), np.inf, errors), dtype=np.float64)


def _rectangles(quads: Quad, geometry: Geometry) -> Quad:
    """Return cards of one size in the places of quads that are nearly so."""
    boxes = [cv2.minAreaRect(quad.astype(np.float32)) for quad in quads]
    scale = float(np.median([np.sqrt(np.prod(size)) for _, size, _ in boxes]))
    return np.array([card_in(box, geometry, scale / np.sqrt(geometry.width * geometry.height)) for box in boxes])


def card_in(box: Box, geometry: Geometry, scale: float = 1.0) -> Quad:
    """Return a card of `scale` pixels per millimetre as a box of `cv2.minAreaRect` lies: clockwise, the width first."""
    middle, (across, down), turn = box
    if (across > down) != (geometry.width > geometry.height):
        turn += 90
    # OpenCV begins with the height.
    corners = cv2.boxPoints((middle, (scale * geometry.width, scale * geometry.height), turn))
    return np.roll(corners, -1, axis=0).astype(np.float64)
