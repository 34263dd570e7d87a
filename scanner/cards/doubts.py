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
    on_unknown_table,
    other_objects,
)
from scanner.cards.objects import edges_of, unexplained_objects
from scanner.decode import known_codes
from scanner.decode.backends import DecodedCode
from scanner.decode.identify import is_of_seen
from scanner.decode.known_codes import VERSION, Codebook
from scanner.decode.qr_spec import modules_of
from scanner.geometry.homography import TablePlane
from scanner.geometry.quads import centre, codes_of, containing, contains, corners, is_apart, project, side
from scanner.result import Doubt
from scanner.time_budget import decode_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry, PrintedGame
    from scanner.decode.identify import PhotoLayout
    from scanner.decode.search_state import SearchState
    from scanner.result import Quad
    from scanner.time_budget import TimeBudget


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

# Cost of measuring the reason of one card, and of decks and hints: the time of decoding a JPEG with this number of
# pixels.
_REASON, _LAST = 120_000, 1_000_000

# Number of cards for whose reasons time is reserved while cards are searched, and of reasons that are always measured,
# 0.3 ms each, so that a hint can give advice.
_MEASURED, _SOME = 4, 3


def find_doubts(search: SearchState, game: PrintedGame | None) -> tuple[PhotoLayout, tuple[Doubt, ...]]:
    """Return the layout, with cards that could be read once their outline was known, and the unread cards.

    Each unread card is reported once: with its outline, or with the quad of a code if no outline was found. Second
    codes of cards that were seen do not count. Without a game, only places that look like codes are reported.
    """
    located = [one for one in search.suspects if not search.explains(one)]
    if game is None:
        places = [(one.quad, [one.quad], one.modules) for one in located]
        return search.layout, _named(Surroundings.of(search.grey, []), places, search.budget)
    geometry = game.geometry
    found = _find_cards(
        search, game, [one.quad for one in located if not is_of_seen(one.quad, search.layout, geometry)]
    )
    cards = [one.quad for one in found if one.whole]
    known = [code for card in cards for code in codes_of(card, geometry)]
    enough = decode_seconds(_REASON + _LAST)
    alone = []
    for one in located:
        # Print and cloth have a hundred such places, and each takes a fifth of a millisecond.
        if not search.budget.affords(enough):
            search.overlooked = True
            break
        if not (
            is_of_seen(one.quad, search.layout, geometry)
            or any(contains(card, centre(one.quad)) for card in cards)
            or _is_false_detection(one.quad, search.layout, known, geometry)
        ):
            alone.append(one)
    codes = [one.quad for one in found if not one.whole]
    codes = [code for code in codes if not any(contains(one.quad, centre(code)) for one in alone)]
    named: list[tuple[Quad, list[Quad], int]] = [(card, codes_of(card, geometry), geometry.modules) for card in cards]
    named += [(code, [code], geometry.modules) for code in codes]
    named += [(one.quad, [one.quad], one.modules) for one in alone]
    if not named:
        return search.layout, ()
    around = Surroundings.of(search.grey, [np.array(card.outline) for card in search.layout.seen], cards)
    return search.layout, _named(around, named, search.budget)


def _find_cards(search: SearchState, game: PrintedGame, located: Sequence[Quad]) -> list[FoundCard]:
    """Return the cards of which no code was read, after matching them against all codes of the game.

    One way of finding them follows the other, so each knows the cards that were read because of those before.
    """
    geometry = game.geometry
    naming = decode_seconds(_REASON * _MEASURED + _LAST)
    refused = False

    def affords(seconds: float, *, needed: bool = True) -> bool:
        nonlocal refused
        fits = search.budget.affords(seconds + naming)
        refused = refused or (needed and not fits)
        return fits

    known = _cards_of_unverified_codes(search.unverified, search.layout, geometry)
    found = [FoundCard(card, codes_of(card, geometry), whole=True) for card in known]
    found = _read(search, game, found, found)
    edges, factor = edges_of(search.pyramid)
    for find in (on_unknown_table, by_texture, by_patches, as_objects):
        layout = search.layout
        own = [np.array(code.quad) for code in layout.codes if code.card is not None]
        is_known = len(own) >= ENOUGH
        if is_known == (find is on_unknown_table):
            continue
        seen, others = [np.array(card.outline) for card in layout.seen], other_objects(layout)
        boxes = [*unexplained_objects(edges, factor, seen, others, geometry), *located]
        if is_known and not boxes:
            break
        here = MissingCardSearch(search.pyramid, layout.table, own, [*seen, *others], boxes, geometry, affords)
        # A code that was read is no doubt even if it belongs to another game.
        strange = [np.array(code.quad) for code in layout.codes if code.card is None]
        new = [
            one
            for one in in_sight(find(here), search.pyramid)
            if not any(contains(one.quad, centre(code)) for code in strange)
        ]
        # A card that was found before may be read all the same, since its place may be more exact now.
        found = _read(
            search, game, [*found, *(one for one in new if is_apart(one.quad, [old.quad for old in found]))], new
        )
    # There was no time to rule out further cards.
    search.overlooked |= refused and not found
    return found


def _cards_of_unverified_codes(codes: Sequence[Quad], layout: PhotoLayout, geometry: Geometry) -> list[Quad]:
    """Return the outlines of cards with unverified codes, each once, apart from the cards that were seen.

    Requires enough read cards to know the table plane; only places with the size of a code on it count.
    """
    cards = [np.array(card.outline) for card in layout.seen]
    if len(cards) < ENOUGH or not codes:
        return []
    places = np.array(codes)
    own = np.array([code.quad for code in layout.codes if code.card is not None])
    alike = _are_alike(places, own, layout.table) & ~containing(np.array(cards), places.mean(axis=1)).any(axis=0)
    for code in places[alike]:
        card = layout.table.outline(geometry, code)
        if not any(contains(other, centre(card)) or contains(other, centre(code)) for other in cards):
            cards.append(card)
    return cards[len(layout.seen) :]


def _are_alike(quads: Quad, codes: Quad, table: TablePlane) -> npt.NDArray[np.bool_]:
    """Return which quads, shape (n, 4, 2), have four sides as long as those of codes, shape (m, 4, 2), on the table."""

    def lengths(some: Quad) -> Quad:
        flat = project(table.flat, some.reshape(-1, 2)).reshape(some.shape)
        return np.asarray(np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2))

    ratios = np.maximum(lengths(quads), 1e-9) / np.median(lengths(codes))
    return np.asarray((np.abs(np.log(ratios)) < np.log(_UNLIKE)).all(axis=1))


def _is_false_detection(quad: Quad, layout: PhotoLayout, known: Sequence[Quad], geometry: Geometry) -> bool:
    """Return whether a located quad is a false detection: made of corners of different codes, or no square.

    `known` are the codes of cards that were found beside those that were seen.
    """
    codes = [*known, *(code for card in layout.seen for code in codes_of(np.array(card.outline), geometry))]
    inner = (quad + _INNER * (centre(quad) - quad))[[0, 1, 3]]
    if codes and containing(np.array(codes), inner).any(axis=0).sum() > 1:
        return True
    own, table = [np.array(code.quad) for code in layout.codes if code.card is not None], layout.table
    if len(own) < ENOUGH:
        own = [*own, *known]
        table = TablePlane.under(own)
    return len(own) >= ENOUGH and not _are_alike(quad[np.newaxis], np.array(own), table)[0]


def _read(
    search: SearchState, game: PrintedGame, found: Sequence[FoundCard], new: Sequence[FoundCard]
) -> list[FoundCard]:
    """Match `new` cards against all codes of the game, and return those of the `found` ones that are still unread."""
    read_missing_cards(search, game, [one.codes for one in new])
    seen = [np.array(card.outline) for card in search.layout.seen]
    return [
        one
        for one in found
        if not any(contains(card, centre(one.quad)) for card in seen)
        and (one.whole or not is_of_seen(one.quad, search.layout, game.geometry))
    ]


def read_missing_cards(search: SearchState, game: PrintedGame, cards: Sequence[Sequence[Quad]]) -> None:
    """Match the codes of unread cards against all codes of the game, most certain cards first, while there is time.

    Each code is matched at its expected place; unmatched ones with a high score are then searched around it. Matches
    are added to the search. One comparison takes 0.25 to 1 ms; a card needs 2 or 18. It adds 106 cards in 180 difficult
    photographs, for 16 ms each.
    """
    naming = decode_seconds(_REASON * len(cards) + _LAST)
    near: list[tuple[float, Sequence[Quad]]] = []
    matched = blank = 0
    for codes in cards:
        if blank >= _BLANK and not matched:
            break
        score = _match(search, game, codes, _OFF[:1], naming)
        matched += score is None
        blank = blank + 1 if score is not None and score < _HOPEFUL else 0
        if score is not None and score >= _HOPEFUL:
            near.append((score, codes))
    for tried, (_, codes) in enumerate(sorted(near, key=lambda one: -one[0])):
        if tried >= _HOPELESS and not matched:
            return
        matched += _match(search, game, codes, _OFF[1:], naming) is None


def _match(
    search: SearchState, game: PrintedGame, codes: Sequence[Quad], offsets: Sequence[tuple[int, int]], left: float
) -> float | None:
    """Match a card's codes at these offsets, and add the code to the search if one is certain: then return None.

    Otherwise return the highest score; 0 if fewer than `left` seconds of work remain.
    """
    best = 0.0
    for code, offset in product(codes, offsets):
        if not search.budget.affords(left):
            return 0.0
        moved = code + np.array(offset) * (side(code) / modules_of(VERSION))
        reading = known_codes.read(search.pyramid, moved, Codebook.of(game))
        if reading is not None and reading.text is not None:
            search.add([DecodedCode(reading.text, moved, VERSION)])
            return None
        best = max(best, reading.clear if reading is not None else 0.0)
    return best


def _named(
    around: Surroundings, places: Sequence[tuple[Quad, Sequence[Quad], int]], budget: TimeBudget
) -> tuple[Doubt, ...]:
    """Return a doubt with its cause for each (quad, code quads, modules along a side).

    Once time is up only `_SOME` causes are measured; the others get the commonest if that is one of the whole picture.
    """
    enough = decode_seconds(_REASON + _LAST)
    causes: list[Cause] = []
    for _, codes, modules in places:
        if len(causes) >= _SOME and not budget.affords(enough):
            break
        causes.append(cause_of(around, codes, modules))
    usual = Cause("unread")
    for reason, number in Counter(cause.reason for cause in causes).most_common(1):
        if reason in ALL_OVER and 2 * number > len(causes):
            usual = next(cause for cause in causes if cause.reason == reason)
    causes += [usual] * (len(places) - len(causes))
    return tuple(
        Doubt(corners(quad), cause.reason, cause.motion, max(map(side, codes)) / modules)
        for (quad, codes, modules), cause in zip(places, causes, strict=True)
    )
