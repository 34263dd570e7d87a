"""Estimates from single and paired codes how many cards were missed altogether.

If each code is missed by chance with the same share q, then of n cards n q^2 are missed altogether, 2 n q (1 - q) show
one code and n (1 - q)^2 both. So singles^2 / (4 pairs) cards are expected to have no code that was read.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from scanner.decode.identify import is_of_seen, laid_out, meaning_of, scanned
from scanner.decode.search_state import EXPECTED_MISSES, StopCriterion
from scanner.geometry.homography import TablePlane
from scanner.geometry.quads import centre, shared, side
from scanner.image.filters import Pyramid, percentiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Geometry, PrintedGame
    from scanner.decode.backends import DecodedCode
    from scanner.decode.identify import PhotoLayout
    from scanner.result import Grey, Quad


LOOK = 504
"""Pixels of the longer side at which the whole picture is looked over: a card of a deck of 40 has 40 by 55 of them."""

# Brightness steps from this share of white on count as the edge of something: grain of wood and weave have less.
_STEP = 0.2

# Percentile of brightness that counts as white: cards may be a small part of a picture.
_PAPER = 99.5

# Margin around a card, in millimetres, that is ignored: its shadow, and the error of its outline.
_BEYOND = 3.0

# Pixels of the overview that join what belongs to one thing.
_GAP = 5

# Pixels a side of a place, and the share of them that have edges if it is full of them: a line through it has less.
_PLACE, _FULL = 13, 0.45

# Minimum length and width of an object, as shares of a card, of which a third is then visible.
_LONG, _WIDE = 0.5, 0.2


# Of pictures that are looked over again, after cards were found.
_overviews: WeakKeyDictionary[Pyramid, tuple[Grey, float]] = WeakKeyDictionary()


def unexplained_objects(
    picture: Pyramid, outlines: Sequence[Quad], others: Sequence[Quad], geometry: Geometry
) -> list[Quad]:
    """Return convex shapes, in pixels, around objects outside the outlines of cards and of `others`.

    It takes about a millisecond, and separates objects from an even table, but not cards from other objects.
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


def dense_region(picture: Pyramid) -> Quad | None:
    """Return the bounding box of the largest region full of edges: cards from afar, even if lines cross the picture."""
    marks, factor = _marks(picture)
    share = cv2.boxFilter(marks, cv2.CV_32F, (_PLACE, _PLACE))
    contours, _ = cv2.findContours((share > _FULL).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    left, top, width, height = cv2.boundingRect(max(contours, key=cv2.contourArea))
    low, high = np.array([left, top]) / factor, np.array([left + width, top + height]) / factor
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def _marks(picture: Pyramid) -> tuple[Grey, float]:
    """Return the edge mask of a picture's overview (read-only) and its scale."""
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


# Share of a code that another card may cover before that explains why it was not read.
_COVERED = 0.02


class MissingCardEstimator(StopCriterion):
    """Decides from the codes read so far whether cards are missing.

    A card counts as read with one of its codes. The number of cards with only one gives an estimate of those with
    none; but these can only exist if the table holds objects that the cards read so far do not explain.
    """

    def __init__(self, game: PrintedGame, grey: Grey) -> None:
        """Take the game whose cards lie in a picture."""
        self._game = game
        self._picture = Pyramid(grey)
        self._told = 0
        self._missed = 0.0
        self._layout: PhotoLayout | None = None
        self._more: bool | None = None

    def missing(self, found: Sequence[DecodedCode]) -> bool:
        """Return whether unread cards are to be expected, and the picture has unexplained objects."""
        if not self.may_be_missing(found):
            return False
        if self._more is None:
            layout = self.laid(found)
            cards = [np.array(card.outline) for card in layout.seen]
            others = [np.array(code.quad) for code in layout.codes if code.card is None]
            self._more = bool(unexplained_objects(self._picture, cards, others, self._game.geometry))
        return self._more

    def may_be_missing(self, found: Sequence[DecodedCode]) -> bool:
        """Return whether enough cards show only one of two codes for some to show none."""
        self._look_at(found)
        return self._missed >= EXPECTED_MISSES

    def explained(self, found: Sequence[DecodedCode], place: DecodedCode) -> bool:
        """Return whether a place is the second code, or part of the face, of a card that was read."""
        self._look_at(found)
        return is_of_seen(place.quad, self.laid(found), self._game.geometry)

    def _look_at(self, found: Sequence[DecodedCode]) -> None:
        # A search only ever adds codes, so their number says which they are.
        if len(found) == self._told:
            return
        height, width = self._picture.shape
        self._told, self._layout, self._more = len(found), None, None
        self._missed = expected_missing_cards(found, self._game, width, height)

    def laid(self, found: Sequence[DecodedCode]) -> PhotoLayout:
        """Return the layout of the codes. Cached, since it takes some milliseconds."""
        self._look_at(found)
        if self._layout is None:
            self._layout = laid_out(scanned(found, self._game), self._game)
        return self._layout


def expected_missing_cards(found: Sequence[DecodedCode], game: PrintedGame, width: int, height: int) -> float:
    """Estimate the number of cards of which neither code was read although both are visible."""
    quads: dict[str, list[Quad]] = defaultdict(list)
    for one in found:
        if one.text is not None and meaning_of(one.text, game).status == "card":
            quads[one.text].append(one.quad)
    pairs = sum(len(group) > 1 for group in quads.values())
    singles = {text: group[0] for text, group in quads.items() if len(group) == 1}
    if not singles:
        return 0.0
    table = TablePlane.under([quad for group in quads.values() for quad in group])
    outlines = {text: table.outline(game.geometry, *group[:2]) for text, group in quads.items()}
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    missed = 0
    for text, quad in singles.items():
        place = table.twin_place(game.geometry, quad)
        hidden = any(shared(place, card) > _COVERED for other, card in outlines.items() if other != text)
        missed += not hidden and shared(place, frame) > 1 - _COVERED
    return missed**2 / (4 * max(pairs, 1))
