"""Looks for cards of which no code was read: quickly whether there may be any, and only then where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.above import View, view_from_above
from scanner.cardlike import MOST_CARDS, cards_in, edges_in, likely_cards
from scanner.finders import finders, places
from scanner.frames import stretches
from scanner.quads import card_corners, centre, code_on_card, contains, fitted, project, shared, side, twin_on_card
from scanner.reasons import Surroundings
from scanner.rectangles import rectangles
from scanner.table import Table
from scanner.unexplained import unexplained

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.above import Field
    from scanner.result import Grey, Quad, Status
    from scanner.sort import Layout

    Matrix = npt.NDArray[np.float64]

_ENOUGH = 4
# Codes from which on a table is known with its perspective.
_LIKE_SIZE = 1.5
# Located codes on one table differ less in size; of others the table is not told.
_FEWEST = 3
# Located codes, or cards found, that tell the table where too few were read.
_MOST = 3
# Codes read for each card found, up to which the table is told again by both.
_SIZES = (600, 1200)
# Pixels of the longer side of what lies in a picture of which nothing is known.
_MARGIN = 20.0
# Millimetres around it.
_NARROW = 1.25
# So many times more or less a card may measure than those told it that gave the table.
_WIDEST = 3.0
# So many times more or less than a usual one a card may measure in a picture of which nothing is known.
_ASIDE = 0.1
# The same as a share of that.
_REACH = 1.2
# Heights of a card around what is known in which cards are looked for.
_BARELY = 0.2
# Share of a box that a card may cover that is another thing.
_LEAN, _TALL = 1.2, 1.7
# Range of the height over the width of cards that nothing but their shape tells.
_WHITE = 0.7
# Part of the brightness of cards that were read which the whitest in a view has at least: it may be all table.
_LOOSE = 5.5
# Millimetres by which a box around a card may be too large, or too small where only the print shows.
_LABEL = (-2.9, -1.7, 1.6, 1.4)
# What an envelope's label takes around its code, in sides of the code: left, top, right, bottom.
_OTHER = (-1.0, -1.0, 2.0, 2.0)
_UNLIKE = 1.35
# A located code differs less from others on the table in the lengths of its sides.
_SQUEEZED = 1.9
# So many times longer than wide a code seems at a slant of 58 degrees.
_OWN = 3.0
# Millimetres around the place of a read code's corner pattern where another is not looked for.
_COVERED = 0.75
# Share of a place that a card which was read may cover; beyond that it is that card.


def suspected_cards(grey: Grey, layout: Layout, located: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    """Return the outlines, in pixels, of cards that lie in the picture but of which no code was read.

    `located` are places that look like codes and were not read. Where nothing lies beside the cards that were seen
    this takes a millisecond, else about as long as reading the picture a few times.
    """
    outlines = [np.array(card.outline) for card in layout.seen]
    others = [np.array(code.quad) for code in layout.codes if code.card is None]
    things = [_around(np.array(code.quad), code.status) for code in layout.codes if code.card is None]
    boxes = [*unexplained(grey, outlines, things, geometry), *located]
    if not boxes:
        return []
    own = [np.array(code.quad) for code in layout.codes if code.card is not None]
    outlines += things
    if own:
        found = _beside(
            _alone(boxes, layout.table, own, geometry),
            _on_table(grey, layout.table, own, boxes, outlines, geometry),
        )
        if len(own) < _ENOUGH:
            # So few codes tell the table badly, above all where they were hardly readable.
            more = [card for card in _of_nothing(grey, boxes, located, geometry) if _is_free(card, outlines)]
            found = max(found, more, key=len)
    else:
        found = _of_nothing(grey, boxes, located, geometry)
    if len(found) >= _FEWEST and len(own) <= _MOST * len(found):
        # The cards that were found tell the table better than a few codes, and on it more of them are found.
        codes = [*own, *(place for card in found for place in codes_of(card, geometry))]
        table = Table.under(codes)
        again = _on_table(grey, table, codes, [*boxes, *found] if own else found, outlines, geometry)
        found = _beside(max(found, again, key=len), _alone(boxes, table, codes, geometry))
    return [
        card for card in found if not any(contains(card, centre(code)) for code in others) and _is_free(card, outlines)
    ]


def _beside(cards: Sequence[Quad], more: Sequence[Quad]) -> list[Quad]:
    """Return cards, and of others those that lie beside them."""
    return [*cards, *(card for card in more if not any(shared(card, other) > _BARELY for other in cards))]


def cards_by_edges(grey: Grey, boxes: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    """Return cards in a picture of which nothing is known, not even the scale, as seen from nearly straight above."""
    low, high = _extent(boxes)
    frame = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    for size in _SIZES:
        # At first as if a millimetre were a pixel at this size.
        flat = np.diag((1.0, 1.0, float(max(high - low)) / size))
        view = view_from_above(grey, flat, [frame], [], _MARGIN)
        if view is None:
            continue
        likely, best, edges = _likeliest(grey, flat, view, [frame], _MARGIN, _WIDEST, geometry)
        if likely >= _FEWEST:
            return cards_in(best, edges, np.empty((0, 2)), geometry, blank=False)
    return []


def _likeliest(
    grey: Grey, flat: Matrix, view: View, boxes: Sequence[Quad], reach: float, most: float, geometry: Geometry
) -> tuple[int, View, Field]:
    """Return the view at the scale at which most cards seem to be in it, how many corners of cards, and its edges.

    `view` is that of `flat`; cards in it may measure up to `most` times more or less.
    """
    edges = edges_in(view)
    tried = [(likely_cards(view, edges, geometry), view, edges)]
    for factor in stretches(edges, view.scale, geometry, most):
        other = view_from_above(grey, np.diag((1 / factor, 1 / factor, 1.0)) @ flat, boxes, [], reach)
        if other is not None:
            edges = edges_in(other)
            tried.append((likely_cards(other, edges, geometry), other, edges))
    return max(tried, key=lambda one: one[0])


def _is_free(card: Quad, outlines: Sequence[Quad]) -> bool:
    """Tell whether a place is not mostly that of a card that was seen."""
    return not any(shared(card, outline) > _COVERED for outline in outlines)


def _around(code: Quad, status: Status) -> Quad:
    """Return where the thing lies that bears a code which is no card's: a label, or a little more than the code."""
    left, top, right, bottom = _LABEL if status == "label" else _OTHER
    across, down = code[1] - code[0], code[3] - code[0]
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    return np.asarray(code[0] + corners @ np.array([across, down]))


def stray(quad: Quad, layout: Layout, cards: Sequence[Quad], geometry: Geometry) -> bool:
    """Tell whether a located quad is no code of its own: its corners are those of different codes, or it is no square.

    `cards` are the outlines of cards that were found beside those that were seen.
    """
    known = [
        code for card in (*cards, *(np.array(one.outline) for one in layout.seen)) for code in codes_of(card, geometry)
    ]
    if sum(any(contains(code, corner) for code in known) for corner in _inner(quad)) > 1:
        return True
    codes = [np.array(code.quad) for code in layout.codes if code.card is not None]
    table = layout.table
    if len(codes) < _ENOUGH:
        codes = [*codes, *(code for card in cards for code in codes_of(card, geometry))]
        table = Table.under(codes)
    if len(codes) < _ENOUGH:
        lengths = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
        return bool(
            max(lengths[::2].sum(), lengths[1::2].sum()) > _SQUEEZED * min(lengths[::2].sum(), lengths[1::2].sum())
        )
    usual = float(np.median([side(project(table.flat, code)) for code in codes]))
    flat = project(table.flat, quad)
    lengths = np.linalg.norm(flat - np.roll(flat, 1, axis=0), axis=1)
    return bool((lengths < usual / _UNLIKE).any() or (lengths > usual * _UNLIKE).any())


def _inner(quad: Quad) -> Quad:
    """Return points inside a quad's three corners that bear a pattern."""
    return np.asarray(quad + 0.15 * (quad.mean(axis=0) - quad))[[0, 1, 3]]


def codes_of(outline: Quad, geometry: Geometry) -> list[Quad]:
    """Return where the two codes of a card with this outline lie."""
    matrix = fitted(card_corners(geometry), outline)
    return [] if matrix is None else [project(matrix, place(geometry)) for place in (code_on_card, twin_on_card)]


def _alike(located: Sequence[Quad]) -> list[Quad]:
    """Return the located codes of like size."""
    sizes = np.array([side(quad) for quad in located])
    usual = float(np.median(sizes)) if len(sizes) else 0.0
    alike = (sizes > usual / _LIKE_SIZE) & (sizes < usual * _LIKE_SIZE)
    return [quad for quad, like in zip(located, alike, strict=True) if like] if alike.sum() >= _FEWEST else []


def _of_nothing(grey: Grey, boxes: Sequence[Quad], located: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    """Return the cards in a picture of which no code of a card was read: the table is not known."""
    low, high = _extent(boxes)
    left, top = np.maximum(low - _ASIDE * (high - low), 0).astype(int)
    right, bottom = np.ceil(high + _ASIDE * (high - low)).astype(int)
    corner = np.array([left, top])
    cards = [quad + corner for quad in rectangles(grey[top:bottom, left:right])]
    if len(cards) > MOST_CARDS:
        # Tiles, checks, print: a pattern.
        return []
    if len(cards) < _FEWEST:
        cards = max(cards, cards_by_edges(grey, boxes, geometry), key=len)
    codes = [place for card in cards for place in codes_of(card, geometry)] or _alike(located)
    if not codes:
        return []
    # What gave the table may be larger or smaller than cards are: it was blurred, or only what is printed on them.
    table, tried = Table.under(codes), cards or boxes
    flat = _flat(table, codes, geometry)
    view = view_from_above(grey, flat, tried, [], _REACH * geometry.height)
    if view is None:
        return []
    _, best, edges = _likeliest(grey, flat, view, tried, _REACH * geometry.height, _NARROW, geometry)
    found = cards_in(best, edges, _unread(best, [], geometry), geometry, blank=False)
    return found if len(found) >= len(cards) or not _plausible(cards) else cards


def _plausible(cards: Sequence[Quad]) -> bool:
    """Tell whether four-cornered things may be cards by their number and shape alone."""
    if len(cards) < _FEWEST:
        return False
    lengths = np.linalg.norm(np.roll(cards, -1, axis=1) - np.array(cards), axis=-1)
    return bool(_LEAN < np.median(lengths[:, [1, 3]].sum(axis=1) / lengths[:, [0, 2]].sum(axis=1)) < _TALL)


def _extent(boxes: Sequence[Quad]) -> tuple[Quad, Quad]:
    """Return the upper left and lower right corner of the larger shapes together."""
    areas = [cv2.contourArea(box.astype(np.float32)) for box in boxes]
    spots = np.vstack([box for box, area in zip(boxes, areas, strict=True) if area >= max(areas) / 4])
    return spots.min(axis=0), spots.max(axis=0)


def _flat(table: Table, codes: Sequence[Quad], geometry: Geometry) -> Matrix:
    """Return the matrix from pixels to millimetres on the table."""
    millimetre = float(np.median([side(project(table.flat, code)) for code in codes])) / geometry.code
    return np.asarray(np.diag((1 / millimetre, 1 / millimetre, 1.0)) @ table.flat, dtype=np.float64)


def _on_table(
    grey: Grey,
    table: Table,
    codes: Sequence[Quad],
    boxes: Sequence[Quad],
    outlines: Sequence[Quad],
    geometry: Geometry,
) -> list[Quad]:
    """Return the cards found around some boxes on a table of which some codes tell the scale."""
    flat = _flat(table, codes, geometry)
    white = _WHITE * Surroundings.of(grey, outlines).white if outlines else 1.0
    view = view_from_above(grey, flat, boxes, outlines, _REACH * geometry.height, white)
    return (
        []
        if view is None
        else cards_in(view, edges_in(view), _unread(view, outlines, geometry), geometry, blank=bool(outlines))
    )


def _alone(shapes: Sequence[Quad], table: Table, codes: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    """Return the cards that shapes around single things make, where these have a card's size on the table.

    On a table as bright as paper, rims do not show, but what is printed on a card does.
    """
    flat = _flat(table, codes, geometry)
    cards = []
    for shape in shapes:
        middle, (across, down), turn = cv2.minAreaRect(project(flat, shape).astype(np.float32))
        if across > down:
            across, down, turn = down, across, turn + 90
        if max(abs(across - geometry.width), abs(down - geometry.height)) < _LOOSE:
            card = cv2.boxPoints((middle, (geometry.width, geometry.height), turn)).astype(np.float64)
            # OpenCV begins at the corner that it takes for the lowest; the width comes first here.
            first = float(np.linalg.norm(card[1] - card[0]))
            card = card if abs(first - geometry.width) < 1 else np.roll(card, -1, axis=0)
            cards.append(project(np.linalg.inv(flat), card))
    return cards


def _unread(view: View, outlines: Sequence[Quad], geometry: Geometry) -> Quad:
    """Return the corner patterns in a view that are not those of cards that were seen."""
    patterns = finders(view, geometry.module)
    own = [
        places(project(view.matrix, code), geometry.modules) for card in outlines for code in codes_of(card, geometry)
    ]
    if not own or not len(patterns):
        return patterns
    apart = np.linalg.norm(patterns[:, np.newaxis] - np.concatenate(own), axis=-1).min(axis=1)
    return np.asarray(patterns[apart > _OWN * view.scale])
