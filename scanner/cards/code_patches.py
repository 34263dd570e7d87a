"""Detects cards as pairs of code patches: grey squares in white frames, however blurred or dark the picture is.

At half a pixel per module a code is uniformly grey. Blur does not change that, nor does noise, since each pixel is then
the mean of many. So patches are found by template matching where no decoder locates a code. Other squares look alike,
but two at the distance of a card's codes, with the print of a card around them, are good evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from scanner.decode.finder_patterns import correlation
from scanner.geometry import card_corners, centre, code_on_card, contains, twin_on_card
from scanner.image.filters import halved, values_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.geometry import Field, TableView
    from scanner.result import Grey, Quad

    Values = npt.NDArray[np.float64]
    Indices = npt.NDArray[np.intp]
    Mask = npt.NDArray[np.bool_]


FINE = 0.5
"""Pixels per module at which patches are searched.

Figures in this module, if no others are named, are of 30 simulated photographs of 2 and 5 megapixels in which 189 of
503 cards are read and 270 of 369 unread ones are named: hopeless, covered, rolled, small and reflecting ones."""

MOST_CARDS = 100
"""Maximum number of cards that are returned."""

# Degrees; a square looks the same after a quarter turn.
_TURNS = (0.0, 22.5, 45.0, 67.5)

# Ratio between successive sizes at which the picture is searched, and the side of a code as a share of the picture's
# longer side at the first and the last: decks of 60 cards, and of one. With 1.12 two fewer cards are read and three
# fewer named, with 1.26 three fewer are read and two more named. In 16 hopeless photographs of 2 megapixels, in which
# 91 cards are read and 171 of 220 unread ones named, 14 fewer are named with 1/58 as the first and none with 1/34,
# and one fewer is read with either; with 1/6 and 1/3.4 as the last the same are.
_RATIO, _SMALLEST, _LARGEST = 1.18, 1 / 44, 1 / 4.5

# Brightness of a code as a whole, its frame being 1: with 0.35 to 0.7 the same cards are named. Pixels of the finer
# drawing for each of a template's.
_GREY, _SUB = 0.5, 8

# Minimum correlation with a patch: the same with 0.25 and 0.35 on a known table, and with up to 0.5 elsewhere.
_CLEAR = 0.3

# Part of that which a template of no direction has: 0.6 takes a quarter more time for the same cards, with 1.1 one of
# 87 fewer is named.
_ROUGHLY = 0.8

# Variance below which there is nothing to be seen, in steps of brightness squared.
_FLAT = 0.1

# Side in pixels of the area in which only the clearest patch counts: with 2 three fewer cards are named.
_APART = 3

# Number of matches, the clearest first, of which those of one patch at several sizes are merged: with 350 one card less
# is named, with 700 one more.
_MATCHES = 500

# Minimum intersection over union of such matches: with 0.32 and 0.63 the same cards are named, with 0.9 two fewer read.
_SAME = 0.45

# Largest difference, as a logarithm, of the sizes of a card's two patches, and of their distance from the one expected
# for these sizes: patches are measured in steps of 0.17. With 0.14 one card more and with 0.28 the same are named.
_LIKE_SIZE = 0.2

# Degrees by which a patch may be rotated against its card. With 12.6 four cards more are named at a slant and two
# fewer at night, and of 87 others three fewer; with 25 the same are.
_ASKEW = 18.0

# Width of the window, as a logarithm, in which sizes of cards count as one: with 0.035 and 0.07 two cards more are
# named.
_VOTES = 0.05

# Usual difference, as a logarithm, of a card's size from that of others: with 0.08 and 0.12 the same cards are named.
_UNLIKE = 0.1

# Minimum log odds of a card, which are even, and of one if both patches look like known codes: with any lower the same
# cards are named, with 0 there are 11 false reports more.
_LIKELY, _POOR = 0.0, -9.0

# Share of a card that another may cover if both codes are visible: with 0.18 and 0.35 the same cards are named.
_SHARED = 0.25

# Minimum correlation with a grey square in a white frame of a patch that looks like known ones, and the largest factor
# by which its contrast differs from theirs: with 0.65, 15 fewer cards are read and there are 18 false reports, with
# 0.85 eight fewer cards are named; with a factor of 1.2 two fewer, with 1.6 two more.
_ALIKE, _SHADE = 0.75, 1.35

# Points across a patch at which it is measured: with 12 three fewer cards are named, with 24 seven.
_POINTS = 17

# Modules between the sampling points on a card, and around it, for which `_WEIGHTS` are fitted: with 1.4 and 2.8, or
# 1.8 and 3.6 around, 6 to 13 fewer cards are named.
_STEP, _MARGIN = 2.0, 2.6

# Bounds of the white around a code and of the card's rim, in quiet zones: what lies across a bound belongs to
# neither. Inner and outer bound of the white, from the code; inner bound of the code; bounds of rim and table, from
# the edge. In the same 16 photographs an outer bound of 0.8 names 12 fewer cards, a bound of the code of 0.35 names
# 16 fewer, and one of the table of 0.325 reads 5 fewer, with 4 more false reports; inner bounds of 0.2 and 0.4, outer
# ones of 1.5, bounds of the code of 0.65, of the rim of 0.12 and 0.22 and of the table of 0.175 read and name the
# same.
_RING, _INSIDE, _RIM, _OUTSIDE = (0.3, 1.15), 1 / 2, 1 / 6, 1 / 4

# Median of the Laplacian, relative to the spread of brightness, from which on a picture is mostly noise, and sigma in
# pixels of the blur before candidate cards are measured in it: at night it is 1.2 or more, elsewhere at most 0.6.
# Without the blur 16 of 120 cards at night fewer are named in 2 megapixels, and 7 of 80 in 5; with a sigma of 1 as many
# are named and two more falsely.
_NOISY, _DENOISE = 0.85, 0.7

# Weights of a logistic regression fitted to 50 simulated photographs: correlation of the codes with their surroundings,
# of the card with the table, sum of the likeness of both patches, largest turn of these in degrees, and the constant.
# Likeness counts against a card, since given the other values chance pairs have clearer patches.
_WEIGHTS = (25.0, 14.5, -8.6, -0.16, -10.6)


@dataclass(frozen=True, eq=False)
class _Level:
    """A picture shrunk to `scale` pixels for each of its own."""

    pixels: Field
    scale: float


@dataclass(frozen=True, eq=False)
class _Patches:
    """Places that look like the patch around a code, n of them.

    `middles`, shape (n, 2), and `sides`, those of the code, in pixels of the picture; `like` is the correlation with a
    patch, `turns` the direction of the sides, in degrees to a multiple of 90.
    """

    middles: Quad
    sides: Values
    like: Values
    turns: Values

    def only(self, kept: Mask | Indices) -> _Patches:
        """Return some of the patches."""
        return _Patches(self.middles[kept], self.sides[kept], self.like[kept], self.turns[kept])

    def around(self, points: Quad, scale: float) -> Quad:
        """Return points in millimetres from the middle of each patch, turned as it is: shape (n, m, 2)."""
        turned = np.exp(1j * np.radians(self.turns))[:, np.newaxis] * (points @ (scale, scale * 1j))
        return np.asarray(np.stack((turned.real, turned.imag), axis=-1) + self.middles[:, np.newaxis])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Candidate cards formed by pairs of patches, n of them.

    `quads` are their corners, shape (n, 4, 2), in pixels of the picture, `scales` the pixels per millimetre, `patches`
    the indices of their patches, shape (n, 2), and `worth` the log odds that it is a card.
    """

    quads: Quad
    scales: Values
    patches: Indices
    worth: Values


def cards_of_unknown_size(grey: Grey, geometry: Geometry) -> list[Quad]:
    """Return the outlines of cards with two patches in a picture, the most certain first."""
    levels = _levels(grey, geometry)
    if not levels:
        return []
    pairs = _pairs(_patches_in(levels, geometry), levels, geometry)
    if not len(pairs.scales):
        return []
    # The size on which most pairs agree.
    logs, sure = np.log(pairs.scales), 1 / (1 + np.exp(-pairs.worth))
    tried = np.arange(logs.min(), logs.max() + _VOTES, _VOTES / 2)
    votes = np.exp(-0.5 * ((logs - tried[:, np.newaxis]) / _VOTES) ** 2) @ sure
    return list(pairs.quads[_probable_cards(pairs, float(np.exp(tried[votes.argmax()])))])


def cards_on_table(view: TableView, geometry: Geometry) -> tuple[list[Quad], list[Quad]]:
    """Return the outlines of cards with two patches in a view from above, and the quads of single codes beside them.

    All are in pixels of the view.
    """
    factor = FINE / (geometry.module * view.scale)
    level = _Level(halved(view.grey, factor).astype(np.float32), factor)
    patches = _patches_in([level], geometry)
    patches = patches.only(values_at(view.hidden, patches.middles) == 0)
    pairs = _pairs(patches, [level], geometry)
    found = _probable_cards(pairs, view.scale)
    alike = _matching_patches(patches, np.unique(pairs.patches[found]), view.scale, level, geometry)
    cards = list(pairs.quads[found])
    # Two that look like codes are a card, though the rest of it does not look like one.
    both = np.isin(pairs.patches, alike).all(axis=1)
    poor = pairs.quads[_selected(pairs, np.where(both, pairs.worth, -np.inf), _POOR)]
    cards += [card for card in poor if not any(contains(other, centre(card)) for other in cards)]
    alone = [at for at in alike if not any(contains(card, patches.middles[at]) for card in cards)]
    if len(cards) + len(alone) > MOST_CARDS:
        return [], []
    # Two codes of a card give its size more exactly than single ones.
    scale = float(np.median(pairs.scales[found])) if len(found) else view.scale
    code = code_on_card(geometry) - centre(code_on_card(geometry))
    return cards, list(patches.only(np.array(alone, dtype=np.intp)).around(code, scale))


def _levels(grey: Grey, geometry: Geometry) -> list[_Level]:
    """Return a picture at the sizes at which codes of all likely sizes have `FINE` pixels a module."""
    whole = np.array(grey.shape[::-1])
    levels: list[_Level] = []
    for side in np.exp(np.arange(np.log(_SMALLEST), np.log(_LARGEST), np.log(_RATIO))):
        factor = FINE * geometry.modules / (side * whole.max())
        size = np.round(whole * factor).astype(int).tolist()
        if factor <= 1 and min(size) > len(_template(geometry, 0.0)):
            # Each from the one before: that takes a tenth of the time, and all are blurred a little as they should be.
            kind = cv2.INTER_LINEAR if levels else cv2.INTER_AREA
            grey = np.asarray(cv2.resize(grey, size, interpolation=kind), dtype=np.uint8)
            levels.append(_Level(grey.astype(np.float32), max(size) / int(whole.max())))
    return levels


def _patches_in(levels: Iterable[_Level], geometry: Geometry) -> _Patches:
    """Return the places that look like a patch, the clearest first, each once."""
    found = [_patches_at(level, geometry) for level in levels]
    parts = [np.concatenate(part) for part in zip(*found, strict=True)]
    patches = _Patches(*parts)
    boxes = np.column_stack((patches.middles - patches.sides[:, np.newaxis] / 2, patches.sides, patches.sides))
    # Of a patch at several sizes the clearest counts.
    kept = cv2.dnn.NMSBoxes(boxes.tolist(), patches.like.tolist(), _CLEAR, _SAME, top_k=_MATCHES)
    return patches.only(np.array(kept, dtype=np.intp))


def _patches_at(level: _Level, geometry: Geometry) -> tuple[Quad, Values, Values, Values]:
    """Return middles, sides, likeness and turns of patches at one size.

    A patch of no direction finds them, and only where it does those of all turns are compared.
    """
    turned = np.stack([_template(geometry, turn) for turn in _TURNS])
    length = turned.shape[1]
    mean = turned.mean(axis=0) - turned.mean()
    rough = correlation(level.pixels, mean / np.linalg.norm(mean), _FLAT)
    if rough is None:
        return np.empty((0, 2)), np.empty(0), np.empty(0), np.empty(0)
    peak = (rough >= _ROUGHLY * _CLEAR) & (rough == cv2.dilate(rough, np.ones((_APART, _APART), dtype=np.uint8)))
    # Of a flat array that takes a tenth of the time.
    y, x = divmod(np.flatnonzero(peak), peak.shape[1])
    best = np.argsort(-rough[y, x])[:_MATCHES]
    y, x = y[best], x[best]
    seen = sliding_window_view(level.pixels, (length, length))[y, x].reshape(len(y), length**2)
    values = _correlations(seen, turned.reshape(len(turned), length**2))
    clear = values.max(axis=0) >= _CLEAR
    y, x, values = y[clear], x[clear], values[:, clear]
    # Likeness goes up and down four times in a turn.
    waves = np.exp(4j * np.radians(_TURNS)) @ (values - values.mean(axis=0))
    middles = (np.column_stack((x, y)) + length // 2 + 0.5) / level.scale - 0.5
    sides = np.full(len(x), FINE * geometry.modules / level.scale)
    return middles, sides, values.max(axis=0), np.degrees(np.angle(waves)) / 4


@cache
def _template(geometry: Geometry, turn: float) -> Field:
    """Return a patch as pixels see it."""
    length = 2 * int(FINE * (geometry.modules + 2 * geometry.quiet) / 2) + 1
    spots = ((np.arange(length * _SUB) + 0.5) / _SUB - length / 2) / FINE
    x, y = np.meshgrid(spots, spots)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    far = np.maximum(abs(cos * x + sin * y), abs(cos * y - sin * x))
    fine = np.where(far < geometry.modules / 2, _GREY, 1.0)
    return np.asarray(fine.reshape(length, _SUB, length, _SUB).mean(axis=(1, 3)), dtype=np.float32)


def _correlations(values: Field, templates: npt.NDArray[np.generic]) -> Values:
    """Return the correlations of rows of brightness, shape (n, m), with templates, (k, m): shape (k, n)."""
    true = templates - templates.mean(axis=1, keepdims=True, dtype=np.float32)
    true /= np.linalg.norm(true, axis=1, keepdims=True)
    seen = values - values.mean(axis=1, keepdims=True)
    power = np.einsum("ij,ij->i", seen, seen)
    return np.asarray((true @ seen.T) / np.sqrt(np.maximum(power, 1e-3)), dtype=np.float64)


def _pairs(patches: _Patches, levels: Sequence[_Level], geometry: Geometry) -> _Pairs:
    """Return the candidate cards for all pairs of patches."""
    true = centre(twin_on_card(geometry)) - centre(code_on_card(geometry))
    size = np.log(patches.sides / geometry.code)
    first, second = np.nonzero(np.triu(np.abs(np.subtract.outer(size, size)) < _LIKE_SIZE, 1))
    # As complex numbers: the factors that turn and stretch the way on the card to the one seen.
    middles = patches.middles @ (1, 1j)
    turn = (middles[second] - middles[first]) / (true @ (1, 1j))
    near = np.abs(np.log(np.maximum(np.abs(turn), 1e-9)) - (size[first] + size[second]) / 2) < _LIKE_SIZE
    first, second, turn = first[near], second[near], turn[near]
    askew = (patches.turns[np.stack((first, second))] - np.degrees(np.angle(turn)) + 45) % 90 - 45
    askew = np.abs(askew).max(axis=0)
    near = askew < _ASKEW
    first, second, turn, askew = first[near], second[near], turn[near], askew[near]
    on_card = (card_corners(geometry) - centre(card_corners(geometry))) @ (1, 1j)
    spots = ((middles[first] + middles[second]) / 2)[:, np.newaxis] + turn[:, np.newaxis] * on_card
    quads = np.stack((spots.real, spots.imag), axis=-1)
    scales = np.abs(turn)
    like = patches.like[first] + patches.like[second]
    worth = _log_odds(quads, scales, like, askew, levels, geometry)
    return _Pairs(quads, scales, np.stack((first, second), axis=1), worth)


def _log_odds(
    quads: Quad, scales: Values, like: Values, askew: Values, levels: Sequence[_Level], geometry: Geometry
) -> Values:
    """Return the log odds of candidate cards: codes must be darker than their surroundings, and the rim brighter."""
    points, code, ring, rim = _card_points(geometry)
    levels = _denoised(levels)
    values = np.empty((len(quads), len(points)), dtype=np.float32)
    fine = np.log([level.scale for level in levels])
    nearest = np.abs(np.log(FINE / geometry.module / scales)[:, np.newaxis] - fine).argmin(axis=1)
    for number, level in enumerate(levels):
        some = (quads[nearest == number] + 0.5) * level.scale - 0.5
        start, across, down = (some[:, np.newaxis, at] for at in (0, 1, 3))
        spots = start + points[:, :1] * (across - start) + points[:, 1:] * (down - start)
        values[nearest == number] = values_at(level.pixels, spots)
    (codes,) = _correlations(values[:, code | ring], ring[np.newaxis, code | ring])
    (cards,) = _correlations(values, (ring | rim)[np.newaxis])
    of_codes, of_cards, of_likeness, of_degrees, constant = _WEIGHTS
    odds = of_codes * codes + of_cards * cards + of_likeness * like + of_degrees * askew + constant
    return np.asarray(odds, dtype=np.float64)


def _denoised(levels: Sequence[_Level]) -> Sequence[_Level]:
    """Return a picture at several sizes, blurred if it is mostly noise."""
    pixels = levels[0].pixels
    if np.median(np.abs(cv2.Laplacian(pixels, cv2.CV_32F))) < _NOISY * pixels.std():
        return levels
    soft = (cv2.GaussianBlur(level.pixels, (0, 0), _DENOISE) for level in levels)
    return [_Level(np.asarray(one, np.float32), level.scale) for one, level in zip(soft, levels, strict=True)]


@cache
def _card_points(geometry: Geometry) -> tuple[Quad, Mask, Mask, Mask]:
    """Return points on a card and around it, in parts of its width and height.

    The masks say which lie on the codes, on the white around these, and on the rim; the others lie beside the card.
    """
    size = np.array([geometry.width, geometry.height])
    margin = _MARGIN * geometry.module
    across, down = (
        np.linspace(-margin, length + margin, int((length + 2 * margin) / (_STEP * geometry.module)) + 1)
        for length in size
    )
    points = np.stack(np.meshgrid(across, down), axis=-1)
    # Every second one, as on a chessboard.
    points = points[np.indices(points.shape[:2]).sum(axis=0) % 2 == 0]
    quiet = geometry.quiet * geometry.module
    # Distances outside the nearer code, and inside the rim.
    far = np.min([np.abs(points - centre(code(geometry))).max(axis=1) for code in (code_on_card, twin_on_card)], axis=0)
    far -= geometry.code / 2
    edge = np.minimum(points, size - points).min(axis=1)
    code, out = far < -_INSIDE * quiet, edge < -_OUTSIDE * quiet
    ring = (far >= _RING[0] * quiet) & (far < _RING[1] * quiet) & ~out
    rim = (edge >= _RIM * quiet) & (edge < geometry.inset) & ~ring & ~code
    kept = code | ring | rim | out
    return points[kept] / size, code[kept], ring[kept], rim[kept]


def _probable_cards(pairs: _Pairs, scale: float) -> Indices:
    """Return the indices of pairs that are probably cards; `scale` is their usual size in pixels per millimetre."""
    return _selected(pairs, pairs.worth - (np.log(pairs.scales / scale) / _UNLIKE) ** 2, _LIKELY)


def _selected(pairs: _Pairs, worth: Values, least: float) -> Indices:
    """Return the indices of pairs worth `least` or more that neither overlap nor share a patch, the best first."""
    taken: list[int] = []
    middles = pairs.quads.mean(axis=1)
    quads = pairs.quads.astype(np.float32)
    for at in np.argsort(-worth)[: np.count_nonzero(worth >= least)].tolist():
        area = cv2.contourArea(quads[at])
        near = np.flatnonzero(np.linalg.norm(middles[taken] - middles[at], axis=1) < 2 * np.sqrt(area))
        if (
            len(taken) < MOST_CARDS
            and not np.isin(pairs.patches[taken], pairs.patches[at]).any()
            and all(cv2.intersectConvexConvex(quads[at], quads[taken[one]])[0] <= _SHARED * area for one in near)
        ):
            taken.append(at)
    return np.array(taken, dtype=np.intp)


def _matching_patches(patches: _Patches, known: Indices, scale: float, level: _Level, geometry: Geometry) -> Indices:
    """Return the indices of further patches that look like the `known` ones.

    They have as much contrast, and at the exact scale of the table, in pixels per millimetre, are grey squares in white
    frames.
    """
    if not len(known):
        return known
    points, inside = _patch_points(geometry)
    values = values_at(level.pixels, (patches.around(points, scale) + 0.5) * level.scale - 0.5)
    white, grey = (values[:, part].mean(axis=1).astype(np.float64) for part in (~inside, inside))
    contrast = np.where(white > grey, 1 - grey / np.maximum(white, 1), 0)
    usual = np.median(contrast[known])
    (likeness,) = _correlations(values, ~inside[np.newaxis])
    alike = (likeness >= _ALIKE) & (contrast > usual / _SHADE) & (contrast < usual * _SHADE)
    alike[known] = False
    return np.flatnonzero(alike)


@cache
def _patch_points(geometry: Geometry) -> tuple[Quad, Mask]:
    """Return points on a patch, in millimetres from its middle, and which of them lie on the code."""
    steps = (np.arange(_POINTS) + 0.5) / _POINTS - 0.5
    points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) * geometry.patch
    far = np.abs(points).max(axis=1) - geometry.code / 2
    kept = np.abs(far) > geometry.module / 2
    return points[kept], far[kept] < 0
