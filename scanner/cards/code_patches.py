"""Detects code patches by template matching: a code shows as a grey square in a white frame, however blurred or dark.

At half a pixel per module a code is uniformly grey. Blur does not change that, nor does noise, since each pixel is then
the mean of many. So this finds patches where no decoder locates a code. Other squares look alike; only two patches at
the distance of a card's codes are good evidence (`scanner.cards.pair_detector`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from scanner.image.filters import values_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.geometry.homography import Field
    from scanner.result import Grey, Quad

    Values = npt.NDArray[np.float64]


FINE = 0.5
"""Pixels per module at which patches are searched."""

MOST = 310
"""Maximum number of patches that are returned, the clearest first."""

# Degrees; a square looks the same after a quarter turn.
_TURNS = (0.0, 22.5, 45.0, 67.5)

# Ratio between successive sizes at which the picture is searched.
_LEVELS = 1.18

# Side of a code as a share of the picture's longer side: decks of 60 cards, and of one.
_SMALLEST, _LARGEST = 1 / 44, 1 / 4.5

# Brightness of a code as a whole, its patch being 1.
_GREY = 0.5

# Pixels in which only the clearest patch counts.
_APART = 3

# Number of raw matches that are compared to merge those of one patch at several sizes.
_RAW = 500

# How far apart such are at most, in sides of a code, and how much their sizes differ, as a logarithm.
_SAME, _LIKE_SIZE = 0.35, 0.36

# Variance below which there is nothing to be seen, in steps of brightness squared.
_FLAT = 0.1

# Part of a patch's likeness that one of no direction has.
_ROUGHLY = 0.8

# Spread in pixels of the blur before the picture is shrunk by less than a half.
_SOFT = 0.7

# Pixels of the finer drawing for each of a template's.
_SUB = 8


@dataclass(frozen=True, eq=False)
class PatchLevel:
    """A picture shrunk to `scale` pixels for each of its own."""

    pixels: Field
    scale: float


@dataclass(frozen=True, eq=False)
class Patches:
    """Places that look like the patch around a code, n of them.

    `middles`, shape (n, 2), and `sides`, those of the code, in pixels of the picture; `like` is the correlation with a
    patch, `turns` the direction of the sides, in degrees to a multiple of 90.
    """

    middles: Quad
    sides: Values
    like: Values
    turns: Values

    def __len__(self) -> int:
        return len(self.sides)

    def only(self, kept: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Patches:
        """Return some of the patches."""
        return Patches(self.middles[kept], self.sides[kept], self.like[kept], self.turns[kept])


def levels_of(grey: Grey, whole: float, geometry: Geometry) -> list[PatchLevel]:
    """Return a picture at the sizes at which codes of all likely sizes have half a pixel a module.

    `whole` is the longer side of the picture, of which `grey` may be a shrunk version.
    """
    height, width = grey.shape
    levels: list[PatchLevel] = []
    side = _SMALLEST
    while side < _LARGEST:
        factor = FINE * geometry.modules / (side * max(height, width))
        side *= _LEVELS
        size = round(width * factor), round(height * factor)
        if factor <= 1 and min(size) > _template(geometry, 0.0).shape[0]:
            # Each from the one before: that takes a tenth of the time, and all are blurred a little as they should be.
            # Steps this small need no means of all pixels, which would take five times as long.
            soft = grey if levels else cv2.GaussianBlur(_halved(grey, max(size)), (3, 3), _SOFT)
            grey = np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
            levels.append(PatchLevel(grey.astype(np.float32), max(size) / whole))
    return levels


def _halved(grey: Grey, least: int) -> Grey:
    """Halve a picture as often as its longer side keeps `least` pixels."""
    while max(grey.shape) >= 2 * least and min(grey.shape) > 1:
        size = grey.shape[1] // 2, grey.shape[0] // 2
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return grey


def patches_in(levels: Sequence[PatchLevel], geometry: Geometry, least: float) -> Patches:
    """Return the places in a picture where the correlation with a patch is `least` or more, the clearest first."""
    found = [_at_level(level, geometry, least) for level in levels]
    if not found:
        return Patches(np.empty((0, 2)), np.empty(0), np.empty(0), np.empty(0))
    middles, sides, like, turns = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(-like)[:_RAW]
    return _distinct(Patches(middles[order], sides[order], like[order], turns[order]))


def _at_level(level: PatchLevel, geometry: Geometry, least: float) -> tuple[Quad, Values, Values, Values]:
    """Return middles, sides, likeness and turns of patches at one size.

    A patch of no direction finds them, and only where it does those of all turns are compared.
    """
    template, turned = _rough_template(geometry), _turned_templates(geometry)
    length = len(template)
    box = (length, length)
    inner = (slice(length // 2, -(length // 2)),) * 2
    mean = cv2.boxFilter(level.pixels, cv2.CV_32F, box)[inner]
    square = cv2.sqrBoxFilter(level.pixels, cv2.CV_32F, box)[inner]
    # Pixels that differ by less than a third of a step of brightness show nothing.
    spread = cv2.sqrt(np.maximum(square - cv2.multiply(mean, mean), np.float32(_FLAT)))
    rough = cv2.divide(cv2.matchTemplate(level.pixels, template, cv2.TM_CCORR), spread, scale=1 / length)
    near = cv2.dilate(rough, np.ones((_APART, _APART), dtype=np.uint8))
    y, x = divmod(np.flatnonzero((rough >= _ROUGHLY * least) & (rough == near)), rough.shape[1])
    best = np.argsort(-rough[y, x])[:_RAW]
    y, x = y[best], x[best]
    seen = sliding_window_view(level.pixels, box)[y, x].reshape(len(y), length * length)
    values = turned @ seen.T / (spread[y, x] * length)
    like = values.max(axis=0)
    clear = like >= least
    y, x, values, like = y[clear], x[clear], values[:, clear], like[clear]
    # Likeness goes up and down four times in a turn.
    waves = np.exp(4j * np.radians(_TURNS)) @ (values - values.mean(axis=0))
    middles = (np.column_stack((x, y)) + length // 2 + 0.5) / level.scale - 0.5
    sides = np.full(len(x), FINE * geometry.modules / level.scale)
    return middles, sides, like.astype(np.float64), np.degrees(np.angle(waves)) / 4


def _distinct(all_: Patches) -> Patches:
    """Return each patch once: at the size at which it is clearest."""
    sides = all_.sides.astype(np.float32)
    logs = np.log(sides)
    reach = np.minimum.outer(sides, sides)
    reach *= _SAME
    apart = np.subtract.outer(logs, logs)
    same = np.abs(apart, out=apart) < _LIKE_SIZE
    for along in all_.middles.T.astype(np.float32):
        np.subtract.outer(along, along, out=apart)
        same &= np.abs(apart, out=apart) < reach
    left = np.ones(len(sides), dtype=np.bool_)
    kept: list[int] = []
    others = ~same
    for at in range(len(sides)):
        if left[at]:
            kept.append(at)
            left &= others[at]
            if len(kept) == MOST:
                break
    return all_.only(np.array(kept, dtype=np.intp))


@cache
def _template(geometry: Geometry, turn: float) -> Field:
    """Return a patch as pixels see it, minus its mean and scaled so that products with it are correlations."""
    patch = geometry.modules + 2 * geometry.quiet
    length = 2 * int(FINE * patch / 2) + 1
    spots = ((np.arange(length * _SUB) + 0.5) / _SUB - length / 2) / FINE
    x, y = np.meshgrid(spots, spots)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    far = np.maximum(abs(cos * x + sin * y), abs(cos * y - sin * x))
    fine = np.where(far < geometry.modules / 2, _GREY, 1.0)
    pixels = fine.reshape(length, _SUB, length, _SUB).mean(axis=(1, 3))
    pixels -= pixels.mean()
    return np.asarray(pixels / np.sqrt((pixels**2).sum()), dtype=np.float32)


@cache
def _turned_templates(geometry: Geometry) -> Field:
    """Return the patches of all turns, a row each."""
    return np.stack([_template(geometry, turn).ravel() for turn in _TURNS])


@cache
def _rough_template(geometry: Geometry) -> Field:
    """Return a patch of no direction, the mean of all turns, scaled as they are."""
    mean = sum((_template(geometry, turn) for turn in _TURNS[1:]), _template(geometry, _TURNS[0]))
    return np.asarray(mean / np.sqrt((mean**2).sum()), dtype=np.float32)


# Minimum correlation with a grey square in a white frame, at the exact place and size.
_LEAST = 0.72

# The same as it was found.
_LIKE = 0.5

# Part of the contrast to its frame that a code has on each of its sides at least.
_AROUND = 0.5

# Brightness of the frame, as a part of what is usual: all are paper.
_WHITE = 0.87

# So many times more or less contrast than usual.
_SHADE = 1.35

# Points across a patch.
_FINE = 17


@dataclass(frozen=True, eq=False)
class PatchMeasurements:
    """Measurements of n patches.

    `likeness` is the correlation with a grey square in a white frame, `contrast` that of the square to its frame,
    `least` the share of it on the worst of the four sides, and `white` the brightness of the frame.
    """

    likeness: Values
    contrast: Values
    least: Values
    white: Values


def matching_patches(
    patches: Patches,
    known: npt.NDArray[np.intp],
    samples: Patches,
    scale: float,
    level: PatchLevel,
    geometry: Geometry,
) -> list[int]:
    """Return the indices of further patches that look like the `known` ones, or like other `samples`.

    `scale` is that of the table, in pixels per millimetre.
    """
    if not len(known) and not len(samples):
        return []
    looks, others = (measure_patches(some, scale, level, geometry) for some in (patches, samples))
    contrast = np.median(np.concatenate((looks.contrast[known], others.contrast)))
    white = np.median(np.concatenate((looks.white[known], others.white)))
    alike = (looks.likeness >= _LEAST) & (patches.like >= _LIKE) & (looks.least >= _AROUND)
    alike &= (looks.white >= _WHITE * white) & (looks.contrast > contrast / _SHADE)
    alike &= looks.contrast < contrast * _SHADE
    alike[known] = False
    return [int(one) for one in np.flatnonzero(alike)]


def code_quads(patches: Patches, scale: float, geometry: Geometry) -> Quad:
    """Return the corners of the codes on patches, shape (n, 4, 2)."""
    half = geometry.code / 2 * scale
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return _placed(patches, corners, np.ones(len(patches)))


def likeness_of(values: npt.NDArray[np.floating], inside: npt.NDArray[np.bool_]) -> Values:
    """Return the correlation of rows of brightness with a grey square in a white frame."""
    true = (~inside - (~inside).mean()).astype(values.dtype)
    seen = values - values.mean(axis=1, keepdims=True)
    power = np.einsum("ij,ij->i", seen, seen) * (true @ true)
    return np.asarray((seen @ true) / np.sqrt(np.maximum(power, 1e-3)), dtype=np.float64)


def _placed(patches: Patches, points: Quad, scales: Values) -> Quad:
    """Return points around the middle of each patch, turned and enlarged as it is, shape (n, m, 2)."""
    along = np.radians(patches.turns)
    cos, sin = scales * np.cos(along), scales * np.sin(along)
    turns = np.stack((cos, sin, -sin, cos), axis=-1).reshape(-1, 2, 2)
    return np.asarray(points @ turns + patches.middles[:, np.newaxis])


def measure_patches(
    patches: Patches, scale: float | Values, level: PatchLevel, geometry: Geometry
) -> PatchMeasurements:
    """Measure patches at a scale in pixels per millimetre, either one for all or one for each."""
    points, inside, _ = patch_points(geometry)
    each = np.broadcast_to(np.asarray(scale, dtype=np.float64), (len(patches),))
    turns = np.radians(patches.turns)
    cos, sin = each * np.cos(turns) * level.scale, each * np.sin(turns) * level.scale
    middles = ((patches.middles + 0.5) * level.scale - 0.5).T
    along = np.vstack((np.ones(len(points)), points.T)).astype(np.float32)
    x = np.column_stack((middles[0], cos, -sin)).astype(np.float32) @ along
    y = np.column_stack((middles[1], sin, cos)).astype(np.float32) @ along
    values = values_on(level.pixels, x, y)
    white, grey, *aside = (values @ _means(geometry)).T.astype(np.float64)
    likeness = likeness_of(values, inside)
    step = np.maximum(white - grey, 1e-3)
    least = (np.min(aside, axis=0) - grey) / step
    contrast = np.where(white > grey, 1 - grey / np.maximum(white, 1), 0)
    return PatchMeasurements(likeness, contrast, least, white)


@cache
def _means(geometry: Geometry) -> npt.NDArray[np.float32]:
    """Return the weights whose sums over the points of a patch are means: of the frame, the code and the four sides."""
    _, inside, sides = patch_points(geometry)
    weights = np.column_stack((~inside, inside, *sides)).astype(np.float32)
    return np.asarray(weights / weights.sum(axis=0), dtype=np.float32)


@cache
def patch_points(geometry: Geometry) -> tuple[Quad, npt.NDArray[np.bool_], list[npt.NDArray[np.bool_]]]:
    """Return points on a patch, in millimetres from its middle, and which of them lie on the code or on a side."""
    steps = (np.arange(_FINE) + 0.5) / _FINE - 0.5
    points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) * geometry.patch
    far = np.abs(points).max(axis=1) - geometry.code / 2
    kept = np.abs(far) > geometry.module / 2
    points, inside = points[kept], far[kept] < 0
    x, y = points.T
    edge = geometry.code / 2 + geometry.module / 2
    return points, inside, [x < -edge, x > edge, y < -edge, y > edge]
