"""Cards and codes of the game that lie in the picture but were not read, and why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from scanner.budget import decode_seconds
from scanner.glimpsed import glimpsed_cards
from scanner.outlined import LAST, NAMING, read_outlined
from scanner.quads import centre, codes_of, contains, corners, is_apart, side
from scanner.reasons import ALL_OVER, Cause, Surroundings, cause_of
from scanner.result import Doubt
from scanner.sort import is_of_seen, laid_out, scanned
from scanner.suspected import is_free, stray, suspected_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Game
    from scanner.budget import Budget
    from scanner.result import Quad
    from scanner.search import Search
    from scanner.sort import Layout

MEASURED = 4
"""For so many cards time is kept back to measure the reasons while others are looked for: if there is time for no more
they tell those of the others."""

SOME = 3
"""So many reasons are measured in any case, each in a third of a millisecond: a hint is to say what to do better."""


def doubts_of(search: Search, layout: Layout, game: Game | None) -> tuple[Layout, tuple[Doubt, ...]]:
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
    around: Surroundings, places: Sequence[tuple[Quad, Sequence[Quad], int]], budget: Budget
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
