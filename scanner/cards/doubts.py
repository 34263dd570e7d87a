"""Reports cards and codes that are in the picture but were not read, with the reason."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from scanner.cards.code_texture import FoundCard
from scanner.cards.hints import ALL_OVER, Cause, Surroundings, cause_of
from scanner.cards.missing_cards import (
    ENOUGH,
    MissingCardSearch,
    as_objects,
    by_patches,
    by_texture,
    in_sight,
    is_false_detection,
    on_unknown_table,
    other_objects,
)
from scanner.cards.objects import unexplained_objects
from scanner.decode import known_codes
from scanner.decode.backends import DecodedCode
from scanner.decode.identify import is_of_seen, laid_out, scanned
from scanner.decode.known_codes import VERSION, Codebook
from scanner.decode.qr_spec import modules_of
from scanner.geometry.quads import centre, codes_of, containing, contains, corners, is_apart, project, side
from scanner.result import Doubt
from scanner.time_budget import decode_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry, PrintedGame
    from scanner.decode.identify import PhotoLayout
    from scanner.decode.search_state import SearchState
    from scanner.geometry.homography import TablePlane
    from scanner.result import Quad
    from scanner.time_budget import TimeBudget


FEWEST = 4
"""Cards from which on the table is known with its perspective."""

# Maximum ratio between the sides of codes on the table.
_UNLIKE = 1.35

# Distance of the middles given by the two codes of the same card, at most, in sides of the card.
_SAME_CARD = 0.4


def cards_of_unverified_codes(codes: Sequence[Quad], layout: PhotoLayout, geometry: Geometry) -> list[Quad]:
    """Return the outlines of cards with unverified codes, each once, apart from the cards that were seen.

    Requires enough read cards to know the table plane; only places with the size of a code on it count.
    """
    if len(layout.seen) < FEWEST or not codes:
        return []
    places, own = np.array(codes), np.array([code.quad for code in layout.codes if code.card is not None])
    outlines = np.array([card.outline for card in layout.seen])
    flat, usual = (_lengths(layout.table, quads) for quads in (places, own))
    alike = (np.abs(np.log(np.maximum(flat, 1e-9) / np.median(usual))) < np.log(_UNLIKE)).all(axis=1)
    alike &= ~containing(outlines, places.mean(axis=1)).any(axis=0)
    places = places[alike]
    if not len(places):
        return []
    taken = list(outlines.mean(axis=1))
    near = _SAME_CARD * float(np.median([side(outline) for outline in outlines]))
    cards: list[Quad] = []
    for code, middle in zip(places, layout.table.middles(geometry, places), strict=True):
        if np.hypot(*(np.array(taken) - middle).T).min() < near or any(contains(card, centre(code)) for card in cards):
            continue
        taken.append(middle)
        cards.append(layout.table.outline(geometry, code))
    return cards


def _lengths(table: TablePlane, quads: Quad) -> npt.NDArray[np.float64]:
    """Return the lengths of the sides of quads, shape (n, 4, 2), on the table: shape (n, 4)."""
    flat = project(table.flat, quads.reshape(-1, 2)).reshape(quads.shape)
    return np.asarray(np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2), dtype=np.float64)


HOPELESS = 3
"""Maximum number of cards that are searched around their place without a match, the most likely first."""

BLANK = 8
"""Maximum number of cards in a row without a likely match before the comparison ends."""

HOPEFUL = 4.9
"""Score of the best matching code, in standard deviations, from which on the area around its expected place is
searched: 97 % of the cards that can be matched there exceed it, and half of the others."""

NAMING, LAST = 120_000, 1_000_000
"""Cost of measuring the reason of one card, and of decks and hints: the time of decoding a JPEG with this number of
pixels."""

# Modules by which an outline may be off; the filter takes half a module more.
_OFF = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))


def read_missing_cards(search: SearchState, game: PrintedGame, cards: Sequence[Sequence[Quad]]) -> None:
    """Match the codes of unread cards against all codes of the game, most certain cards first, while there is time.

    Each code is matched at its expected place; unmatched ones with a high score are then searched around it. Matches
    are added to the search. One comparison takes 0.25 to 1 ms; a card needs 2 or 18. It adds 106 cards in 180 difficult
    photographs, for 16 ms each.
    """
    book = Codebook.of(game)
    naming = decode_seconds(NAMING * len(cards) + LAST)
    near: list[tuple[float, Sequence[Quad]]] = []
    matched = blank = 0
    for codes in cards:
        if blank >= BLANK and not matched:
            break
        clear, found = _match(search, book, codes, _OFF[:1], naming)
        search.add(found)
        matched += bool(found)
        blank = 0 if clear >= HOPEFUL else blank + 1
        if clear >= HOPEFUL and not found:
            near.append((clear, codes))
    near.sort(key=lambda one: -one[0])
    for tried, (_, codes) in enumerate(near):
        if tried >= HOPELESS and not matched:
            return
        _, found = _match(search, book, codes, _OFF[1:], naming)
        search.add(found)
        matched += bool(found)


def _match(
    search: SearchState, book: Codebook, codes: Sequence[Quad], offs: Sequence[tuple[int, int]], left: float
) -> tuple[float, list[DecodedCode]]:
    """Return the highest score of a card's codes over these offsets, and the code if one is certain.

    Stops when fewer than `left` seconds of work remain.
    """
    clear = 0.0
    for code, off in product(codes, offs):
        if not search.budget.affords(left):
            return 0.0, []
        moved = code + np.array(off) * (side(code) / modules_of(VERSION))
        reading = known_codes.read(search.pyramid, moved, book)
        if reading is not None and reading.text is not None:
            return 0.0, [DecodedCode(reading.text, moved, VERSION)]
        clear = max(clear, reading.clear if reading is not None else 0.0)
    return clear, []


MEASURED = 4
"""Number of cards for whose reasons time is reserved while cards are searched; if there is no more, all get these."""

SOME = 3
"""Number of reasons that are always measured, 0.3 ms each, so that a hint can give advice."""


def find_doubts(search: SearchState, game: PrintedGame | None) -> tuple[PhotoLayout, tuple[Doubt, ...]]:
    """Return the layout, with cards that could be read once their outline was known, and the unread cards.

    Each unread card is reported once: with its outline, or with the quad of a code if no outline was found. Second
    codes of cards that were seen do not count. Without a game, only places that look like codes are reported.
    """
    layout = search.layout
    located = [one for one in search.suspects if not search.explains(one)]
    if game is None:
        return layout, _named(
            Surroundings.of(search.grey, []), [(one.quad, [one.quad], one.modules) for one in located], search.budget
        )
    geometry = game.geometry
    naming = decode_seconds(NAMING * MEASURED + LAST)
    refused = False

    def affords(seconds: float) -> bool:
        nonlocal refused
        fits = search.budget.affords(seconds + naming)
        refused = refused or not fits
        return fits

    # A code that was read is no doubt even if it belongs to another game.
    strange = [np.array(code.quad) for code in layout.codes if code.card is None]
    known = cards_of_unverified_codes(search.unverified, layout, geometry)
    found = [FoundCard(card, codes_of(card, geometry), whole=True) for card in known]
    located = [one for one in located if not is_of_seen(one.quad, layout, geometry)]
    layout, found = _read(search, game, layout, found, found)
    for find in (on_unknown_table, by_texture, by_patches, as_objects):
        here = _missing_card_search(search, layout, [one.quad for one in located], geometry, affords)
        is_known = len(here.codes) >= ENOUGH
        if is_known == (find is on_unknown_table) or (is_known and not here.boxes):
            continue
        new = [
            one
            for one in in_sight(find(here), search.pyramid)
            if not any(contains(one.quad, centre(code)) for code in strange)
        ]
        # A card that was found before may be read all the same, since its place may be more exact now.
        earlier = [card.quad for card in found]
        found += [one for one in new if is_apart(one.quad, earlier)]
        layout, found = _read(search, game, layout, found, new)
    cards = [one.quad for one in found if one.whole]
    codes = [one.quad for one in found if not one.whole]
    located = [one for one in located if not is_of_seen(one.quad, layout, geometry)]
    # There was no time to rule out further cards.
    search.overlooked |= refused and not found
    enough = decode_seconds(NAMING + LAST)
    alone = []
    for one in located:
        # Print and cloth have a hundred such places, and each takes a fifth of a millisecond.
        if not search.budget.affords(enough):
            search.overlooked = True
            break
        if not (
            any(contains(card, centre(one.quad)) for card in cards)
            or is_false_detection(one.quad, layout, cards, geometry)
        ):
            alone.append(one)
    codes = [code for code in codes if not any(contains(one.quad, centre(code)) for one in alone)]
    if not cards and not alone and not codes:
        return layout, ()
    around = Surroundings.of(search.grey, [np.array(card.outline) for card in layout.seen], cards)
    named: list[tuple[Quad, list[Quad], int]] = [(card, codes_of(card, geometry), geometry.modules) for card in cards]
    named += [(code, [code], geometry.modules) for code in codes]
    return layout, _named(around, [*named, *((one.quad, [one.quad], one.modules) for one in alone)], search.budget)


def _missing_card_search(
    search: SearchState,
    layout: PhotoLayout,
    located: Sequence[Quad],
    geometry: Geometry,
    affords: Callable[[float], bool],
) -> MissingCardSearch:
    """Return the search for cards beside those that were read so far."""
    cards = [np.array(card.outline) for card in layout.seen]
    others = other_objects(layout)
    boxes = [*unexplained_objects(search.pyramid, cards, others, geometry), *located]
    own = [np.array(code.quad) for code in layout.codes if code.card is not None]
    return MissingCardSearch(search.pyramid, layout.table, own, [*cards, *others], boxes, geometry, affords)


def _read(
    search: SearchState, game: PrintedGame, layout: PhotoLayout, found: Sequence[FoundCard], new: Sequence[FoundCard]
) -> tuple[PhotoLayout, list[FoundCard]]:
    """Compare `new` cards with all codes; return the layout with those that match, and the `found` ones that do not."""
    read_missing_cards(search, game, [one.codes for one in new])
    if sum(one.text is not None for one in search.codes) > len(layout.codes):
        layout = laid_out(scanned(search.codes, game), game)
    seen = [np.array(card.outline) for card in layout.seen]
    return layout, [
        one
        for one in found
        if not any(contains(card, centre(one.quad)) for card in seen)
        and (one.whole or not is_of_seen(one.quad, layout, game.geometry))
    ]


def _named(
    around: Surroundings, places: Sequence[tuple[Quad, Sequence[Quad], int]], budget: TimeBudget
) -> tuple[Doubt, ...]:
    """Return a doubt with its cause for each (quad, code quads, modules along a side).

    Once time is up only `SOME` causes are measured; the others get the commonest if that is one of the whole picture.
    """
    enough = decode_seconds(NAMING + LAST)
    causes: list[Cause] = []
    for _, codes, modules in places:
        if len(causes) >= SOME and not budget.affords(enough):
            break
        causes.append(cause_of(around, codes, modules))
    causes += [_usual(causes)] * (len(places) - len(causes))
    return tuple(
        Doubt(corners(quad), cause.reason, cause.motion, max(map(side, codes)) / modules)
        for (quad, codes, modules), cause in zip(places, causes, strict=True)
    )


def _usual(causes: Sequence[Cause]) -> Cause:
    """Return the commonest of some causes if it affects the whole picture."""
    reason, number = Counter(cause.reason for cause in causes).most_common(1)[0] if causes else ("unread", 0)
    if reason not in ALL_OVER or 2 * number <= len(causes):
        return Cause("unread")
    return next(cause for cause in causes if cause.reason == reason)
