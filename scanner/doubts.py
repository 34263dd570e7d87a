"""Cards and codes of the game that lie in the picture but were not read, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.quads import centre, contains, corners, side
from scanner.reasons import Surroundings, brightness, cause_of
from scanner.result import Doubt
from scanner.sort import is_of_seen
from scanner.suspected import codes_of, stray, suspected_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Game, Geometry
    from scanner.result import Grey, Quad
    from scanner.search import Search
    from scanner.sort import Layout


DARKEST = 50.0
"""Brightness of paper, of 255, below which noise hides cards: they are looked for in a smaller and brighter picture."""

_REDUCED = 800
# Pixels of the longer side of that picture: noise is averaged away, cards are still large.
_SOFTENED = 1.0
# Blur of it, in pixels, against the rest.
_NOISE, _PATCH, _AROUND = 30.0, 5, 11
# How unlike pixels' surroundings may be that are averaged, how large these are, and how far apart, in pixels.
_LEAST = 4.5
# Contrast that it has, in parts of its noise; below, noise and patterns make cards that are none.
_FEWEST = 6
# Cards that confirm each other: columns of print make a few.
_HALF = 0.6745
# Half of noise differs less than this, in its standard deviations.
_DARK, _WHITE = 20.0, 220.0
# Brightness of the table and of paper in it.


def doubts_of(search: Search, layout: Layout, game: Game | None) -> tuple[Doubt, ...]:
    """Return what was not read, each card once: with its outline, or as the place of a code where that is all there is.

    Second codes of cards that were seen are no doubts. Without a game nothing is known of cards, and only places that
    look like codes are told.
    """
    located = [one for one in search.suspects if not search.explains(one)]
    if game is None:
        return _named(Surroundings.of(search.grey, []), [(one.quad, [one.quad], one.modules) for one in located])
    geometry = game.geometry
    located = [one for one in located if not is_of_seen(one.quad, layout, geometry)]
    dark = not layout.codes and brightness(search.grey) < DARKEST
    places = [one.quad for one in located]
    find = _cards_in_the_dark if dark else suspected_cards
    cards = find(search.grey, layout, places, geometry)
    alone = [
        one
        for one in located
        if not any(contains(card, centre(one.quad)) for card in cards) and not stray(one.quad, layout, cards, geometry)
    ]
    if not cards and not alone:
        return ()
    around = Surroundings.of(search.grey, [np.array(card.outline) for card in layout.seen], cards)
    named = [(card, codes_of(card, geometry), geometry.modules) for card in cards]
    return _named(around, [*named, *((one.quad, [one.quad], one.modules) for one in alone)])


def _cards_in_the_dark(grey: Grey, layout: Layout, located: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    """Return the outlines of cards in a picture so dark that noise hides them, where no code was read."""
    factor = min(1.0, _REDUCED / max(grey.shape))
    if factor * min(grey.shape) < 1:
        # A strip, as no photograph is.
        return []
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.float32)
    soft = cv2.GaussianBlur(small, (0, 0), _SOFTENED)
    low, high = np.percentile(soft, (2, 99))
    # Half of the differences from the middle of 25 pixels: edges are few, noise is everywhere.
    noise = float(np.median(np.abs(small - cv2.medianBlur(small, 5)))) / _HALF
    if high - low < max(_LEAST * noise, 1.0):
        return []
    bright = np.clip(_DARK + (soft - low) * ((_WHITE - _DARK) / (high - low)), 0, 255).astype(np.uint8)
    bright = np.asarray(cv2.fastNlMeansDenoising(bright, None, _NOISE, _PATCH, _AROUND), dtype=np.uint8)
    cards = suspected_cards(bright, layout, [quad * factor for quad in located], geometry)
    return [card / factor for card in cards] if len(cards) >= _FEWEST else []


def _named(around: Surroundings, places: Sequence[tuple[Quad, Sequence[Quad], int]]) -> tuple[Doubt, ...]:
    """Return doubts: for each its place, and the cause found at the places of its codes of so many modules."""
    causes = [cause_of(around, codes, modules) for _, codes, modules in places]
    return tuple(
        Doubt(corners(quad), cause.reason, cause.motion, max(map(side, codes)) / modules)
        for (quad, codes, modules), cause in zip(places, causes, strict=True)
    )
