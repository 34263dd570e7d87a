"""Detects unread cards on a known table by the texture of their codes, also of codes that are partly covered.

The modules of a code give strong edges in both directions all over its area, unlike pens, rims and most print. A card
is where two squares of the right size, distance and direction show most of this texture; the codes that were read are
the reference for its strength.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.decode.finder_patterns import likeness
from scanner.geometry import (
    TablePlane,
    card_corners,
    centre,
    code_on_card,
    codes_of,
    fill,
    is_apart,
    project,
    rectangle,
    side,
    twin_on_card,
    view_from_above,
)
from scanner.image.filters import values_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.geometry import Field, TableView
    from scanner.image.filters import Pyramid
    from scanner.result import Grey, Quad

    Values = npt.NDArray[np.float64]


FINE = 2.0
"""Pixels per module of the view of the table in which texture is measured, if the table is not too large for that."""

COARSE = 0.5
"""Pixels per module of the mask in which cards are searched."""

MOST_CARDS, MISSES = 30, 8
"""Maximum number of places that are looked at, and of uncertain ones among them."""

# Minimum pixels per module of the view, and its maximum number of pixels.
_LEAST, _MOST = 1.2, 2_000_000

# Margin around the codes that is searched if the whole picture is too large a view, in heights of a card.
_AROUND = 1.5

# Side of the window of the structure tensor, and margin around cards that were read, both in modules.
_WINDOW, _MARGIN = 3, 3

# Strength of edges, relative to the median in codes that were read, from which on they count as texture.
_STRONG = 0.6

# Degrees between the directions that are tried; a card looks the same after half a turn.
_STEP = 10

# Share of a card's two codes that must be textured, and of one code from which on it counts as visible.
_SHARE, _VISIBLE = 0.12, 0.08

# Certainty, a sum of four measures of about 0.5, 1, 1 and 0.3, below which a place is probably no card.
_CERTAIN = 2.4

# Minimum certainty of a card on a plain table and on a printed one: newspapers and patterns have places with up to 2.6.
_PLAIN, _PRINTED = 1.9, 2.7

# Texture that no place explains, in areas of a code, from which on a table counts as printed: with rolled and covered
# cards at most 1.0 is left in 24 photographs, on newspapers and patterns at least 1.4 in 12.
_UNEXPLAINED = 1.2

# Correlation with the known modules of a code from which on its place and direction are certain.
_ALIGNED = 0.6

# Modules around the middle of a place at which codes are compared with it.
_REACH = 9

# Points along each side of a code or card at which masks are sampled.
_SAMPLES = 11

# Side of the square of places, in pixels of the mask, in which only the best counts.
_APART = 5

# Percentiles of brightness that count as black and white.
_EXTREMES = (10, 90)

# Size of the area that a card explains, relative to the card.
_WIDER = 1.06


@dataclass(frozen=True, eq=False)
class FoundCard:
    """An unread card that was found: the places of its codes, and its outline, or that of a code if not `whole`."""

    quad: Quad
    codes: Sequence[Quad]
    whole: bool


def textured_cards(
    picture: Pyramid,
    codes: Sequence[Quad],
    hidden: Sequence[Quad],
    table: TablePlane,
    geometry: Geometry,
    is_late: Callable[[], bool],
) -> list[FoundCard]:
    """Return the cards on a table whose visible parts have the texture of `codes`, outside the `hidden` outlines.

    Once `is_late` returns True the cards found so far are returned.
    """
    view = _view(picture, codes, hidden, table, geometry)
    texture = None if view is None else _Texture.of(view, codes)
    if view is None or texture is None:
        return []
    # Pixels of the masks for each of the view.
    factor = COARSE / (FINE * view.scale)
    mask, taken = (_shrunk(one, factor) for one in (texture.mask, view.hidden))
    outlines = _candidates(mask, geometry)
    card_points, code_points = _points(geometry)
    found: list[tuple[float, FoundCard]] = []
    misses = 0
    while len(outlines) and len(found) < MOST_CARDS and misses < MISSES and not is_late():
        shares = _shares(mask, outlines, code_points)
        # A card may lie on another, but seldom does.
        worth = shares.mean(axis=1) * (1 - _shares(taken, outlines, card_points)[:, 0])
        best = int(worth.argmax())
        if worth[best] < _SHARE:
            break
        places = [
            place / factor
            for place, share in zip(codes_of(outlines[best], geometry), shares[best], strict=True)
            if share >= _VISIBLE
        ]
        certainty, card = texture.card(outlines[best] / factor, places, geometry)
        # The areas only become smaller.
        outlines = outlines[worth >= _SHARE]
        known = card.quad * factor
        fill(mask, centre(known) + _WIDER * (known - centre(known)), 0)
        back = [project(view.back, code) for code in card.codes]
        found.append((certainty + worth[best], FoundCard(project(view.back, card.quad), back, card.whole)))
        if found[-1][0] < _CERTAIN:
            misses += 1
        else:
            fill(taken, known, 1)
    is_plain = float(mask.sum()) < _UNEXPLAINED * (COARSE * geometry.modules) ** 2
    least = _PLAIN if is_plain else _PRINTED
    cards: list[FoundCard] = []
    for certainty, card in sorted(found, key=lambda one: -one[0]):
        if certainty >= least and (certainty >= _CERTAIN or is_apart(card.quad, [other.quad for other in cards])):
            cards.append(card)
    return cards


def _view(
    picture: Pyramid, codes: Sequence[Quad], hidden: Sequence[Quad], table: TablePlane, geometry: Geometry
) -> TableView | None:
    """Return a view of the table from above with FINE pixels per module, or fewer if it is large."""
    unit = float(np.median([side(project(table.flat, code)) for code in codes])) / (FINE * geometry.modules)
    flat = np.diag((1 / unit, 1 / unit, 1.0)) @ table.flat
    limits = _LEAST / FINE, _MOST
    whole = view_from_above(picture, flat, [rectangle(*picture.shape[::-1])], hidden, 0.0, *limits)
    reach = _AROUND * FINE * geometry.height / geometry.module
    return whole or view_from_above(picture, flat, codes, hidden, reach, *limits)


@dataclass(frozen=True, eq=False)
class _Texture:
    """A view of the table, the strength of its texture relative to that of codes, and a mask of where it is strong."""

    grey: Grey
    strength: Field
    mask: npt.NDArray[np.bool_]
    contrast: float
    module: float

    @classmethod
    def of(cls, view: TableView, codes: Sequence[Quad]) -> _Texture | None:
        """Measure the texture of a view; None if none of the codes lies in it."""
        module = FINE * view.scale
        # The smaller eigenvalue of the structure tensor is only large where edges of both directions meet.
        strength = np.sqrt(np.maximum(cv2.cornerMinEigenVal(view.grey, round(_WINDOW * module), ksize=3), 0))
        read = np.zeros(strength.shape, dtype=np.uint8)
        for code in codes:
            fill(read, project(view.matrix, code), 1)
        if not read.any():
            return None
        strength /= max(float(np.median(strength[read > 0])), 1e-6)
        # Outlines are not exact.
        margin = 2 * round(_MARGIN * module) + 1
        free = cv2.dilate(view.hidden, np.ones((margin, margin), dtype=np.uint8)) == 0
        return cls(view.grey, strength, (strength > _STRONG) & free, _contrast(view.grey[read > 0]), module)

    def card(self, outline: Quad, places: Sequence[Quad], geometry: Geometry) -> tuple[float, FoundCard]:
        """Return how certain a card is, and the card, corrected by the known modules of its codes at some places."""
        measured = [self._code(place, geometry) for place in places]
        codes = [code for _, code in measured]
        measures = np.array([values for values, _ in measured])
        best = int(measures[:, 0].argmax())
        if measures[best, 0] >= _ALIGNED:
            whole, outline = True, TablePlane(np.eye(3)).outline(geometry, codes[best])
        else:
            whole = len(places) > 1
        return float(measures.max(axis=0).sum()), FoundCard(outline if whole else places[0], codes, whole)

    def _code(self, place: Quad, geometry: Geometry) -> tuple[tuple[float, float, float], Quad]:
        """Return the code of which the texture at a place is likely to be a part, and measures of it.

        These are the correlation of its known modules, and strength and contrast relative to codes that were read.
        """
        height, width = self.mask.shape
        left, top = np.clip(np.floor(place.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
        right, bottom = np.ceil(place.max(axis=0)).astype(int)
        box = slice(top, max(bottom, top + 1)), slice(left, max(right, left + 1))
        mask = self.mask[box]
        rows, columns = np.nonzero(mask)
        if not len(rows):
            return (0.0, 0.0, 0.0), place
        pixels = np.ascontiguousarray(self.grey[box])
        slopes = (cv2.Sobel(pixels, cv2.CV_32F, 1, 0) + 1j * cv2.Sobel(pixels, cv2.CV_32F, 0, 1))[mask]
        # The fourth power of a direction is the same for all sides of a square.
        turn = float(np.angle((slopes**4 / np.maximum(np.abs(slopes), 1) ** 3).sum())) / 4
        cos, sin = np.cos(turn), np.sin(turn)
        middle = np.array([left + columns.mean(), top + rows.mean()])
        codes = middle + self.module * geometry.modules * _squares(geometry) @ np.array([(cos, sin), (-sin, cos)])
        likely = likeness(self.grey, codes)
        best = int(likely.argmax())
        strength = float(np.median(self.strength[box][mask]))
        return (float(likely[best]), strength, _contrast(pixels[mask]) / self.contrast), codes[best]


def _contrast(values: Grey) -> float:
    """Return the difference in brightness between light and dark pixels."""
    return max(float(np.ptp(np.percentile(values, _EXTREMES))), 1.0)


def _shrunk(mask: npt.NDArray[np.generic], factor: float) -> Field:
    size = [max(round(length * factor), 1) for length in mask.shape[::-1]]
    return np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _candidates(mask: Field, geometry: Geometry) -> Quad:
    """Return the outlines of cards, shape (n, 4, 2), that are locally the best in a mask of texture."""
    length = round(COARSE * geometry.modules)
    way = (centre(twin_on_card(geometry)) - centre(code_on_card(geometry))) * COARSE / geometry.module
    across, down = np.round(way).astype(int).tolist()
    card = (card_corners(geometry) - centre(card_corners(geometry))) * COARSE / geometry.module
    height, width = mask.shape
    room = round(float(np.hypot(height, width)) + 2 * np.hypot(across, down))
    found = [np.empty((0, 4, 2))]
    for turn in range(0, 180, _STEP):
        turned = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1)
        turned[:, 2] += room / 2 - width / 2, room / 2 - height / 2
        codes = cv2.boxFilter(cv2.warpAffine(mask, turned, (room, room)), -1, (length, length))
        share = (codes[: room - down, : room - across] + codes[down:, across:]) / 2
        best = cv2.dilate(share, np.ones((_APART, _APART), dtype=np.uint8))
        rows, columns = np.nonzero((share >= _SHARE) & (share >= best))
        outlines = (np.column_stack((columns, rows)) + way / 2)[:, np.newaxis] + card
        if len(outlines):
            back = np.linalg.inv(np.vstack((turned, (0, 0, 1))))
            found.append(project(back, outlines.reshape(-1, 2)).reshape(-1, 4, 2))
    return np.concatenate(found)


def _shares(mask: Field, outlines: Quad, points: Quad) -> Values:
    """Return the means of a mask over areas of each card: `points` are shape (areas, m, 2), the result (n, areas)."""
    start, across, along = (outlines[:, np.newaxis, np.newaxis, at] for at in (0, 1, 3))
    spots = start + points[..., :1] * (across - start) + points[..., 1:] * (along - start)
    return np.asarray(values_at(mask, spots).mean(axis=2), dtype=np.float64)


@cache
def _points(geometry: Geometry) -> tuple[Quad, Quad]:
    """Return points on a card, shape (1, m, 2), and on its two codes, (2, m, 2), in parts of its width and height."""
    steps = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    square = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    codes = [code.min(axis=0) + square * geometry.code for code in (code_on_card(geometry), twin_on_card(geometry))]
    return square[np.newaxis], np.stack(codes) / (geometry.width, geometry.height)


@cache
def _squares(geometry: Geometry) -> Quad:
    """Return squares of side 1, each way up, around places near the origin: shape (n, 4, 2)."""
    steps = np.arange(-_REACH, _REACH + 1) / geometry.modules
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 1, 2)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) - 0.5
    return np.concatenate([offsets + np.roll(square, turns, axis=0) for turns in range(4)])
