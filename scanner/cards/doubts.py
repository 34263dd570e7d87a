"""Cards and codes of the game that lie in the picture but were not read, and why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from scanner.cards.missing_cards import is_free, stray, suspected_cards
from scanner.cards.reasons import ALL_OVER, Cause, Surroundings, cause_of
from scanner.decode import known_codes
from scanner.decode.backends import DecodedCode
from scanner.decode.identify import is_of_seen, laid_out, scanned
from scanner.decode.known_codes import VERSION, Codebook
from scanner.decode.qr_spec import modules_of
from scanner.geometry.quads import centre, codes_of, containing, contains, corners, is_apart, project, side
from scanner.result import Doubt
from scanner.time_budget import decode_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry, PrintedGame
    from scanner.decode.identify import PhotoLayout
    from scanner.decode.known_codes import KnownCodeReading
    from scanner.decode.search_state import SearchState
    from scanner.geometry.homography import TablePlane
    from scanner.result import Quad
    from scanner.time_budget import TimeBudget


FEWEST = 4
"""Cards from which on the table is known with its perspective."""

# So many times longer or shorter than usual no side of a code is on the table.
_UNLIKE = 1.35

# So near to each other, in sides of a card, are the middles of cards that are one, as its codes tell them.
_SAME_CARD = 0.4


def glimpsed_cards(codes: Sequence[Quad], layout: PhotoLayout, geometry: Geometry) -> list[Quad]:
    """Return the cards on which places lie that look like codes, each once, beside the cards that were seen.

    Only where enough was read to tell the table, and of places that have the size of codes on it.
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
"""Where the clearest so many cards tell nothing, the others will not."""

BLANK = 8
"""Where the surest so many cards show nothing like a code of the game, the others will not."""

HOPEFUL = 4.9
"""How far the most likely code must stand out where an outline says that it lies, to be looked for around that place:
of cards that can be told there 97 of 100 stand out as far, of the others half."""

NAMING, LAST = 120_000, 1_000_000
"""What giving the reason of a card afterwards takes, and what telling decks and hints: as long as decoding a JPEG of so
many pixels."""

# Modules by which an outline may be off; the filter takes half a module more.
_OFF = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))


def read_outlined(search: SearchState, game: PrintedGame, outlines: Sequence[Quad]) -> None:
    """Compare the codes of cards with these outlines, surest first, with all codes of the game, while there is time.

    First each at its place, then those that were not told but stand out there around it. What is told goes to the
    search. A place takes a quarter of a millisecond to one, a card 2 or 18 places.
    """
    book = Codebook.of(game)
    naming = decode_seconds(NAMING * len(outlines) + LAST)
    near: list[tuple[float, list[Quad], list[KnownCodeReading | None]]] = []
    told = blank = 0
    for outline in outlines:
        if blank >= BLANK and not told:
            break
        codes = codes_of(outline, game.geometry)
        readings, found = _read(search, book, codes, _OFF[:1], naming)
        search.add(found)
        told += bool(found)
        clear = max((one.clear for one in readings if one is not None), default=0.0)
        blank = 0 if clear >= HOPEFUL else blank + 1
        if clear >= HOPEFUL and not found:
            near.append((clear, codes, readings))
    near.sort(key=lambda one: -one[0])
    for tried, (_, codes, readings) in enumerate(near):
        if tried >= HOPELESS and not told:
            return
        more, found = _read(search, book, codes, _OFF[1:], naming)
        found = found or _by_both(codes, [readings, more], book)
        search.add(found)
        told += bool(found)


def _read(
    search: SearchState, book: Codebook, codes: Sequence[Quad], offs: Sequence[tuple[int, int]], left: float
) -> tuple[list[KnownCodeReading | None], list[DecodedCode]]:
    """Return for each code of a card the clearest reading of these places around it, and the code that is sure.

    It ends when fewer than so many seconds of work are left.
    """
    clearest: list[KnownCodeReading | None] = []
    for code in codes:
        readings = []
        for off in offs:
            if not search.budget.affords(left):
                return [], []
            moved = code + np.array(off) * (side(code) / modules_of(VERSION))
            reading = known_codes.read(search.pyramid, moved, book)
            if reading is not None and reading.text is not None:
                return [], [DecodedCode(reading.text, moved, VERSION)]
            if reading is not None:
                readings.append(reading)
        clearest.append(min(readings, key=lambda one: one.error, default=None))
    return clearest, []


def _by_both(
    codes: Sequence[Quad], readings: Sequence[Sequence[KnownCodeReading | None]], book: Codebook
) -> list[DecodedCode]:
    """Return the codes of a card if the sum of their best readings is sure."""
    if not all(readings):
        return []
    best = [
        min((one for one in both if one is not None), key=lambda one: one.error, default=None)
        for both in zip(*readings, strict=True)
    ]
    some = [one for one in best if one is not None]
    if len(some) < len(codes) or len(some) < 2:  # noqa: PLR2004 - a card's two codes
        return []
    text, _ = known_codes.told(some[0].modules / some[0].error + some[1].modules / some[1].error, book)
    return [DecodedCode(text, one.quad, VERSION) for one in some] if text is not None else []


MEASURED = 4
"""For so many cards time is kept back to measure the reasons while others are looked for: if there is time for no more
they tell those of the others."""

SOME = 3
"""So many reasons are measured in any case, each in a third of a millisecond: a hint is to say what to do better."""


def doubts_of(
    search: SearchState, layout: PhotoLayout, game: PrintedGame | None
) -> tuple[PhotoLayout, tuple[Doubt, ...]]:
    """Return what was not read, each card once: with its outline, or as the place of a code where that is all there is.

    Cards that can be read once their outline is known are no doubts: they are added to the layout, which comes first,
    and to the search. Nor are second codes of cards that were seen. Without a game nothing is known of cards, and only
    places that look like codes are told.
    """
    located = [one for one in search.suspects if not search.explains(one)]
    if game is None:
        return layout, _named(
            Surroundings.of(search.grey, []), [(one.quad, [one.quad], one.modules) for one in located], search.budget
        )
    geometry = game.geometry
    located = [one for one in located if not is_of_seen(one.quad, layout, geometry)]
    places = [one.quad for one in located]
    naming = decode_seconds(NAMING * MEASURED + LAST)
    # A code that was read is no doubt, whosever it is: a card of another game lies there.
    strange = [np.array(code.quad) for code in layout.codes if code.card is None]
    known = glimpsed_cards(search.glimpsed, layout, geometry)
    known = [card for card in known if not any(contains(card, centre(code)) for code in strange)]
    refused = False

    def affords(seconds: float) -> bool:
        nonlocal refused
        fits = search.budget.affords(seconds + naming)
        refused = refused or not fits
        return fits

    cards, codes = suspected_cards(search.pyramid, layout, places, geometry, affords, known)
    # Nobody had the time to see that nothing lies there.
    search.overlooked |= refused and not cards and not codes
    read = len(search.codes)
    read_outlined(search, game, cards)
    if len(search.codes) > read:
        layout = laid_out(scanned(search.codes, game), game)
        seen = [np.array(card.outline) for card in layout.seen]
        cards = [card for card in cards if is_free(card, seen)]
        # What single places tell is less sure than a card that was read.
        cards = [card for card in cards if is_apart(card, seen) or not any(card is one for one in known)]
        codes = [code for code in codes if not is_of_seen(code, layout, geometry)]
        located = [one for one in located if not is_of_seen(one.quad, layout, geometry)]
    enough = decode_seconds(NAMING + LAST)
    alone = []
    for one in located:
        # Print and cloth have a hundred such places, and each takes a fifth of a millisecond.
        if not search.budget.affords(enough):
            search.overlooked = True
            break
        if not (any(contains(card, centre(one.quad)) for card in cards) or stray(one.quad, layout, cards, geometry)):
            alone.append(one)
    taken = [*(one.quad for one in alone), *strange]
    codes = [code for code in codes if not any(contains(place, centre(code)) for place in taken)]
    if not cards and not alone and not codes:
        return layout, ()
    around = Surroundings.of(search.grey, [np.array(card.outline) for card in layout.seen], cards)
    named: list[tuple[Quad, list[Quad], int]] = [(card, codes_of(card, geometry), geometry.modules) for card in cards]
    named += [(code, [code], geometry.modules) for code in codes]
    return layout, _named(around, [*named, *((one.quad, [one.quad], one.modules) for one in alone)], search.budget)


def _named(
    around: Surroundings, places: Sequence[tuple[Quad, Sequence[Quad], int]], budget: TimeBudget
) -> tuple[Doubt, ...]:
    """Return doubts: for each its place, and the cause found at the places of its codes of so many modules.

    Once time is up no more than a few are measured: what most of these have is taken, if it is something that holds all
    over a picture.
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
    """Return the commonest of some causes if it holds all over a picture."""
    reason, number = Counter(cause.reason for cause in causes).most_common(1)[0] if causes else ("unread", 0)
    if reason not in ALL_OVER or 2 * number <= len(causes):
        return Cause("unread")
    return next(cause for cause in causes if cause.reason == reason)
