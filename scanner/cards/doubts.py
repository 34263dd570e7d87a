"""Reports cards and codes that are in the picture but were not read, with the reason."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from scanner.cards.code_texture import FoundCard
from scanner.cards.hints import Surroundings, cause_of
from scanner.cards.missing_cards import (
    MissingCardSearch,
    as_objects,
    by_patches,
    by_texture,
    edges_of,
    in_sight,
    join_links,
    on_unknown_table,
    other_objects,
    unexplained_objects,
)
from scanner.decode import known_codes
from scanner.decode.backends import DecodedCode
from scanner.decode.identify import SWAPPED, is_of_seen
from scanner.decode.known_codes import VERSION, Codebook
from scanner.decode.qr_spec import modules_of
from scanner.geometry import ENOUGH, TablePlane, centre, codes_of, contains, corners, is_apart, project, side
from scanner.result import Doubt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Geometry, PrintedGame
    from scanner.decode.identify import PhotoLayout
    from scanner.decode.search_state import SearchState
    from scanner.result import Quad


# Maximum ratio between the sides of codes on the table.
_UNLIKE = 1.35

# Distance from a corner of a code of a point inside its finder pattern, as a share of that to its middle.
_INNER = 0.15

# Score of the best matching code, in standard deviations, from which on the area around its expected place is searched:
# 97 % of the cards that can be matched there exceed it, and half of the others.
_HOPEFUL = 4.9

# Maximum number of cards in a row without a likely match before the comparison ends, and of cards that are searched
# around their place without a match, the most likely first.
_BLANK, _HOPELESS = 8, 3

# Modules by which an outline may be off; the filter takes half a module more.
_OFF = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))

# Time in pixels, 4 ms, that is kept for reasons, decks and hints. A reason takes 0.3 ms, and all are measured.
_LATER = 1_500_000


def find_doubts(search: SearchState, game: PrintedGame | None) -> tuple[PhotoLayout, tuple[Doubt, ...]]:
    """Return the layout, with cards that could be read once their outline was known, and the unread cards.

    Each unread card is reported once: with its outline, or with the quad of a code if no outline was found. Second
    codes of cards that were seen do not count. Without a game, only places that look like codes are reported.
    """
    if game is None:
        codes = [(FoundCard(one.quad, [one.quad], whole=False), one.modules) for one in search.unread]
        return search.layout, _named(Surroundings.of(search.grey, []), codes)
    geometry = game.geometry
    links = join_links(search.layout)
    places = [one.quad for one in search.unread if not any(contains(link, centre(one.quad)) for link in links)]
    places = [place for place in places if not is_of_seen(place, search.layout, geometry)]
    found = _find_cards(search, game, places)
    layout = search.layout
    outlines = [np.array(card.outline) for card in layout.seen]
    known = [code for one in found if one.whole for code in one.codes]
    # If time ran out while codes were matched that are likely to be cards, at least the cards are reported.
    for code in _real_codes(search.unverified, layout, known, geometry):
        card = layout.table.outline(geometry, code)
        others = [*outlines, *(one.quad for one in found)]
        if not any(contains(other, centre(code)) or contains(other, centre(card)) for other in others):
            found.append(FoundCard(card, codes_of(card, geometry), whole=True))
    for place in _real_codes(places, layout, known, geometry):
        # The card there may have been read only now.
        if not is_of_seen(place, layout, geometry) and not any(contains(one.quad, centre(place)) for one in found):
            found.append(FoundCard(place, [place], whole=False))
    if not found:
        return layout, ()
    around = Surroundings.of(search.grey, outlines, [one.quad for one in found if one.whole])
    return layout, _named(around, [(one, geometry.modules) for one in found])


def _find_cards(search: SearchState, game: PrintedGame, located: Sequence[Quad]) -> list[FoundCard]:
    """Return the cards of which no code was read, after matching them against all codes of the game.

    One way of finding them follows the other, so each knows the cards that were read because of those before.
    """
    geometry = game.geometry
    refused = False

    def allows(pixels: float, *, needed: bool = True) -> bool:
        nonlocal refused
        fits = search.budget.allows(pixels + _LATER)
        refused = refused or (needed and not fits)
        return fits

    found: list[FoundCard] = []
    edges, factor = edges_of(search.pyramid)
    for find in (on_unknown_table, by_patches, by_texture, as_objects):
        layout = search.layout
        own = [np.array(code.quad) for code in layout.codes if code.card is not None]
        is_known = len(own) >= ENOUGH
        if is_known == (find is on_unknown_table):
            continue
        seen, others = [np.array(card.outline) for card in layout.seen], other_objects(layout)
        boxes = [*unexplained_objects(edges, factor, seen, others, geometry), *located]
        if is_known and not boxes:
            break
        here = MissingCardSearch(search.pyramid, layout.table, own, [*seen, *others], boxes, geometry, allows)
        # A code that was read is no doubt even if it belongs to another game.
        strange = [np.array(code.quad) for code in layout.codes if code.card is None]
        new = [
            one
            for one in in_sight(find(here), search.pyramid)
            if not any(contains(one.quad, centre(code)) for code in strange)
        ]
        # The texture of a bent card shows its place more exactly than its patches.
        whole = [one.quad for one in new if one.whole]
        found = [one for one in found if is_apart(one.quad, whole)]
        found += [one for one in new if is_apart(one.quad, [old.quad for old in found])]
        # A card that was found before may be read all the same, since its place may be more exact now.
        found = _read(search, game, found, new)
    # There was no time to rule out further cards.
    search.overlooked |= refused and not found
    return found


def _real_codes(places: Sequence[Quad], layout: PhotoLayout, known: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    """Return the located quads with the size and shape of codes on the table that are not made of several codes.

    `known` are the codes of cards that were found beside those that were seen.
    """
    own, table = [np.array(code.quad) for code in layout.codes if code.card is not None], layout.table
    if len(own) < ENOUGH:
        own = [*own, *known]
        table = TablePlane.under(own)
    if not places or len(own) < ENOUGH:
        return list(places)
    lengths = [_side_lengths(np.array(quads), table) for quads in (places, own)]
    ratios = np.maximum(lengths[0], 1e-9) / np.median(lengths[1])
    alike = (np.abs(np.log(ratios)) < np.log(_UNLIKE)).all(axis=1)
    codes = [*known, *(code for card in layout.seen for code in codes_of(np.array(card.outline), geometry))]
    return [place for place, is_alike in zip(places, alike, strict=True) if is_alike and not _is_made_of(place, codes)]


def _is_made_of(place: Quad, codes: Sequence[Quad]) -> bool:
    """Return whether two or more finder patterns of a place lie in codes: in a fan those of neighbours form squares."""
    patterns = (place + _INNER * (centre(place) - place))[[0, 1, 3]]
    return sum(any(contains(code, pattern) for code in codes) for pattern in patterns) > 1


def _side_lengths(quads: Quad, table: TablePlane) -> Quad:
    """Return the lengths of the sides of quads, shape (n, 4, 2), as seen from above: shape (n, 4)."""
    flat = project(table.flat, quads)
    return np.asarray(np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2))


def _read(
    search: SearchState, game: PrintedGame, found: Sequence[FoundCard], new: Sequence[FoundCard]
) -> list[FoundCard]:
    """Match `new` cards against all codes of the game, and return those of the `found` ones that are still unread.

    Those with a code on a card that was read are left out: they were made of codes of different cards.
    """
    read_missing_cards(search, game, [one.codes for one in new])
    seen = [np.array(card.outline) for card in search.layout.seen]
    return [
        one
        for one in found
        if not any(contains(card, centre(quad)) for card in seen for quad in (one.quad, *one.codes))
        and (one.whole or not is_of_seen(one.quad, search.layout, game.geometry))
    ]


def read_missing_cards(search: SearchState, game: PrintedGame, cards: Sequence[Sequence[Quad]]) -> None:
    """Match the codes of unread cards against all codes of the game, most certain cards first, while there is time.

    Each code is matched at its expected place; unmatched ones with a high score are then searched around it. Matches
    are added to the search. One comparison takes 0.25 to 1 ms; a card needs 2 or 18. It adds 100 cards in 85 simulated
    photographs, for 160 ms in 42 of them.
    """
    near: list[tuple[float, Sequence[Quad]]] = []
    matched = blank = 0
    for codes in cards:
        if blank >= _BLANK and not matched:
            break
        score = _match(search, game, codes, _OFF[:1])
        matched += score is None
        blank = blank + 1 if score is not None and score < _HOPEFUL else 0
        if score is not None and score >= _HOPEFUL:
            near.append((score, codes))
    for tried, (_, codes) in enumerate(sorted(near, key=lambda one: -one[0])):
        if tried >= _HOPELESS and not matched:
            return
        matched += _match(search, game, codes, _OFF[1:]) is None


def _match(
    search: SearchState, game: PrintedGame, codes: Sequence[Quad], offsets: Sequence[tuple[int, int]]
) -> float | None:
    """Match a card's codes at these offsets, and add the code to the search if one is certain: then return None.

    Otherwise return the highest score; 0 if there is no time.
    """
    best = 0.0
    for code, offset in product(codes, offsets):
        if not search.budget.allows(_LATER):
            return 0.0
        moved = code + np.array(offset) * (side(code) / modules_of(VERSION))
        reading = known_codes.read(search.pyramid, moved, Codebook.of(game))
        if reading is not None and reading.text is not None:
            # Readers report mirrored codes with two corners swapped, and the layout undoes that for all codes.
            quad = moved[list(SWAPPED)] if search.layout.table.mirrored else moved
            search.add([DecodedCode(reading.text, quad, VERSION)])
            return None
        best = max(best, reading.clear if reading is not None else 0.0)
    return best


def _named(around: Surroundings, found: Sequence[tuple[FoundCard, int]]) -> tuple[Doubt, ...]:
    """Return a doubt with its cause for each card or code with this number of modules along the side of a code."""
    causes = [cause_of(around, one.codes, modules) for one, modules in found]
    return tuple(
        Doubt(corners(one.quad), cause.reason, cause.motion, max(map(side, one.codes)) / modules)
        for (one, modules), cause in zip(found, causes, strict=True)
    )
