"""Finds cards in a picture of which nothing is known, neither a code nor the size or slant of a card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.alike import group_of, is_lattice, seen_squares
from scanner.budget import decode_seconds
from scanner.pairs import MOST_CARDS, likely, pairs_of, usual_scale
from scanner.patches import Patches, levels_of, patches_in
from scanner.quads import codes_of, project
from scanner.rectangles import rectangles
from scanner.slants import stretched, stretching
from scanner.table import slant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardgen.cards import Geometry
    from scanner.patches import Level
    from scanner.pyramid import Pyramid
    from scanner.result import Quad

LOOK = 600
"""Pixels of the longer side of the picture in which patches of codes of unknown size are looked for, at least."""

PATCHES, RIMS = 10_000_000, 5_000_000
"""What looking for patches of any size, or for rims, takes: as long as decoding a JPEG of so many pixels."""

_LEAST = 0.38
# Correlation from which on a place counts as a patch: noise alone has less as a rule.
_FEWEST = 3
# Cards that are enough to tell the table by.
_PAIRED = 0.75
# Share of the patches that look alike which pairs must explain to tell the table.
_SLANTED = 1.15
# From so many times longer than wide on squares count as slanted: at 30 degrees.
_ASIDE = 0.1
# Share of what lies in a picture by which it is looked at beyond that.
_THINGS = 3
# So many of the largest things in a picture are looked at by themselves, where all together gave nothing.
_SMALLER = 0.7
# Things that take less of a picture's longer side are looked at by themselves.


@dataclass(frozen=True, eq=False)
class Told:
    """Places of codes that tell the table, but the size of cards only if not `rough`; and the cards found so far.

    With `alike` these are patches that look alike: other codes look like them.
    """

    codes: Sequence[Quad]
    cards: Sequence[Quad]
    rough: bool = False
    alike: bool = False


def tables(
    picture: Pyramid,
    boxes: Sequence[Quad],
    own: Sequence[Quad],
    geometry: Geometry,
    affords: Callable[[float], bool],
) -> Iterator[Told]:
    """Yield what may tell the table, of codes those of `own` with them.

    `boxes` are shapes around things in the picture; `affords` tells whether there is time for so many seconds of work.
    Few codes that were read, above all where they were hardly readable, tell the table badly.
    """
    cards: list[Quad] = []
    squares: list[Quad] = []
    paired = False
    height, width = picture.shape
    for low, high in _parts(boxes, width, height):
        if not cards and affords(decode_seconds(PATCHES)):
            cards, squares = _by_patches(picture, low, high, geometry, affords)
            # Two codes of a card tell its size better than many single ones.
            paired = 2 * len(cards) >= max(_PAIRED * len(squares), 2 * _FEWEST)
            if squares and not paired:
                yield Told([*own, *squares], cards, alike=True)
    if affords(decode_seconds(RIMS)):
        # Seen at a slant cards have other shapes, but all of them the same: their rims tell it.
        level = picture.halved(max(picture.shape) / LOOK, 1.0)
        rims = [code for quad in rectangles(level.pixels) for code in codes_of(level.up(quad), geometry)]
        if 2 * _FEWEST < len(rims) <= 2 * MOST_CARDS and _slanted(rims):
            yield Told(rims, cards, rough=True)
    codes = [*own, *(code for card in cards for code in codes_of(card, geometry))]
    if codes:
        yield Told(codes, cards)
    if squares and paired:
        yield Told([*own, *squares], cards, alike=True)


def _slanted(codes: Sequence[Quad]) -> bool:
    """Tell whether squares are seen at such a slant that patches are not found well."""
    narrow, wide = np.linalg.eigvalsh(slant(codes))
    return bool(wide > _SLANTED * narrow)


def _parts(boxes: Sequence[Quad], width: int, height: int) -> list[tuple[Quad, Quad]]:
    """Return the upper left and lower right corners of parts of a picture that may hold cards, likely ones first.

    First the whole picture, unless all things lie in a small part of it, then the largest things.
    """
    low, high = np.zeros(2), np.array([width, height], dtype=np.float64)
    largest = sorted(boxes, key=lambda box: -cv2.contourArea(box.astype(np.float32)))[:_THINGS]
    parts = []
    for box in ([np.vstack(boxes)] if boxes else []) + largest:
        margin = _ASIDE * float(np.ptp(box, axis=0).max())
        part = np.maximum(box.min(axis=0) - margin, low), np.minimum(box.max(axis=0) + margin, high)
        if (part[1] - part[0]).max() < _SMALLER * max(width, height) and (part[1] - part[0]).min() >= 1:
            parts.append(part)
        elif not parts:
            parts.append((low, high))
    return parts or [(low, high)]


def _by_patches(
    picture: Pyramid, low: Quad, high: Quad, geometry: Geometry, affords: Callable[[float], bool]
) -> tuple[list[Quad], list[Quad]]:
    """Return the cards told by the patches of their codes in a part of the picture, and codes that look alike."""
    level = picture.halved(float((high - low).max()) / LOOK, 1.0)
    left, top = np.floor(low * level.scale).astype(int)
    right, bottom = np.ceil(high * level.scale).astype(int)
    part = level.pixels[top:bottom, left:right]
    levels = levels_of(part, max(part.shape), geometry)
    if not levels:
        return [], []
    patches = patches_in(levels, geometry, _LEAST)
    cards = _in_pairs(patches, levels, geometry)
    group = group_of(patches, levels, geometry)
    if len(group) and not is_lattice(group):
        moved = Patches(
            level.up(group.middles + np.array([left, top])),
            group.sides / level.scale.mean(),
            group.like,
            group.turns,
        )
        cards = [level.up(card + np.array([left, top])) for card in cards]
        return cards, list(seen_squares(moved, picture.shape))
    stretch = stretching(patches, levels, geometry)
    if stretch is not None and affords(decode_seconds(PATCHES)):
        flatter, back = stretched(part, stretch)
        levels = levels_of(flatter, max(flatter.shape), geometry)
        more = _in_pairs(patches_in(levels, geometry, _LEAST), levels, geometry) if levels else []
        more = [project(back, card) for card in more]
        # Chance makes a card or two in whatever is stretched.
        cards = more if len(more) > max(len(cards), _FEWEST) else cards
    return [level.up(card + np.array([left, top])) for card in cards], []


def _in_pairs(patches: Patches, levels: Sequence[Level], geometry: Geometry) -> list[Quad]:
    """Return the cards that pairs of patches tell."""
    pairs = pairs_of(patches, levels, geometry)
    return [pairs.quads[at] for at in likely(pairs, usual_scale(pairs))]
