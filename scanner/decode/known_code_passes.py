"""Passes that match located or candidate places against the known codes of the game.

They need the game's key to compute its codes, and do nothing without a game.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from cardgen.payload import parse
from scanner.decode import known_codes
from scanner.decode.backends import DecodedCode
from scanner.decode.finder_patterns import FINE, find_symbols, is_sharp, module_sizes
from scanner.decode.identify import meaning_of
from scanner.decode.known_codes import VERSION, Codebook
from scanner.decode.qr_spec import modules_of
from scanner.geometry.homography import TablePlane, upright_view
from scanner.geometry.quads import centre, code_on_card, side, twin_on_card
from scanner.time_budget import decode_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardgen.cards import Geometry, PrintedGame
    from scanner.decode.search_state import SearchState
    from scanner.result import Quad


SMALL = 3.0
"""Pixels per module below which codes are missed, so the picture is always searched."""

ROUGH = 1.2
"""Pixels per module of the search if no more codes are expected: takes a few milliseconds."""

MISSES = 25
"""Number of likely places in a row without a match that end the search at one size."""

MISSES_BLIND = 12
"""The same as long as nothing was read and several sizes are tried."""

COMBINING, MATCHING = 3 / 4, 2_000_000
"""Time reserved for combining finder patterns, and for matching places: the time of decoding a JPEG with this share of
the picture's pixels, and with this number."""

ALWAYS_MATCHED = 6
"""Number of likely places that are matched even if time is up, so that the search for them was not in vain."""

SEARCHING, PART = 5, 0.4
"""Cost of searching for finder patterns: the time of decoding a JPEG with this multiple of the pixels. The search needs
time for at least this part of the view."""

SHARP = 0.5
"""Part of the time withheld as long as nothing was read that is granted for a sharp picture."""


def matched_cutouts(search: SearchState) -> None:
    """Match located, unread codes against the codes of the game."""
    if search.game is None:
        return
    found: list[DecodedCode] = []
    misses = 0
    for one in search.fresh("own", twins=True):
        reading = known_codes.read(search.pyramid, one.quad, Codebook.of(search.game))
        misses = misses + 1 if reading is None else 0
        if reading is None:
            search.dismissed.append(one)
        elif reading.text is not None:
            found.append(DecodedCode(reading.text, one.quad, VERSION))
        if misses > MISSES:
            break
    search.add(found)


def matched_picture(search: SearchState) -> None:
    """Search the whole picture for finder patterns at the size of the codes read, or if there are none, at any size.

    If everything seems to be read, a coarse search is made all the same, since both codes of a faintly printed card may
    be missed. It adds 596 codes and 14 cards in 180 difficult photographs, beside what `read_missing_cards` then reads,
    for 22 ms each.
    """
    game = search.game
    if game is None:
        return
    if search.codes and not (search.wants_more or search.module < SMALL):
        _search_rectified(search, game, ROUGH)
        return
    if not search.codes:
        _search_all_sizes(search)
    if search.codes and not search.late:
        _search_rectified(search, game, FINE)


def _search_all_sizes(search: SearchState) -> None:
    """Search at one size after another until a code is read: longer in a sharp picture, where that is more likely."""
    if search.whole.withheld and is_sharp(search.grey):
        search.whole.grant(SHARP)
    for module in module_sizes(search.grey):
        pixels = round(search.grey.size * min(ROUGH / module, 1.0) ** 2)
        if search.codes:
            return
        if not search.budget.affords(decode_seconds(pixels)):
            search.cut_short = True
            return
        _search_at_size(search, module, ROUGH)


def _search_at_size(search: SearchState, module: float, fine: float = FINE) -> None:
    small = search.pyramid.shrunk(module, fine)
    middles = small.down(np.array([one.middle for one in search.codes]).reshape(-1, 2))
    quads = find_symbols(small.pixels, module * float(small.scale.mean()), middles, lambda: must_match(search))
    _match(search, small.up(quads), MISSES if search.codes else MISSES_BLIND)


def _search_rectified(search: SearchState, game: PrintedGame, fine: float) -> None:
    """Search the picture rectified to a view from above, in which all modules have one size.

    The picture itself is searched if rectification makes no difference.
    """
    quads = [
        one.quad
        for one in search.codes
        # A join link is printed in another size.
        if one.text and parse(one.text) and meaning_of(one.text, game).status in {"card", "label"}
    ]
    if not quads:
        return
    module = float(np.median([side(quad) for quad in quads])) / modules_of(VERSION)
    if not _affords(search, module, fine):
        fine = ROUGH
    # Searching a small part is not worth the time of rectifying the whole picture.
    if not _affords(search, module, fine, PART):
        return
    view = upright_view(search.pyramid, TablePlane.under(quads), quads, fine)
    if view is None:
        _search_at_size(search, module, fine)
    else:
        middles = view.down(np.array([one.middle for one in search.codes]))
        symbols = find_symbols(view.grey.astype(np.uint8), fine, middles, lambda: must_match(search))
        _match(search, view.up(symbols))


def _affords(search: SearchState, module: float, fine: float, share: float = 1.0) -> bool:
    """Return whether there is time to search a share of the picture with `fine` pixels per module."""
    pixels = share * SEARCHING * search.grey.size * min(fine / module, 1.0) ** 2
    return search.budget.affords(decode_seconds(round(pixels)) + _matching_seconds(search))


def must_match(search: SearchState) -> bool:
    """Return whether the remaining time is needed to match the places found so far."""
    return not search.budget.affords(_matching_seconds(search))


def _matching_seconds(search: SearchState) -> float:
    """Return the seconds to be reserved for matching the places found."""
    return decode_seconds(round(COMBINING * search.grey.size) + MATCHING)


def _match(search: SearchState, quads: Iterable[Quad], most: int = MISSES) -> None:
    """Match places against the codes of the game, until `most` in a row do not match.

    Second codes of cards that were read come last, since they add nothing if time runs out.
    """
    if search.game is None:
        return
    found: list[DecodedCode] = []
    taken = [one.middle for one in search.codes]
    twins = [_twin_middle(one.quad, search.game.geometry) for one in search.codes]
    places = deque(quads)
    later: deque[Quad] = deque()
    misses = tried = 0
    while places or later:
        if misses > most or not places:
            places, later, twins, misses = later, deque(), [], 0
            continue
        if search.late and tried >= ALWAYS_MATCHED:
            # If most of the likelier places were cards, the others probably are too.
            search.unverified += [*places, *later] if 2 * len(found) >= tried else []
            break
        quad = places.popleft()
        place = DecodedCode(None, quad, VERSION)
        if taken and (_distances(place.middle, taken) < place.side / 2).any():
            continue
        if twins and (_distances(place.middle, twins) < place.side / 2).any():
            later.append(quad)
            continue
        tried += 1
        misses += 1
        reading = known_codes.read(search.pyramid, quad, Codebook.of(search.game))
        if reading is not None and reading.text is not None:
            misses = 0
            found.append(DecodedCode(reading.text, quad, VERSION))
            taken.append(place.middle)
            twins.append(_twin_middle(quad, search.game.geometry))
    search.add(found)


def _distances(point: tuple[float, float] | Quad, others: Sequence[tuple[float, float]] | list[Quad] | Quad) -> Quad:
    return np.asarray(np.hypot(*(np.array(others) - point).T), dtype=np.float64)


def _twin_middle(quad: Quad, geometry: Geometry) -> Quad:
    """Return the expected middle of the twin of a code, by an affine approximation from this one alone."""
    across = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    along = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    away = centre(twin_on_card(geometry)) - centre(code_on_card(geometry))
    return centre(quad) + np.column_stack((across, along)) @ away / geometry.code
