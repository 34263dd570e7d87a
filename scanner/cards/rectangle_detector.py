"""Estimates the table plane from quadrilateral outlines: rectified, all cards are rectangles of one shape and size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.geometry.quads import are_squarish
from scanner.image.filters import percentiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.geometry.homography import Matrix
    from scanner.result import Grey, Quad

    Values = npt.NDArray[np.float64]


LENSES = (0.8, 1.15, 1.7, 4.0)
"""Focal lengths that are tried, in longer sides of the picture: 28 mm on 36 mm of film, zoomed, and cut out."""

FEWEST = 4
"""Number of cards of one shape and size that define a table plane."""

# Slants that are tried, in degrees, and the number of directions of each.
_COARSE, _WAYS = (20.0, 36.0, 47.0, 55.0, 61.0, 66.0), 24

# Steps of the tangent by which the best one is then bettered.
_FINER = (0.12, 0.06)

# Ratio of squares to cards from which on both are refined, and from which on they are squares; weight of cards seen
# with the longest focal length.
_MAYBE, _RATHER, _SELDOM = 0.6, 1.2, 0.8

# What lies farther from the horizon than this is in sight.
_AHEAD = 1e-6

# How far outlines are off as a rule: height over width and size, as logarithms, and the cosine at their corners.
_ASPECT, _SQUARE, _SIZE = 0.08, 0.08, 0.1

# Sum of squares of these, in units of them, up to which an outline is a card's.
_LIKELY = 6.0


def flattenings(slopes: Quad, lenses: Values, shape: tuple[int, int]) -> Quad:
    """Return the matrices, shape (n, 3, 3), from pixels to views of the table from straight above.

    `slopes`, shape (n, 2), are the tangents of the slants in the directions in which the table comes nearer; `lenses`,
    shape (n,), the focal lengths in longer sides of the picture, of which `shape` is height and width.
    """
    focal = lenses * max(shape)
    steepness = np.hypot(slopes[:, 0], slopes[:, 1])
    level = steepness == 0
    x, y = (np.where(level, 0.0, slopes.T) / np.where(level, 1.0, steepness)) + np.outer((1.0, 0.0), level)
    cos, sin = 1 / np.hypot(1, steepness), steepness / np.hypot(1, steepness)
    # The picture is turned so that the table comes nearer to the right; the horizon is where 1 + slope . x = 0: the
    # cotangent of the slant from the middle.
    height, width = shape
    ahead, aside = (x * width + y * height) / 2, (y * width - x * height) / 2
    rows = (
        (x, y, -ahead),
        (-cos * y, cos * x, cos * aside),
        (sin * x / focal, sin * y / focal, cos - sin * ahead / focal),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=1)


def cards_on_plane(quads: Quad, shape: tuple[int, int], geometry: Geometry) -> Quad:
    """Return those outlines, shape (n, 4, 2), that are cards on one table, as rectangles on it, the width first.

    `shape` is height and width of the whole picture. The result is empty if fewer than `FEWEST` fit, or if far more fit
    the squares of a cloth or floor, which look like cards at another slant.
    """
    none = np.empty((0, 4, 2))
    if len(quads) < FEWEST:
        return none
    aspect = max(geometry.height, geometry.width) / min(geometry.height, geometry.width)
    candidates = _candidate_views(shape)
    # Rough ones need no more digits than these, which take half of the time.
    seen = _mapped(candidates.flats.astype(np.float32), quads.astype(np.float32))
    worth, rather = (_worth(off) for off in _offs(seen, (aspect, 1.0)))
    worth = worth * np.where(candidates.lenses < LENSES[-1], 1.0, _SELDOM)
    best, fits = _bettered(candidates.at(int(worth.argmax())), quads, shape, aspect)
    off = _off(_mapped(best.flat[np.newaxis], quads), aspect)[0]
    if np.count_nonzero(off < _LIKELY) < FEWEST:
        return none
    rectangles = _rectangles(_mapped(best.flat[np.newaxis], quads[off < _LIKELY])[0], geometry)
    back = np.asarray(np.linalg.inv(best.flat), dtype=np.float64)
    cards = np.asarray(_mapped(back[np.newaxis], rectangles)[0])
    if rather.max() <= _MAYBE * worth.max():
        return cards
    # Which of the two they are shows only where both fit as well as they can: the steps are rough.
    fits = fits if best.lens < np.sqrt(LENSES[-2] * LENSES[-1]) else _SELDOM * fits
    squares = _bettered(candidates.at(int(rather.argmax())), quads, shape, 1.0)[1] > _RATHER * fits
    return none if squares else cards


def _bettered(best: _View, quads: Quad, shape: tuple[int, int], aspect: float) -> tuple[_View, float]:
    """Refine a candidate view by coordinate search; return it and the number of outlines that fit."""
    for step in _FINER:
        changes = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
        x, y, z = step * np.array(changes).T
        near = _Views.of(best.slope + np.stack((x, y), axis=1), best.lens * (1 + z), shape)
        worth = _worth(_off(_mapped(near.flats, quads), aspect))
        best = near.at(int(worth.argmax()))
    return best, float(worth.max())


@dataclass(frozen=True, eq=False)
class _View:
    """A candidate view of a table: slant, focal length and rectifying matrix."""

    slope: Quad
    lens: float
    flat: Matrix


@dataclass(frozen=True, eq=False)
class _Views:
    """Several candidate views: slopes, shape (n, 2), focal lengths, and matrices, shape (n, 3, 3)."""

    slopes: Quad
    lenses: Values
    flats: Quad

    @classmethod
    def of(cls, slopes: Quad, lenses: Values, shape: tuple[int, int]) -> _Views:
        return cls(slopes, lenses, flattenings(slopes, lenses, shape))

    def at(self, index: int) -> _View:
        return _View(self.slopes[index], float(self.lenses[index]), self.flats[index])


def _worth(off: Values) -> Values:
    """Return for each view the soft count of outlines that are rectangles of one size and the right shape."""
    return np.asarray(np.exp(-off / 2).sum(axis=1))


@lru_cache(maxsize=4)
def _candidate_views(shape: tuple[int, int]) -> _Views:
    """Return slopes all around, of several slants, seen by each lens; the first is that from straight above."""
    turns = np.radians(np.arange(_WAYS) * 360 / _WAYS)
    ways = np.stack((np.cos(turns), np.sin(turns)), axis=1)
    slopes = (np.tan(np.radians(_COARSE))[:, np.newaxis, np.newaxis] * ways).reshape(-1, 2)
    lenses = np.repeat(LENSES, len(slopes))
    slopes = np.tile(slopes, (len(LENSES), 1))
    return _Views.of(np.vstack((np.zeros((1, 2)), slopes)), np.concatenate((LENSES[:1], lenses)), shape)


def _mapped(matrices: Quad, quads: Quad) -> Quad:
    """Map quads, shape (n, 4, 2), by matrices, shape (m, 3, 3), to shape (m, n, 4, 2).

    What lies beyond the horizon is nowhere, NaN.
    """
    spots = np.concatenate((quads, np.ones((*quads.shape[:2], 1), dtype=quads.dtype)), axis=2)
    x, y, depth = (matrices.transpose(1, 0, 2) @ spots.reshape(-1, 3).T).reshape(3, len(matrices), *quads.shape[:2])
    depth = np.where(depth > _AHEAD, depth, np.nan)
    return np.stack((x / depth, y / depth), axis=-1)


def _off(quads: Quad, aspect: float) -> Values:
    """Return how far quads seen from above, shape (m, n, 4, 2), are from rectangles of one size, as sums of squares.

    `aspect` is their longer side over the shorter one.
    """
    return _offs(quads, (aspect,))[0]


def _offs(quads: Quad, aspects: Sequence[float]) -> list[Values]:
    """Return the same for each of several aspects."""
    # Both coordinates apart: sums over two numbers each would take most of the time.
    x, y = np.moveaxis(quads, -1, 0)
    x, y = np.roll(x, -1, axis=2) - x, np.roll(y, -1, axis=2) - y
    lengths = np.maximum(np.hypot(x, y), 1e-9)
    tall = np.abs(np.log((lengths[..., 1] + lengths[..., 3]) / (lengths[..., 0] + lengths[..., 2])))
    askew = x * np.roll(x, -1, axis=2) + y * np.roll(y, -1, axis=2)
    askew = np.abs(askew / (lengths * np.roll(lengths, -1, axis=2)))
    size = np.log(lengths.prod(axis=2)) / 4
    # A median that leaves out what is nowhere.
    usual = np.sort(size, axis=1)[np.arange(len(size)), np.maximum((~np.isnan(size)).sum(axis=1) - 1, 0) // 2]
    alike = np.abs(size - usual[:, np.newaxis])
    other = (askew.mean(axis=2) / _SQUARE) ** 2 + (alike / _SIZE) ** 2
    offs = [(np.abs(tall - np.log(aspect)) / _ASPECT) ** 2 + other for aspect in aspects]
    return [np.asarray(np.where(np.isnan(off), np.inf, off), dtype=np.float64) for off in offs]


def _rectangles(quads: Quad, geometry: Geometry) -> Quad:
    """Return cards of one size where quads lie that are nearly so; the width first."""
    sides = np.roll(quads, -1, axis=1) - quads
    lengths = np.linalg.norm(sides, axis=2)
    lying = lengths[:, 0] + lengths[:, 2] > lengths[:, 1] + lengths[:, 3]
    turned = lying != (geometry.width > geometry.height)
    quads = np.where(turned[:, np.newaxis, np.newaxis], np.roll(quads, -1, axis=1), quads)
    across = quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]
    down = quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]
    # Average the rotation over both sides.
    across = across / np.linalg.norm(across, axis=1, keepdims=True)
    down = down / np.linalg.norm(down, axis=1, keepdims=True)
    way = across + np.column_stack((down[:, 1], -down[:, 0]))
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    aside = np.column_stack((-way[:, 1], way[:, 0]))
    scale = float(np.median(np.sqrt(lengths.reshape(-1, 2, 2).mean(axis=1).prod(axis=1))))
    scale /= float(np.sqrt(geometry.width * geometry.height))
    half = np.array([geometry.width, geometry.height]) * scale / 2
    corners = [x * half[0] * way + y * half[1] * aside for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.asarray(quads.mean(axis=1)[:, np.newaxis] + np.stack(corners, axis=1))


SIZE = 840
"""Pixels of the longer side to which a picture is shrunk."""

# Number of cards from which on no other threshold is tried.
_ENOUGH = 6

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

    for brighter in _BRIGHTER:
        quads = _outlines(_bright(soft, brighter)) / factor
        if len(quads) >= FEWEST:
            most = max(most, cards_on_plane(quads, (height, width), geometry), key=len)
        if len(most) >= _ENOUGH:
            break
    return list(most)


def _bright(soft: Grey, brighter: float) -> Grey:
    """Return what is brighter than its surroundings: rims on a darker table."""
    around = max(max(soft.shape) // _AROUND | 1, 3)
    dark, light = percentiles(np.asarray(soft[::2, ::2], dtype=np.uint8), 2, 98)
    method, kind = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY
    return np.asarray(cv2.adaptiveThreshold(soft, 255, method, kind, around, -brighter * (light - dark) / 100))


def _outlines(areas: Grey) -> Quad:
    """Return the four-cornered ones of the areas that are not 0, shape (n, 4, 2), clockwise on the screen."""
    contours, _ = cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    # Check the bounding box first, since noise gives many specks.
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
            quads.append(quad)
    if not quads:
        return np.empty((0, 4, 2))
    return _squarish(np.stack(quads).reshape(-1, 4, 2).astype(np.float64))


def _squarish(quads: Quad) -> Quad:
    """Return those quads that can be squares seen at a slant, clockwise on the screen."""
    x, y = np.moveaxis(quads, -1, 0)
    doubled = (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)
    turned = np.where((doubled < 0)[:, np.newaxis, np.newaxis], quads[:, ::-1], quads)
    return np.asarray(turned[are_squarish(turned)])
