"""Detects unread cards on a known table by the texture of their codes, also of codes that are partly covered.

The modules of a code give strong edges in both directions all over its area, unlike pens, rims and most print. A card
is where two squares of the right size, distance and direction show most of this texture, and hardly any is around them;
the codes that were read are the reference for its strength.
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
"""Pixels per module of the view of the table in which texture is measured, if the table is not too large for that.

In 11 photographs as many cards are read and named with 2.5, and with 1.6, which gives 3 false reports more."""

COARSE = 0.5
"""Pixels per module of the mask in which cards are searched: with 0.4 one card less is named, and 2 more falsely."""

MOST_CARDS, MISSES = 30, 8
"""Maximum number of places that are looked at, and of uncertain ones among them.

They bound the time; with 24 and 38, and 6 and 10, results are the same."""

# Minimum pixels per module of the view, and its maximum number of pixels, which bounds the time: a fifth less, and a
# quarter more, give the same results.
_LEAST, _MOST = 1.2, 2_000_000

# Margin around the codes that is searched if the whole picture is too large a view, in heights of a card.
_AROUND = 1.5

# Side of the window of the structure tensor, and margin around cards that were read, both in modules. In 7 photographs
# with 25 unread cards 2 fewer are named with a window of 2, and one with a margin of 2; 4 makes no difference.
_WINDOW, _MARGIN = 3, 3

# Strength of edges, relative to the median in codes that were read, from which on they count as texture.
# With 0.42 and with 0.84, 2 of the 25 fewer are named.
_STRONG = 0.6

# Degrees between the directions that are tried; a card looks the same after half a turn. With 7 and 14 one of the 25
# fewer is named, and 1 and 2 more falsely.
_STEP = 10

# Degrees between a card's direction and that of the nearest code that was read, at most, up to half a turn. Derived:
# beyond it a card lies across all others. With 90, which are all directions, 4 of 350 rolled cards fewer are named and
# 7 more falsely, in 65 photographs, and a scan takes a quarter more time.
_ACROSS = 45

# Width and height as seen from above, as shares of a flat card's: flat, and bent across or along. On an arc of a radius
# of 35 mm the chord is 0.87 of a poker card's width, or 0.77 of its height. With 0.8 outlines more often span two:
# in 84 photographs 8 cards fewer are read, 7 more have no report, and 4 more reports are false. Without bent outlines 6
# of 44 rolled cards fewer are named, and 4 more falsely.
_BENT = ((1.0, 1.0), (0.9, 1.0), (1.0, 0.9))

# Share of a card's two codes that must be textured, and of one code from which on it counts as visible. With a share of
# 0.17, 2 of the 25 fewer are named, and with 0.08 as many, for a third more time. Codes that count from 0.04 to 0.08 on
# give the same cards; from 0.12 on 5 of 44 rolled cards fewer are named.
_SHARE, _VISIBLE = 0.12, 0.08

# Certainty, a sum of five measures of about 0.5, 1, 1, 0.8 and 0.3, below which a place is probably no card.
_CERTAIN = 3.25

# Minimum certainty of a card on a plain table and on a printed one: two places in 32 pictures of newspapers have more.
# With 2.75 on a plain table two of 250 rolled cards fewer are named, with as many false reports.
_PLAIN, _PRINTED = 2.7, 3.5

# Texture that no place explains, in areas of a code, from which on a table counts as printed: with rolled and covered
# cards at most 2.3 is left in 162 photographs, on newspapers and print at least 2.9 in 48 of 50.
_UNEXPLAINED = 2.5

# Correlation with the known modules of a code from which on its place and direction are certain: with 0.4 and with 0.8
# as many cards are read and named.
_ALIGNED = 0.6

# Modules around the middle of a place at which codes are compared with it: 6 and 13 read and name as many cards.
_REACH = 9

# Side of the square around a code, and the margin between them that belongs to neither, in sides of a code; and the
# weight of texture there: with 1, 2 and 4 of 160 cards less are named.
_WIDE, _GAP, _OUTSIDE = 1.7, 0.1, 2.0

# Points along each side of a code or card at which masks are sampled. With 5, 2 cards fewer are read, with 10, 2 of the
# 25 fewer named.
_SAMPLES = 7

# Side of the square of places, in pixels of the mask, in which only the best counts: 4 to 7 give the same.
_APART = 5

# Percentiles of brightness that count as black and white.
_EXTREMES = (10, 90)

# Distance of single places, in sides of a code, below which they are on one card, as its name beside a code is.
# Derived: codes of two cards that do not overlap are 2.3 apart. Without it 11 doubts are false in 108 photographs
# instead of 7.
_BESIDE = 2.0

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
    outlines = _candidates(mask, geometry, _turns(view, codes))
    card_points, code_points, around_points = _points(geometry)
    agreeing = _agreement(texture, factor, outlines, code_points)
    found: list[tuple[float, FoundCard]] = []
    misses = 0
    while len(outlines) and len(found) < MOST_CARDS and misses < MISSES and not is_late():
        # Print goes on around a place, but white surrounds a code.
        around = _OUTSIDE * _shares(mask, outlines, around_points)
        shares = np.maximum(_shares(mask, outlines, code_points) - around, 0)
        # A card may lie on another, but seldom does.
        worth = (shares * agreeing).mean(axis=1) * (1 - _shares(taken, outlines, card_points)[:, 0])
        best = int(worth.argmax())
        if worth[best] < _SHARE:
            break
        places = [
            place / factor
            for place, share in zip(codes_of(outlines[best], geometry), shares[best], strict=True)
            if share >= _VISIBLE
        ]
        certainty, card = texture.card(outlines[best] / factor, places, geometry)
        left = worth >= _SHARE
        outlines, agreeing = outlines[left], agreeing[left]
        known = card.quad * factor
        fill(mask, centre(known) + _WIDER * (known - centre(known)), 0)
        codes_there = [view.up(code) for code in card.codes]
        found.append((certainty + worth[best], FoundCard(view.up(card.quad), codes_there, card.whole)))
        if found[-1][0] < _CERTAIN:
            misses += 1
        else:
            fill(taken, known, 1)
    if float(mask.sum()) < _UNEXPLAINED * (COARSE * geometry.modules) ** 2:
        found = [one for one in found if one[0] >= _PLAIN]
    else:
        # Single codes are as frequent in print.
        found = [one for one in found if one[0] >= _PRINTED and one[1].whole]
    cards: list[FoundCard] = []
    for certainty, card in sorted(found, key=lambda one: -one[0]):
        if (certainty >= _CERTAIN or is_apart(card.quad, [other.quad for other in cards])) and not any(
            _on_one_card(card, other) for other in cards
        ):
            cards.append(card)
    return cards


def _on_one_card(one: FoundCard, other: FoundCard) -> bool:
    """Return whether two single places are too near to each other to be on two cards: a code and its card's name."""
    apart = float(np.linalg.norm(centre(one.quad) - centre(other.quad)))
    return not one.whole and not other.whole and apart < _BESIDE * side(one.quad)


def _view(
    picture: Pyramid, codes: Sequence[Quad], hidden: Sequence[Quad], table: TablePlane, geometry: Geometry
) -> TableView | None:
    """Return a view of the table from above with FINE pixels per module, or fewer if it is large."""
    flat = table.scaled(codes, FINE * geometry.modules)
    limits = _LEAST / FINE, _MOST
    whole = view_from_above(picture, flat, [rectangle(*picture.shape[::-1])], hidden, 0.0, *limits)
    reach = _AROUND * FINE * geometry.height / geometry.module
    return whole or view_from_above(picture, flat, codes, hidden, reach, *limits)


@dataclass(frozen=True, eq=False)
class _Texture:
    """A view of the table, the strength of its texture relative to that of codes, and a mask of where it is strong.

    `slopes` are complex: their length is the slope of brightness there, their angle four times its direction.
    """

    grey: Grey
    strength: Field
    slopes: npt.NDArray[np.complex64]
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
        mask = (strength > _STRONG) & free
        across, down = (cv2.Sobel(view.grey, cv2.CV_32F, *way)[mask] for way in ((1, 0), (0, 1)))
        # The fourth power of a direction is the same for all sides of a square.
        slopes = np.zeros(mask.shape, dtype=np.complex64)
        slopes[mask] = (across + 1j * down) ** 4 / np.maximum(np.hypot(across, down), 1) ** 3
        return cls(view.grey, strength, slopes, mask, _contrast(view.grey[read > 0]), module)

    def card(self, outline: Quad, places: Sequence[Quad], geometry: Geometry) -> tuple[float, FoundCard]:
        """Return how certain a card is, and the card, corrected by the known modules of its codes at some places."""
        # It is not known which of a card's two codes a single one is.
        turns = 1 if len(places) > 1 else 4
        measured = [self._code(place, turns, geometry) for place in places]
        codes = [code for _, code, _ in measured]
        measures = np.array([values for values, _, _ in measured])
        best = int(measures[:, 0].argmax())
        if measures[best, 0] >= _ALIGNED:
            whole, outline = True, TablePlane(np.eye(3)).outline(geometry, codes[best])
        else:
            whole = len(places) > 1
        return float(measures.max(axis=0).sum()), FoundCard(outline if whole else measured[0][2], codes, whole)

    def _code(
        self, place: Quad, turns: int, geometry: Geometry
    ) -> tuple[tuple[float, float, float, float], Quad, Quad]:
        """Return measures of the texture at a place, the code of which it is likely to be a part, and its own place.

        The code may be turned against the place by so many quarter `turns`. The measures are the correlation of its
        known modules, strength and contrast relative to codes that were read, and how evenly directions are
        distributed. The texture's own place has it in the middle, so that it lies on the card even if the code is bent.
        """
        height, width = self.mask.shape
        left, top = np.clip(np.floor(place.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
        right, bottom = np.ceil(place.max(axis=0)).astype(int)
        box = slice(top, max(bottom, top + 1)), slice(left, max(right, left + 1))
        mask = self.mask[box]
        rows, columns = np.nonzero(mask)
        if not len(rows):
            return (0.0, 0.0, 0.0, 0.0), place, place
        pixels = np.ascontiguousarray(self.grey[box])
        slopes = self.slopes[box][mask]
        total = complex(slopes.sum())
        # At this size modules have edges in all directions, the strokes of letters more in some.
        even = 1 - abs(total) / max(float(np.abs(slopes).sum()), 1e-6)
        across, down = place[1] - place[0]
        quarter, turn = np.pi / 2, np.angle(total) / 4
        turn += quarter * round((np.arctan2(down, across) - turn) / quarter)
        axes = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        middle = np.array([left + columns.mean(), top + rows.mean()])
        codes = middle + self.module * geometry.modules * _squares(geometry, turns) @ axes
        likely = likeness(self.grey, codes)
        best = int(likely.argmax())
        strength = float(np.median(self.strength[box][mask]))
        measures = float(likely[best]), strength, _contrast(pixels[mask]) / self.contrast, even
        return measures, codes[best], place - centre(place) + middle


def _contrast(values: Grey) -> float:
    """Return the difference in brightness between light and dark pixels."""
    return max(float(np.ptp(np.percentile(values, _EXTREMES))), 1.0)


def _shrunk(mask: npt.NDArray[np.generic], factor: float) -> Field:
    size = [max(round(length * factor), 1) for length in mask.shape[::-1]]
    return np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _turns(view: TableView, codes: Sequence[Quad]) -> list[int]:
    """Return the directions, in degrees, in which cards are searched: more along a code that was read than across.

    Codes of two neighbours look like those of a card that lies across them.
    """
    quads = project(view.matrix, np.array(codes))
    read = np.degrees(np.angle((quads[:, 1] - quads[:, 0]) @ (1, 1j)))
    return [turn for turn in range(0, 180, _STEP) if (np.abs((turn - read + 90) % 180 - 90) <= _ACROSS).any()]


def _candidates(mask: Field, geometry: Geometry, turns: Sequence[int]) -> Quad:
    """Return the outlines of cards in some directions that are locally the best in a mask of texture: (n, 4, 2)."""
    length = round(COARSE * geometry.modules)
    card = (card_corners(geometry) - centre(card_corners(geometry))) * COARSE / geometry.module
    whole = (centre(twin_on_card(geometry)) - centre(code_on_card(geometry))) * COARSE / geometry.module
    height, width = mask.shape
    room = round(float(np.hypot(height, width) + 2 * np.hypot(*whole)))
    found = [np.empty((0, 4, 2))]
    for turn in turns:
        turned = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1)
        turned[:, 2] += room / 2 - width / 2, room / 2 - height / 2
        codes = cv2.boxFilter(cv2.warpAffine(mask, turned, (room, room)), -1, (length, length))
        back = np.linalg.inv(np.vstack((turned, (0, 0, 1))))
        for bent in _BENT:
            way = whole * bent
            across, down = np.round(way).astype(int).tolist()
            share = (codes[: room - down, : room - across] + codes[down:, across:]) / 2
            best = cv2.dilate(share, np.ones((_APART, _APART), dtype=np.uint8))
            rows, columns = np.nonzero((share >= _SHARE) & (share >= best))
            outlines = (np.column_stack((columns, rows)) + way / 2)[:, np.newaxis] + card * bent
            found.append(project(back, outlines))
    return np.concatenate(found)


def _shares(mask: Field, outlines: Quad, points: Quad) -> Values:
    """Return the means of a mask over areas of each card: `points` are shape (areas, m, 2), the result (n, areas)."""
    start, across, along = (outlines[:, np.newaxis, np.newaxis, at] for at in (0, 1, 3))
    spots = start + points[..., :1] * (across - start) + points[..., 1:] * (along - start)
    return np.asarray(values_at(mask, spots).mean(axis=2), dtype=np.float64)


def _agreement(texture: _Texture, factor: float, outlines: Quad, points: Quad) -> Values:
    """Return how well the direction of texture agrees with each card at its codes, from 0 to 1: shape (n, 2)."""
    parts = texture.slopes.real, texture.slopes.imag
    real, imaginary = (_shares(_shrunk(part, factor), outlines, points) for part in parts)
    across = np.angle((outlines[:, :1] - outlines[:, 1:2]) @ (1, 1j))
    return np.asarray((1 + np.cos(np.angle(real + 1j * imaginary) - 4 * across)) / 2)


@cache
def _points(geometry: Geometry) -> tuple[Quad, Quad, Quad]:
    """Return points on a card, shape (1, m, 2), on its two codes, (2, m, 2), and around these, (2, l, 2).

    They are in parts of its width and height.
    """
    steps = (np.arange(_SAMPLES) + 0.5) / _SAMPLES - 0.5
    square = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    wider = _WIDE * square
    frame = wider[np.abs(wider).max(axis=1) > 0.5 + _GAP]
    middles = [centre(code(geometry)) for code in (code_on_card, twin_on_card)]
    size = np.array([geometry.width, geometry.height])
    codes, around = (np.stack([middle + geometry.code * one for middle in middles]) / size for one in (square, frame))
    return square[np.newaxis] + 0.5, codes, around


@cache
def _squares(geometry: Geometry, turns: int) -> Quad:
    """Return squares of side 1, turned by so many quarters, around places near the origin: shape (n, 4, 2)."""
    steps = np.arange(-_REACH, _REACH + 1) / geometry.modules
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 1, 2)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) - 0.5
    return np.concatenate([offsets + np.roll(square, turn, axis=0) for turn in range(turns)])
