"""Ways to find cards of which no code was read: on a known table, and where scale and slant of it must be found too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from cardgen.payload import parse
from scanner.cards.code_patches import FINE, MOST_CARDS, cards_of_unknown_size, cards_on_table
from scanner.cards.code_texture import FoundCard, textured_cards
from scanner.cards.rectangle_detector import rectangles
from scanner.decode.finder_patterns import is_sharp
from scanner.geometry import (
    ENOUGH,
    TablePlane,
    codes_of,
    fill,
    project,
    rectangle,
    shared,
    side,
    view_from_above,
)
from scanner.image.filters import percentiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cardgen.cards import Geometry
    from scanner.decode.identify import PhotoLayout
    from scanner.image.filters import Pyramid
    from scanner.result import Grey, Quad, ScannedCode

# Cost of a search for texture on a known table, and of each card that has it, in pixels.
_TEXTURE, _TEXTURED = 8_000_000, 800_000

# The same of a search for patches on a known table, at least; of a view of it, and per pixel of that.
_TABLE, _VIEW, _A_PIXEL = 2_500_000, 1_200_000, 2

# The same of a search for patches of unknown size, and for rectangles.
_PATCHES, _RECTANGLES = 6_000_000, 2_500_000

# Figures of thresholds here are of 27 simulated photographs of 2 and 5 megapixels in which 316 of 426 cards are read
# and 168 of 171 unread ones named: covered, rolled and reflecting cards, cards from afar, and tiny ones on chequered
# tables. If no figure is given, values of 0.7 and 1.4 times as much name the same cards, and read at most one more or
# less.

# Pixels of the longer side, at least, of the picture in which cards of unknown size are searched.
_LOOK = 600

# Number of cards on a table from which on no other one is tried.
_PLENTY = 5

# Margin around objects as a share of their size, and size, in longer sides of the picture, from which on the whole
# picture is searched instead.
_ASIDE, _LARGE = 0.1, 0.7

# Size of a dense region that is searched first, at most, in longer sides of the picture, and the margin around it as a
# share of its size. With 0.28, 20 cards from afar are not named; with margins of 0.14 and 0.28 two cards and one fewer
# are read.
_AFAR, _AROUND = 0.4, 0.2

# Pixels of a view of the table for each of the picture, and at least and at most: small ones show little of what is far
# away.
_VIEWED, _VIEWS = 0.3, (600_000, 1_500_000)

# Directions, in degrees, in which the picture is stretched to find patches at a steep slant, the usual one first, and
# the factor. With steps of 45 degrees none of the 20 cards in one of 20 blurred pictures is named, with 30 degrees 17
# are; with a factor of 1.5 none of 18 in another picture.
_DIRECTIONS, _STRETCH = (90, 60, 120, 30, 150, 0), 1.7

# Margin around the known codes, in heights of a card, that is searched if the whole picture is too large a view. With
# 1.2 instead, 6 cards fewer are read in 76 photographs.
_REACH = 4.0

# Millimetres by which a box around a card may be too large, or too small where only the print shows.
_LOOSE = 6.0

# Share of a card that lies in the picture at least: with 0 and 0.28 the same cards are named.
_IN_SIGHT = 0.2

# The extent of an envelope's label around its own code, around the join link at its left, and of any other object
# around its code, in sides of the code: left, top, right, bottom.
_LABEL, _JOIN = (-2.9, -1.7, 1.6, 1.4), (-0.6, -1.7, 3.9, 1.4)

# The part of a label with the join link, around the label's own code.
_LINK = (-2.9, -1.7, -0.4, 1.4)

_OTHER = (-1.0, -1.0, 2.0, 2.0)


@dataclass(frozen=True, eq=False)
class MissingCardSearch:
    """A picture, the codes that were read in it with the plane they give, and the areas in which no card is searched.

    `boxes` are shapes that may be unread cards: objects outside of these areas, and located codes. `allows`
    returns whether there is time for a step of some pixels, and remembers if there was none unless it is not `needed`.
    """

    picture: Pyramid
    plane: TablePlane
    codes: Sequence[Quad]
    taken: Sequence[Quad]
    boxes: Sequence[Quad]
    geometry: Geometry
    allows: Callable[..., bool]


def by_texture(search: MissingCardSearch) -> list[FoundCard]:
    """Return the cards whose codes are visible in part.

    In 52 photographs of 2 megapixels of rolled and covered cards, reflections and newspapers 47 cards more are read
    with it, by the comparisons that follow, and 87 more are named, with 4 false reports more. That takes 142 ms.
    """
    if not search.allows(_TEXTURE):
        return []

    def is_late() -> bool:
        return not search.allows(_TEXTURED)

    return textured_cards(search.picture, search.codes, search.taken, search.plane, search.geometry, is_late)


def by_patches(search: MissingCardSearch) -> list[FoundCard]:
    """Return the cards on a known table that show two grey squares: blurred ones, and ones on bent paper.

    In 136 difficult photographs it reads 6 cards more, and leaves 9 unread ones less without a report; beside texture
    it reads 12 more in 24 hopeless ones, and one in the 52 of `by_texture`. It takes the time of decoding a JPEG with
    twice the pixels of the view and 1.2 million more.
    """
    # Where many codes were read coins and fingers look like single ones, and texture shows these better.
    cards, _ = _on_table(search) or ([], [])
    return _whole(cards, search.geometry)


def as_objects(search: MissingCardSearch) -> list[FoundCard]:
    """Return the cards with no visible code that are single objects of a card's size.

    In the 52 photographs it reads one card more and names two more, for a millisecond each. Otherwise nothing shows a
    card of which a reflection hides both codes. On a table as bright as paper the rim is invisible, but the print on
    the card is not.
    """
    geometry = search.geometry
    # From pixels to millimetres.
    flat = search.plane.scaled(search.codes, geometry.code)
    cards = []
    for shape in search.boxes:
        middle, (across, down), turn = cv2.minAreaRect(project(flat, shape).astype(np.float32))
        if (across > down) != (geometry.width > geometry.height):
            across, down, turn = down, across, turn + 90
        if max(abs(across - geometry.width), abs(down - geometry.height)) < _LOOSE:
            # OpenCV begins with the height.
            card = np.roll(cv2.boxPoints((middle, (geometry.width, geometry.height), turn)), -1, axis=0)
            cards.append(project(np.linalg.inv(flat), card.astype(np.float64)))
    return _whole(cards, geometry)


def on_unknown_table(search: MissingCardSearch) -> list[FoundCard]:
    """Return the cards where hardly any code was read, so that scale and slant of the table must be found as well.

    In hopeless photographs this names most of the cards that are named (`_guesses` has the figures).
    """
    cards: list[Quad] = []
    codes: list[Quad] = []
    for guess in _guesses(search):
        found, alone = _on_table(search, guess) or (guess, [])
        if len(found) + len(alone) > len(cards) + len(codes):
            cards, codes = found, alone
        if len(cards) + len(codes) >= max(len(guess), _PLENTY):
            break
    # Cards give the plane more exactly than a guess: in 48 hopeless photographs of 2 megapixels 12 of 668 cards more
    # are named.
    found, alone = _on_table(search, cards) or ([], [])
    if len(found) + len(alone) > len(cards) + len(codes):
        cards, codes = found, alone
    return [*_whole(cards, search.geometry), *(FoundCard(code, [code], whole=False) for code in codes)]


def _whole(cards: Iterable[Quad], geometry: Geometry) -> list[FoundCard]:
    return [FoundCard(card, codes_of(card, geometry), whole=True) for card in cards]


def in_sight(found: Sequence[FoundCard], picture: Pyramid) -> list[FoundCard]:
    """Return the cards that do not lie mostly beyond the picture's edge, which seems to go on if seen from above."""
    frame = rectangle(*picture.shape[::-1])
    return [one for one in found if shared(one.quad, frame) > _IN_SIGHT]


def other_objects(layout: PhotoLayout) -> list[Quad]:
    """Return the extent of each object with a code that is no card's: a label, or a margin around any other code."""
    return [
        _extent(code, _OTHER if code.status != "label" else _LABEL if parse(code.text) else _JOIN)
        for code in layout.codes
        if code.card is None
    ]


def join_links(layout: PhotoLayout) -> list[Quad]:
    """Return the parts of labels in which their join link lies: it is as large as a card's code, and often not read."""
    return [_extent(code, _LINK) for code in layout.codes if code.status == "label" and parse(code.text)]


def _extent(code: ScannedCode, sides: tuple[float, float, float, float]) -> Quad:
    """Return an area around a code; its left, top, right and bottom edge in sides of the code, from the top left."""
    (left, top, right, bottom), quad = sides, np.array(code.quad)
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    return np.asarray(quad[0] + corners @ np.stack((quad[1] - quad[0], quad[3] - quad[0])))


def _guesses(search: MissingCardSearch) -> Iterator[list[Quad]]:
    """Yield cards that were found without knowing the table, so that they define it.

    Without pairs of patches 361 of 720 cards in hopeless photographs are not named, without rectangles 60 of 96 at a
    steep slant, without stretching the picture 20 of 682; each takes 20 ms in 2 megapixels.
    """
    picture = search.picture
    if search.allows(_RECTANGLES):
        level = picture.halved(max(picture.shape) / _LOOK, 1.0)
        cards = [level.up(quad) for quad in rectangles(level.pixels, search.geometry)]
        if 0 < len(cards) <= MOST_CARDS:
            yield cards
    cards = []
    for low, high in _regions(search):
        if not cards and search.allows(_PATCHES):
            cards = _in_pairs(search, low, high, np.eye(2))
    yield cards
    # At a steep slant patches are no squares. Few pictures are taken so, hence it is no matter if there is no time.
    whole = np.array(picture.shape[::-1], dtype=np.float64)
    for turn in np.radians(_DIRECTIONS):
        if search.allows(_PATCHES, needed=False):
            way = np.array([np.cos(turn), np.sin(turn)])
            cards = _in_pairs(search, np.zeros(2), whole, np.eye(2) + (_STRETCH - 1) * np.outer(way, way))
            if len(cards) >= ENOUGH:
                yield cards


def _in_pairs(search: MissingCardSearch, low: Quad, high: Quad, stretch: Quad) -> list[Quad]:
    """Return the cards that pairs of patches form in a part of the picture, stretched by a 2 x 2 matrix."""
    level = search.picture.halved(float((high - low).max()) / _LOOK, 1.0)
    corners = (rectangle(*(high - low)) + low) * level.scale @ stretch.T
    start = np.floor(corners.min(axis=0))
    size = np.ceil(corners.max(axis=0) - start).astype(int).tolist()
    matrix = np.column_stack((stretch, -start))
    pixels = cv2.warpAffine(level.pixels, matrix, size, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)
    back = np.linalg.inv(stretch).T
    return [level.up((card + start) @ back) for card in cards_of_unknown_size(pixels, search.geometry)]


def _regions(search: MissingCardSearch) -> Iterator[tuple[Quad, Quad]]:
    """Yield the upper left and lower right corners of regions that may contain cards, likely ones first.

    That is the part with all objects, or the whole picture. In a sharp picture a small region full of edges comes
    before that, since cards in it are too small to be found in the whole picture.
    """
    size = np.array(search.picture.shape[::-1], dtype=np.float64)

    def around(region: Quad, margin: float) -> tuple[Quad, Quad]:
        aside = margin * float(np.ptp(region, axis=0).max())
        return np.maximum(region.min(axis=0) - aside, 0), np.minimum(region.max(axis=0) + aside, size)

    low, high = around(np.vstack(search.boxes), _ASIDE) if search.boxes else (np.zeros(2), size)
    if (high - low).max() < _LARGE * size.max() and (high - low).min() >= 1:
        yield low, high
    else:
        # Where nothing is sharp the edges that are left are those of some cards, and not of all.
        dense = dense_region(search.picture) if is_sharp(search.picture.whole) else None
        if dense is not None and float(np.ptp(dense, axis=0).max()) / size.max() < _AFAR:
            yield around(dense, _AROUND)
        yield np.zeros(2), size


def _on_table(search: MissingCardSearch, cards: Sequence[Quad] = ()) -> tuple[list[Quad], list[Quad]] | None:
    """Return the cards, and single codes, on a table whose scale and slant follow from the codes read, and some cards.

    None if there are no codes, or no time.
    """
    picture, geometry = search.picture, search.geometry
    codes = [*search.codes, *(code for card in cards for code in codes_of(card, geometry))]
    if not codes or not search.allows(_TABLE):
        return None
    plane = TablePlane.under(codes)
    flat = (plane.reflected() if search.plane.mirrored else plane).scaled(codes, geometry.code)
    most = float(np.clip(_VIEWED * np.prod(picture.shape), *_VIEWS))
    # Search the whole table if it is only a few times larger than the picture, or else the area around the codes.
    for boxes, reach in (([rectangle(*picture.shape[::-1])], 0.0), (codes, _REACH * geometry.height)):
        view = view_from_above(picture, flat, boxes, search.taken, reach, FINE / geometry.module, most)
        if view is not None and search.allows(_VIEW + _A_PIXEL * view.grey.size):
            cards, alone = cards_on_table(view, geometry)
            return list(map(view.up, cards)), list(map(view.up, alone))
    return None


# Pixels of the longer side of the copy: a card of a deck of 40 has 40 by 55 of them. With 350, 60 cards from afar are
# not named, with 700 two fewer are read.
_SIZE = 504

# Step of brightness, as a share of white, from which on it is the edge of something: grain of wood and weave have less.
# With 0.14 and 0.28 40 cards on chequered tables are not named.
_STEP = 0.2

# Percentile of brightness that counts as white: cards may be a small part of a picture.
_PAPER = 99.5

# Margin around cards, in millimetres, that is ignored: their shadows, and the error of their outlines.
_BEYOND = 3.0

# Pixels of the copy up to which gaps between edges are closed.
_GAP = 5

# Minimum length and width of an object, as shares of a card, of which a third is then visible.
_LONG, _WIDE = 0.5, 0.2

# Side of a card, in pixels of the copy, if none was read.
_USUAL = 13

# Side in pixels of an area, and the share of it that is edges in a dense region: a line through it has less. With 0.32
# 40 cards on chequered tables are not named.
_AREA, _DENSE = 13, 0.45


def unexplained_objects(
    edges: Grey, factor: float, outlines: Sequence[Quad], others: Sequence[Quad], geometry: Geometry
) -> list[Quad]:
    """Return convex shapes, in pixels, around objects outside the outlines of cards and of `others`.

    `edges` and `factor` are the result of `edges_of`. That separates objects from an even table, but not cards from
    other objects.
    """
    usual = float(np.median([side(outline) for outline in outlines])) * factor if outlines else _USUAL
    explained = np.zeros_like(edges)
    for quad in (*outlines, *others):
        fill(explained, quad * factor, 1)
    margin = 2 * round(_BEYOND * usual / np.sqrt(geometry.width * geometry.height)) + 3
    left = np.where(cv2.dilate(explained, np.ones((margin, margin), dtype=np.uint8)), np.uint8(0), edges)
    closed = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((_GAP, _GAP), dtype=np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    shapes = []
    for contour in contours:
        _, lengths, _ = cv2.minAreaRect(contour)
        if max(lengths) >= _LONG * usual and min(lengths) >= _WIDE * usual:
            shapes.append(cv2.convexHull(contour)[:, 0].astype(np.float64) / factor)
    return shapes


def dense_region(picture: Pyramid) -> Quad | None:
    """Return the bounding box of the largest region full of edges: cards from afar, even if lines cross the picture.

    On a chequered table 15 of 15 cards are named with it that have 0.9 pixels per module, and none without.
    """
    edges, factor = edges_of(picture)
    share = cv2.boxFilter(edges, cv2.CV_32F, (_AREA, _AREA))
    contours, _ = cv2.findContours((share > _DENSE).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    left, top, width, height = cv2.boundingRect(max(contours, key=cv2.contourArea))
    return np.asarray((rectangle(width, height) + np.array((left, top))) / factor)


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
