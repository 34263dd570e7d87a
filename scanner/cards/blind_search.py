"""Finds unread cards in a picture in which no code was read, so that neither scale nor slant are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.cards.cards_in_noise import cards_in_noise
from scanner.cards.code_patches import Patches, levels_of, patches_in
from scanner.cards.missing_estimate import dense_region
from scanner.cards.pair_detector import MOST_CARDS, pairs_of, probable_cards, usual_scale
from scanner.cards.rectangle_detector import rectangles
from scanner.cards.similar_patches import is_lattice, similar_patches, slanted_code_quads
from scanner.decode.finder_patterns import is_grainy, is_sharp
from scanner.geometry.homography import foreshortening
from scanner.geometry.quads import centre, codes_of, containing, is_apart
from scanner.time_budget import decode_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardgen.cards import Geometry
    from scanner.cards.code_patches import PatchLevel
    from scanner.image.pyramid import Level as Shrunk
    from scanner.image.pyramid import Pyramid
    from scanner.result import Quad


LOOK = 600
"""Pixels of the longer side, at least, of the picture that is searched for patches of codes of unknown size."""

BLURRED = 400
"""The same for rims where nothing is sharp."""

PATCHES, FINER, GROUPS, RIMS, GRAIN = 3_000_000, 2_500_000, 1_500_000, 3_500_000, 4_500_000
"""Cost of searching for patches, for those of large decks, for groups of similar ones, for rims, and for cards in
noise: the time of decoding a JPEG with this number of pixels."""

# Correlation from which on a place counts as a patch: noise alone has less as a rule.
_LEAST = 0.38

# The finest sizes, which take half of the time.
_LARGE_DECKS = 2

# Number of cards that define a table plane.
_FEWEST = 3

# Number of cards from which on no other method is tried.
_MANY = 7

# Maximum distance, in sides, of patches from the codes they belong to; relative likeness from which on others are
# equally clear; and their usual number per card by chance.
_NEAR, _AS_CLEAR, _STRAYS = 0.45, 0.9, 0.1

# Share of the similar patches that must belong to pairs if these are to define the table plane.
_PAIRED = 0.75

# Elongation from which on squares count as slanted: at 22 degrees.
_SLANTED = 1.08

# Margin around objects, as a share of their size.
_ASIDE = 0.1

# Number of the largest objects that are searched separately if the whole picture gave nothing.
_THINGS = 3

# Size of a dense region that is searched first, in longer sides of the picture, and the margin around it.
_SIDE, _AFAR, _AROUND = 0.08, 0.4, 0.2

# Maximum size of such an object, in longer sides of the picture.
_SMALLER = 0.7


@dataclass(frozen=True, eq=False)
class TableCandidate:
    """Code positions that define a table plane, and the cards found so far.

    `alike`: the codes are similar patches, not a regular pattern, and other codes look like them. `whole`: the cards
    explain everything in the picture.
    """

    codes: Sequence[Quad]
    cards: Sequence[Quad]
    alike: bool = False
    whole: bool = False


def candidate_tables(
    picture: Pyramid,
    boxes: Sequence[Quad],
    own: Sequence[Quad],
    geometry: Geometry,
    affords: Callable[[float], bool],
    explain: Callable[[Sequence[Quad]], bool],
) -> Iterator[TableCandidate]:
    """Yield candidate tables, each including the few codes that were read, `own`.

    `boxes` are convex shapes around objects in the picture. `affords` returns whether there is time for a number of
    seconds of work, `explain` whether cards, with everything that was read, account for all objects in the picture.
    """
    cards: list[Quad] = []
    squares: list[Quad] = []
    paired = rimmed = False
    # Where nothing is sharp the edges that are left are those of some cards, and not of all.
    crowded = dense_region(picture) if is_sharp(picture.whole) else None
    for number, (low, high) in enumerate(_parts(boxes, crowded, *picture.shape[::-1])):
        region = None
        if not cards and affords(decode_seconds(PATCHES)):
            region = Region.of(picture, low, high, geometry)
            cards = region.cards()
            found = region.tables(cards, own, explain)
            if not number:
                yield from _in_noise(picture, cards, own, geometry, affords)
                rimmed = len(cards) < _FEWEST
                yield from _by_rims(picture, geometry, affords) if rimmed else ()
            if not found and affords(decode_seconds(FINER)):
                region = region.finer()
                cards = region.cards()
                found = region.tables(cards, own, explain)
            yield from found
            squares = region.squares() if affords(decode_seconds(GROUPS)) else []
            # Two codes of a card give its size more exactly than many single ones.
            paired = len(squares) > 0 and 2 * len(cards) >= max(_PAIRED * len(squares), 2 * _FEWEST)
        alike = [TableCandidate([*own, *squares], cards, alike=True)] if squares and not paired and region else []
        if alike and not _slanted(squares):
            yield alike.pop()
        # A few cards on one side of the picture are not enough for the slant.
        few = not paired or len(cards) < _MANY
        if not number and few and not rimmed:
            yield from _by_rims(picture, geometry, affords)
        yield from alike
    codes = [*own, *_codes(cards, geometry)]
    if codes:
        yield TableCandidate(codes, cards)
    if squares and paired:
        yield TableCandidate([*own, *squares], cards, alike=True)


def _by_rims(picture: Pyramid, geometry: Geometry, affords: Callable[[float], bool]) -> list[TableCandidate]:
    """Return the table found by rectangle detection, if any."""
    most: list[Quad] = []
    # Blur leaves rims as they are at half the size as a rule, where that takes less than half of the time.
    for look, cost in ((LOOK, RIMS),) if is_sharp(picture.whole) else ((BLURRED, RIMS // 2), (LOOK, RIMS)):
        level = picture.halved(max(picture.shape) / look, 1.0)
        if len(most) >= _MANY or not affords(decode_seconds(cost)):
            break
        rims = [level.up(quad) for quad in rectangles(level.pixels, geometry)]
        most = max(most, rims, key=len)
    return [TableCandidate(_codes(most, geometry), most)] if 0 < len(most) <= MOST_CARDS else []


def _in_noise(
    picture: Pyramid,
    cards: Sequence[Quad],
    own: Sequence[Quad],
    geometry: Geometry,
    affords: Callable[[float], bool],
) -> list[TableCandidate]:
    """Return the table found by card rims in a noisy picture, if it has at least as many cards as the patches show."""
    if not is_grainy(picture.whole) or not affords(decode_seconds(GRAIN)):
        return []
    level = picture.halved(max(picture.shape) / LOOK, 1.0)
    faint = [level.up(card) for card in cards_in_noise(level.pixels, geometry)]
    if len(faint) < len(cards) or not faint:
        return []
    # Chance makes a pair or two.
    sure = cards if len(cards) >= _FEWEST else []
    all_ = [*sure, *(one for one in faint if is_apart(one, sure))]
    return [TableCandidate([*own, *_codes(all_, geometry)], all_, whole=True)]


def _codes(cards: Sequence[Quad], geometry: Geometry) -> list[Quad]:
    return [code for card in cards for code in codes_of(card, geometry)]


def _slanted(codes: Sequence[Quad]) -> bool:
    """Decide whether the slant is too large to be estimated from patches alone."""
    narrow, wide = np.linalg.eigvalsh(foreshortening(codes))
    return bool(wide > _SLANTED * narrow)


def _parts(boxes: Sequence[Quad], crowded: Quad | None, width: int, height: int) -> list[tuple[Quad, Quad]]:
    """Return the upper left and lower right corners of regions that may contain cards, likely ones first.

    First the whole picture, unless all objects lie in a small part of it, then the largest objects. A small region full
    of edges comes before these, since cards in it are too small to be found in the whole picture.
    """
    low, high = np.zeros(2), np.array([width, height], dtype=np.float64)
    largest = sorted(boxes, key=lambda box: -cv2.contourArea(box.astype(np.float32)))[:_THINGS]
    parts: list[tuple[Quad, Quad]] = []
    for box in ([np.vstack(boxes)] if boxes else []) + largest:
        margin = _ASIDE * float(np.ptp(box, axis=0).max())
        region = np.maximum(box.min(axis=0) - margin, low), np.minimum(box.max(axis=0) + margin, high)
        if (region[1] - region[0]).max() < _SMALLER * max(width, height) and (region[1] - region[0]).min() >= 1:
            parts.append(region)
        elif not parts:
            parts.append((low, high))
    parts = parts or [(low, high)]
    whole = (parts[0][1] - parts[0][0] == high).all()
    if whole and crowded is not None and _SIDE < float(np.ptp(crowded, axis=0).max()) / max(width, height) < _AFAR:
        margin = _AROUND * float(np.ptp(crowded, axis=0).max())
        parts.insert(0, (np.maximum(crowded[0] - margin, low), np.minimum(crowded[2] + margin, high)))
    return parts


@dataclass(frozen=True, eq=False)
class Region:
    """A part of a picture with the patches in it, and its position in the whole."""

    picture: Pyramid
    level: Shrunk
    corner: Quad
    levels: Sequence[PatchLevel]
    patches: Patches
    geometry: Geometry

    @classmethod
    def of(cls, picture: Pyramid, low: Quad, high: Quad, geometry: Geometry) -> Region:
        """Search a region for patches of all sizes except those of decks of more than 30 cards."""
        level = picture.halved(float((high - low).max()) / LOOK, 1.0)
        left, top = np.floor(low * level.scale).astype(int)
        right, bottom = np.ceil(high * level.scale).astype(int)
        pixels = level.pixels[top:bottom, left:right]
        levels = levels_of(pixels, max(pixels.shape), geometry)
        patches = patches_in(levels[_LARGE_DECKS:], geometry, _LEAST)
        return cls(picture, level, np.array([left, top]), levels, patches, geometry)

    def finer(self) -> Region:
        """Search for the patches of large decks as well."""
        return replace(self, patches=patches_in(self.levels[:_LARGE_DECKS], self.geometry, _LEAST, known=self.patches))

    def cards(self) -> list[Quad]:
        """Return the cards found as pairs of patches."""
        return [self.level.up(card + self.corner) for card in _in_pairs(self.patches, self.levels, self.geometry)]

    def tables(
        self, cards: Sequence[Quad], own: Sequence[Quad], explain: Callable[[Sequence[Quad]], bool]
    ) -> list[TableCandidate]:
        """Return the table of the cards found as pairs of patches, if they are many or explain the whole picture."""
        whole = len(cards) >= _FEWEST and not self.has_others(cards) and explain(cards)
        if not whole and len(cards) < _MANY:
            return []
        return [TableCandidate([*own, *_codes(cards, self.geometry)], cards, whole=whole)]

    def has_others(self, cards: Sequence[Quad]) -> bool:
        """Decide whether equally clear patches lie beside the cards: partly covered cards show only one code."""
        quads = [self.level.down(card) - self.corner for card in cards]
        codes = np.array([centre(code) for code in _codes(quads, self.geometry)])
        apart = np.linalg.norm(self.patches.middles[:, np.newaxis] - codes, axis=2).min(axis=1)
        known = self.patches.like[apart < _NEAR * self.patches.sides]
        clear = self.patches.like >= _AS_CLEAR * (float(np.median(known)) if len(known) else 0.0)
        on_cards = containing(np.array(quads), self.patches.middles[clear]).any(axis=0)
        return bool(np.count_nonzero(~on_cards) > _STRAYS * len(cards))

    def squares(self) -> list[Quad]:
        """Return the codes of similar patches that define a table plane."""
        group = similar_patches(self.patches, self.levels, self.geometry)
        if not len(group) or is_lattice(group):
            return []
        middles, sides = self.level.up(group.middles + self.corner), group.sides / self.level.scale.mean()
        return list(slanted_code_quads(Patches(middles, sides, group.like, group.turns), self.picture.shape))


def _in_pairs(patches: Patches, levels: Sequence[PatchLevel], geometry: Geometry) -> list[Quad]:
    """Return the cards formed by pairs of patches."""
    if not levels:
        return []
    pairs = pairs_of(patches, levels, geometry)
    return [pairs.quads[at] for at in probable_cards(pairs, usual_scale(pairs))]
