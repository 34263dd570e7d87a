"""Finds cards of which no code was read as bright quadrilaterals: seen from above, all are rectangles of one size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.geometry import TablePlane, are_squarish, card_corners, centre, project, rectangle
from scanner.image.filters import percentiles

if TYPE_CHECKING:
    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.result import Grey, Quad

    Values = npt.NDArray[np.float64]


# Figures in this module are of 1,151 cards that are outlined right in 179 simulated photographs of 2 to 12
# megapixels: hopeless, hard, covered and rolled ones, and some of tiny cards on chequered tables.

# Pixels of the longer side to which a picture is shrunk: with 590, 170 fewer cards are outlined, with 1,180 two more.
_SIZE = 840

# Number of rectangles that define a table plane: with 3 three cards more are outlined, with 6, 32 fewer. Number beyond
# which a picture shows a pattern, and comparing all of them takes too long: with 200 and 1,000 as many are.
_FEWEST, _MOST = 4, 400

# The threshold is the mean of so large a part of the picture, a few cards: with 6, 18 cards more are outlined and
# 5 wrong ones, with 11, 21 fewer cards.
_AROUND = 8

# How much above that mean a pixel may be a card's, as a part of the contrast, since dark pictures have little, and the
# percentiles of brightness between which that is: with 0.07, 56 fewer cards are outlined, with 0.035 two.
_BRIGHTER, _EXTREMES = 0.05, (2, 98)

# Minimum side of a card in pixels: with 8 five squares of chequered tables are outlined, and with 17, 425.
_SMALLEST = 12.0

# Share of the four-cornered shape that an outline must fill: with 0.8, 57 cards more are outlined, most of them bent,
# and 5 wrong ones, with 0.95, 35 fewer.
_FILLED = 0.9

# How far an outline may be from its four corners' sides, as a share of its length: with 0.04, 216 squares of chequered
# tables are outlined, with 0.065 none.
_STRAIGHT = 0.055

# Largest differences in a group: ratio of length and width relative to each other, and size, as a logarithm. With 1.2
# six fewer cards are outlined, with 1.45 as many; with 0.25 three fewer, with 0.5 six.
_SHAPE, _UNLIKE = 1.3, 0.35

# Largest mean error of a card's sides and diagonals, as a logarithm, and how often the plane is fitted to such cards:
# with 0.09, 42 fewer cards are outlined, with 0.18, 9 wrong ones; with a single fit 12 fewer, with 2 and 5 as many.
_ERROR, _FITS = 0.13, 3


def rectangles(grey: Grey, geometry: Geometry) -> list[Quad]:
    """Return the outlines of cards on one table, at any slant, as rectangles on it: the width first, clockwise."""
    factor = min(1.0, _SIZE / max(grey.shape))
    if factor * min(grey.shape) < 1:
        # A strip, as no photograph is.
        return []
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1), dtype=np.uint8)
    quads = _outlines(_bright(soft))
    cards = _cards_on_plane(quads, geometry) if _FEWEST <= len(quads) <= _MOST else quads[:0]
    return list(cards / factor)


def _bright(soft: Grey) -> Grey:
    """Return a mask of what is brighter than its surroundings: cards on a darker table."""
    around = max(max(soft.shape) // _AROUND | 1, 3)
    dark, light = percentiles(np.asarray(soft[::2, ::2], dtype=np.uint8), *_EXTREMES)
    method, kind = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY
    return np.asarray(cv2.adaptiveThreshold(soft, 255, method, kind, around, -_BRIGHTER * (light - dark)))


def _outlines(areas: Grey) -> Quad:
    """Return the four-cornered ones of the areas that are not 0, shape (n, 4, 2), clockwise on the screen."""
    contours, _ = cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    quads = [np.empty((0, 4, 2))]
    for contour in contours:
        filled = cv2.contourArea(contour)
        if filled < _FILLED * _SMALLEST**2:
            continue
        hull = cv2.convexHull(contour)
        quad = cv2.approxPolyDP(hull, _STRAIGHT * cv2.arcLength(hull, closed=True), closed=True)
        if len(quad) == 4 and _FILLED * cv2.contourArea(quad) < filled:  # noqa: PLR2004 - corners
            quads.append(quad.reshape(1, 4, 2).astype(np.float64))
    found = np.concatenate(quads)
    return np.asarray(found[are_squarish(found)])


def _cards_on_plane(quads: Quad, geometry: Geometry) -> Quad:
    """Return those outlines, shape (n, 4, 2), that can be cards on one table at some slant, the width first."""
    size = np.sqrt([geometry.width / geometry.height, geometry.height / geometry.width])
    # Each outline may be a card either way round.
    quads = np.concatenate((quads, np.roll(quads, 1, axis=1)))
    across = quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]
    along = quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]
    sides = np.stack((across, along), axis=2) / 2 / size
    squares = quads.mean(axis=1, keepdims=True) + (rectangle(1, 1) - 0.5) @ sides.transpose(0, 2, 1)
    alike = _are_alike(sides)
    # The largest group of like quadrilaterals.
    kept = alike[alike.sum(axis=1).argmax()]
    for _ in range(_FITS):
        if kept.sum() < _FEWEST:
            return quads[:0]
        table = TablePlane.under(list(squares[kept]))
        errors = _errors(quads, table, size, kept)
        kept = (errors < _ERROR) & (errors < np.roll(errors, len(quads) // 2))
    return _equal_cards(quads[kept], table, geometry) if kept.sum() >= _FEWEST else quads[:0]


def _equal_cards(quads: Quad, table: TablePlane, geometry: Geometry) -> Quad:
    """Return cards of one size in the places of quads, shape (n, 4, 2), on a table."""
    card = (card_corners(geometry) - centre(card_corners(geometry))) @ (1, 1j)
    flat = project(table.flat, quads) @ (1, 1j)
    middles = flat.mean(axis=1, keepdims=True)
    # Factors that turn and stretch the card to each quad.
    turns = (flat - middles) @ card.conj() / (np.abs(card) ** 2).sum()
    turns *= np.median(np.abs(turns)) / np.abs(turns)
    spots = middles + turns[:, np.newaxis] * card
    return project(np.linalg.inv(table.flat), np.stack((spots.real, spots.imag), axis=-1))


def _are_alike(sides: Quad) -> npt.NDArray[np.bool_]:
    """Return which parallelograms have the same shape and size; their sides are the columns of (n, 2, 2)."""
    areas = np.maximum(np.abs(np.linalg.det(sides)), 1e-9)
    a, b, _, c = (sides @ sides.transpose(0, 2, 1) / areas[:, np.newaxis, np.newaxis]).reshape(-1, 4).T
    # Half the trace of one such matrix by the inverse of another: 1 if one shape is the other.
    traces = np.multiply.outer(a, c)
    traces = (traces + traces.T) / 2 - np.multiply.outer(b, b)
    sizes = np.log(areas) / 2
    return np.asarray(
        (traces < (_SHAPE + 1 / _SHAPE) / 2) & (np.abs(np.subtract.outer(sizes, sizes)) < _UNLIKE), dtype=np.bool_
    )


def _errors(quads: Quad, table: TablePlane, size: Values, kept: npt.NDArray[np.bool_]) -> Values:
    """Return the root mean square errors, as logarithms, of the sides and diagonals of quads as cards on a table.

    `size` is the size of a card but for a factor, which is the median of the `kept` ones.
    """
    flat = project(table.flat, quads)
    ways = np.concatenate((flat - np.roll(flat, -1, axis=1), flat[:, :2] - flat[:, 2:]), axis=1)
    diagonal = np.hypot(*size)
    logs = np.log(np.maximum(np.linalg.norm(ways, axis=2), 1e-9)) - np.log((*size, *size, diagonal, diagonal))
    errors = np.sqrt(((logs - np.median(logs[kept])) ** 2).mean(axis=1))
    depths = quads @ table.flat[2, :2] + table.flat[2, 2]
    return np.where((depths > 0).all(axis=1), errors, np.inf)
