"""Ways to find cards of which no code was read: on a known table, and where scale and slant of it must be found too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from cardgen.payload import parse
from scanner.cards.code_patches import FINE, MOST_CARDS, cards_of_unknown_size, cards_on_table
from scanner.cards.code_texture import FoundCard, textured_cards
from scanner.cards.objects import dense_region
from scanner.cards.rectangle_detector import card_in, rectangles
from scanner.decode.finder_patterns import is_sharp
from scanner.geometry.homography import MOST_PIXELS, TablePlane, view_from_above
from scanner.geometry.quads import centre, codes_of, contains, project, shared, side
from scanner.time_budget import decode_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.decode.identify import PhotoLayout
    from scanner.image.filters import Pyramid
    from scanner.result import Quad, ScannedCode

    Matrix = npt.NDArray[np.float64]

TABLE = 2_500_000
"""Cost of searching a known table plane for cards: the time of decoding a JPEG with this number of pixels."""

TEXTURE, TEXTURED = 8_000_000, 800_000
"""The same for the texture of codes, and for each card that has it."""

LOOK = 600
"""Pixels of the longer side, at least, of the picture that is searched for patches of codes of unknown size."""

BLURRED = 400
"""The same for rims where nothing is sharp."""

PATCHES, RIMS = 8_000_000, 4_000_000
"""Cost of searching for patches, and for rims: the time of decoding a JPEG with this number of pixels."""

# Correlation from which on a place counts as a patch: noise alone has less as a rule.
_LEAST = 0.38

# Number of cards from which on no other method is tried.
_MANY = 7

# Margin around objects, as a share of their size.
_ASIDE = 0.1

# Number of the largest objects that are searched separately if the whole picture gave nothing.
_LARGEST = 3

# Size of a dense region that is searched first, in longer sides of the picture, and the margin around it.
_SIDE, _AFAR, _AROUND = 0.08, 0.4, 0.2

# Maximum size of such an object, in longer sides of the picture.
_SMALLER = 0.7

# Number of cards found from which on no other table plane is tried.
_PLENTY = 5

# Codes from which on a table is known with its perspective.
ENOUGH = 4

# Number of unexplained objects up to which a single one of a card's size counts as a card: print has more.
_THINGS = 12

# Cost of searching a view for patches, fixed and per pixel, in pixels of a decoded JPEG.
_PATCHES, _A_PATCHED = 1_200_000, 2

# Pixels of the view for each of the picture, and at least and at most: small ones show little of what is far away.
_VIEWED, _VIEWS = 0.3, (600_000, MOST_PIXELS)

# Margins around the known codes, in heights of a card, that are searched if the whole picture is too large a view.
_REACHES = (4.0, 1.2)

# Millimetres by which a box around a card may be too large, or too small where only the print shows.
_LOOSE = 6.0

# The extent of an envelope's label around its own code, around the join link at its left, and of any other object
# around its code, in sides of the code: left, top, right, bottom.
_LABEL, _JOIN = (-2.9, -1.7, 1.6, 1.4), (-0.6, -1.7, 3.9, 1.4)
_OTHER = (-1.0, -1.0, 2.0, 2.0)

# A located code differs less from others on the table in the lengths of its sides.
_UNLIKE = 1.35

# So many times longer than wide a code seems at a slant of 58 degrees.
_SQUEEZED = 1.9

# Share of a card that lies in the picture at least.
_IN_SIGHT = 0.2

# Share of a place that a card which was read may cover; beyond that it is that card.
_COVERED = 0.75


@dataclass(frozen=True, eq=False)
class _Candidate:
    """Code positions that define a table plane, and the cards found so far."""

    codes: Sequence[Quad]
    cards: Sequence[Quad]


@dataclass(frozen=True, eq=False)
class MissingCardSearch:
    """A picture, the codes that were read in it with the plane they give, and the areas in which no card is searched.

    `boxes` are shapes that may be unread cards: objects outside of these areas, and located codes.
    """

    picture: Pyramid
    plane: TablePlane
    codes: Sequence[Quad]
    taken: Sequence[Quad]
    boxes: Sequence[Quad]
    geometry: Geometry
    affords: Callable[[float], bool]


def by_texture(search: MissingCardSearch) -> list[FoundCard]:
    """Return the cards whose codes are visible in part.

    In 136 difficult photographs it leaves 46 unread cards less without a report, for 20 ms each and 12 false reports.
    """
    if not search.affords(decode_seconds(TEXTURE)):
        return []

    def is_late() -> bool:
        return not search.affords(decode_seconds(TEXTURED))

    return textured_cards(search.picture, search.codes, search.taken, search.plane, search.geometry, is_late)


def by_patches(search: MissingCardSearch) -> list[FoundCard]:
    """Return the cards on a known table that show two grey squares: blurred ones, and ones on bent paper.

    In 136 difficult photographs it reads 6 cards more, and leaves 9 unread ones less without a report.
    """
    if not search.affords(decode_seconds(TABLE)):
        return []
    # Where many codes were read coins and fingers look like single ones, and texture shows these better.
    return _whole(_on_table(search, _Candidate(search.codes, ()))[0], search.geometry)


def as_objects(search: MissingCardSearch) -> list[FoundCard]:
    """Return the cards with no visible code that are single objects of a card's size.

    In the same photographs it reads 3 cards more, for a millisecond each. Otherwise nothing shows a card of which a
    reflection hides both codes.
    """
    found = _alone(search.boxes, search.plane, search.codes, search.geometry) if len(search.boxes) <= _THINGS else []
    return _whole([card for card in found if is_free(card, search.taken)], search.geometry)


def on_unknown_table(search: MissingCardSearch) -> list[FoundCard]:
    """Return the cards where hardly any code was read, so that scale and slant of the table must be found as well.

    It takes up to the time of decoding a JPEG of 12 megapixels.
    """
    cards: list[Quad] = []
    codes: list[Quad] = []
    for one in _candidate_tables(search):
        found: tuple[list[Quad], list[Quad]] = (list(one.cards), [])
        if search.affords(decode_seconds(TABLE)):
            found = _on_table(search, one)
        if sum(map(len, found)) > len(cards) + len(codes):
            cards, codes = found
        if len(cards) + len(codes) >= max(len(one.cards), _PLENTY):
            break
    cards = [card for card in cards if is_free(card, search.taken)]
    return [*_whole(cards, search.geometry), *(FoundCard(code, [code], whole=False) for code in codes)]


def _whole(cards: Iterable[Quad], geometry: Geometry) -> list[FoundCard]:
    return [FoundCard(card, codes_of(card, geometry), whole=True) for card in cards]


def in_sight(found: Sequence[FoundCard], picture: Pyramid) -> list[FoundCard]:
    """Return the cards that do not lie mostly beyond the picture's edge, which seems to go on if seen from above."""
    height, width = picture.shape
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    return [
        one
        for one in found
        if (shared(one.quad, frame) > _IN_SIGHT if one.whole else contains(frame, centre(one.quad)))
    ]


def _candidate_tables(search: MissingCardSearch) -> Iterator[_Candidate]:
    """Yield candidate tables where hardly any code was read, each including the few that were.

    Without pairs of patches 361 of 720 cards in hopeless photographs are not named, without rectangles 60 of 96 at a
    steep slant; both take 20 ms in 2 megapixels.
    """
    picture, geometry, affords = search.picture, search.geometry, search.affords
    cards: list[Quad] = []
    # Where nothing is sharp the edges that are left are those of some cards, and not of all.
    crowded = dense_region(picture) if is_sharp(picture.whole) else None
    for number, (low, high) in enumerate(_parts(search.boxes, crowded, *picture.shape[::-1])):
        if not cards and affords(decode_seconds(PATCHES)):
            cards = _in_pairs(picture, low, high, geometry)
            if len(cards) >= _MANY:
                yield _Candidate([*search.codes, *_codes(cards, geometry)], cards)
        if not number:
            yield from _by_rectangles(picture, geometry, affords)
    codes = [*search.codes, *_codes(cards, geometry)]
    if codes:
        yield _Candidate(codes, cards)


def _by_rectangles(picture: Pyramid, geometry: Geometry, affords: Callable[[float], bool]) -> list[_Candidate]:
    """Return the table found by rectangle detection, if any."""
    most: list[Quad] = []
    # Blur leaves rims as they are at half the size as a rule, where that takes less than half of the time.
    for look, cost in ((LOOK, RIMS),) if is_sharp(picture.whole) else ((BLURRED, RIMS // 2), (LOOK, RIMS)):
        level = picture.halved(max(picture.shape) / look, 1.0)
        if len(most) >= _MANY or not affords(decode_seconds(cost)):
            break
        rims = [level.up(quad) for quad in rectangles(level.pixels, geometry)]
        most = max(most, rims, key=len)
    return [_Candidate(_codes(most, geometry), most)] if 0 < len(most) <= MOST_CARDS else []


def _codes(cards: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    return [code for card in cards for code in codes_of(card, geometry)]


def _parts(boxes: Sequence[Quad], crowded: Quad | None, width: int, height: int) -> list[tuple[Quad, Quad]]:
    """Return the upper left and lower right corners of regions that may contain cards, likely ones first.

    First the whole picture, unless all objects lie in a small part of it, then the largest objects. A small region full
    of edges comes before these, since cards in it are too small to be found in the whole picture.
    """
    low, high = np.zeros(2), np.array([width, height], dtype=np.float64)
    largest = sorted(boxes, key=lambda box: -cv2.contourArea(box.astype(np.float32)))[:_LARGEST]
    parts: list[tuple[Quad, Quad]] = []
    for box in ([np.vstack(boxes)] if boxes else []) + largest:
        margin = _ASIDE * float(np.ptp(box, axis=0).max())
        region = np.maximum(box.min(axis=0) - margin, low), np.minimum(box.max(axis=0) + margin, high)
        if (region[1] - region[0]).max() < _SMALLER * max(width, height) and (region[1] - region[0]).min() >= 1:
            parts.append(region)
        elif not parts:
            parts.append((low, high))
    parts = parts or [(low, high)]
    whole = (parts[0][1] - parts[0][0] == high).all()
    if whole and crowded is not None and _SIDE < float(np.ptp(crowded, axis=0).max()) / max(width, height) < _AFAR:
        margin = _AROUND * float(np.ptp(crowded, axis=0).max())
        parts.insert(0, (np.maximum(crowded[0] - margin, low), np.minimum(crowded[2] + margin, high)))
    return parts


def _in_pairs(picture: Pyramid, low: Quad, high: Quad, geometry: Geometry) -> list[Quad]:
    """Return the cards in a part of the picture that pairs of patches form."""
    level = picture.halved(float((high - low).max()) / LOOK, 1.0)
    corner = np.floor(low * level.scale).astype(int)
    left, top = corner
    right, bottom = np.ceil(high * level.scale).astype(int)
    pixels = level.pixels[top:bottom, left:right]
    return [level.up(card + corner) for card in cards_of_unknown_size(pixels, geometry)]


def is_free(card: Quad, outlines: Sequence[Quad]) -> bool:
    """Return whether an outline is not mostly covered by a card that was seen."""
    return not any(shared(card, outline) > _COVERED for outline in outlines)


def other_objects(layout: PhotoLayout) -> list[Quad]:
    """Return the extent of each object with a code that is no card's: a label, or a margin around any other code."""
    return [_extent(code) for code in layout.codes if code.card is None]


def _extent(code: ScannedCode) -> Quad:
    left, top, right, bottom = _OTHER
    if code.status == "label":
        left, top, right, bottom = _LABEL if parse(code.text) else _JOIN
    quad = np.array(code.quad)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    return np.asarray(quad[0] + corners @ np.array([across, down]))


def is_false_detection(quad: Quad, layout: PhotoLayout, cards: Sequence[Quad], geometry: Geometry) -> bool:
    """Return whether a located quad is a false detection: made of corners of different codes, or not square.

    `cards` are the outlines of cards that were found beside those that were seen.
    """
    known = [
        code for card in (*cards, *(np.array(one.outline) for one in layout.seen)) for code in codes_of(card, geometry)
    ]
    if sum(any(contains(code, corner) for code in known) for corner in _inner(quad)) > 1:
        return True
    codes = [np.array(code.quad) for code in layout.codes if code.card is not None]
    table = layout.table
    if len(codes) < ENOUGH:
        codes = [*codes, *(code for card in cards for code in codes_of(card, geometry))]
        table = TablePlane.under(codes)
    if len(codes) < ENOUGH:
        lengths = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
        return bool(
            max(lengths[::2].sum(), lengths[1::2].sum()) > _SQUEEZED * min(lengths[::2].sum(), lengths[1::2].sum())
        )
    usual = float(np.median([side(project(table.flat, code)) for code in codes]))
    flat = project(table.flat, quad)
    lengths = np.linalg.norm(flat - np.roll(flat, 1, axis=0), axis=1)
    return bool((lengths < usual / _UNLIKE).any() or (lengths > usual * _UNLIKE).any())


def _inner(quad: Quad) -> Quad:
    """Return points inside the three corners of a quad that have finder patterns."""
    return np.asarray(quad + 0.15 * (quad.mean(axis=0) - quad))[[0, 1, 3]]


def _flat(table: TablePlane, codes: Sequence[Quad], geometry: Geometry) -> Matrix:
    """Return the matrix from pixels to millimetres on the table."""
    millimetre = float(np.median([side(project(table.flat, code)) for code in codes])) / geometry.code
    return np.asarray(np.diag((1 / millimetre, 1 / millimetre, 1.0)) @ table.flat, dtype=np.float64)


def _on_table(search: MissingCardSearch, table: _Candidate) -> tuple[list[Quad], list[Quad]]:
    """Return the cards, and single codes, on a table whose scale and slant follow from some codes."""
    picture, geometry = search.picture, search.geometry
    codes = table.codes
    flat = _flat(TablePlane.under(codes), codes, geometry)
    level = picture.halved(float(np.median([side(code) for code in codes])) / geometry.modules, 2 * FINE)
    up = np.diag((*1 / level.scale, 1.0))
    up[:2, 2] = 0.5 / level.scale - 0.5
    height, width = level.pixels.shape
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    hidden = [level.down(outline) for outline in search.taken]
    # Search the whole table if it is only a few times larger than the picture, or else the area around the codes.
    boxes = [level.down(box) for box in codes]
    most = np.clip(_VIEWED * np.prod(picture.shape), *_VIEWS)
    for shown, reach in (([frame], 0.0), *((boxes, reach * geometry.height) for reach in _REACHES)):
        view = view_from_above(level.pixels, flat @ up, shown, hidden, reach, FINE / geometry.module, float(most))
        if view is not None and search.affords(decode_seconds(_PATCHES + _A_PATCHED * view.grey.size)):
            cards, alone = cards_on_table(
                view, geometry, [project(view.matrix, level.down(code)) for code in search.codes]
            )
            back = up @ view.back
            return [project(back, card) for card in cards], [project(back, code) for code in alone]
    return list(table.cards), []


def _alone(shapes: Sequence[Quad], table: TablePlane, codes: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    """Return cards for single objects that have a card's size on the table.

    On a table as bright as paper rims are invisible, but the print on a card is not.
    """
    flat = _flat(table, codes, geometry)
    cards = []
    for shape in shapes:
        box = cv2.minAreaRect(project(flat, shape).astype(np.float32))
        if np.abs(np.sort(box[1]) - sorted((geometry.width, geometry.height))).max() < _LOOSE:
            cards.append(project(np.linalg.inv(flat), card_in(box, geometry)))
    return cards
