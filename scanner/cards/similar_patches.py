"""Estimates the table plane from single code patches that look alike.

Where cards overlap, each shows only one code, so no two patches belong to one card. But the patches of one deck look
alike, and their sizes decrease evenly towards the horizon.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scanner.cards.code_patches import FINE, Patches, measure_patches
from scanner.cards.rectangle_detector import flattening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Geometry
    from scanner.cards.code_patches import PatchLevel, Values
    from scanner.result import Quad

FEWEST, MANY = 4, 6
"""Number of similar patches that define a table plane: if they are very clear, and otherwise."""

LENS = 0.9
"""Focal length of a camera in longer sides of its picture, zoomed a little."""

# Number of patches that are examined, the clearest first.
_TRIED = 150

# How much larger or smaller than found a patch may be.
_SIZES = (0.82, 0.9, 1.0, 1.1, 1.2)

# Likeness of a patch at its best size, and the part of the contrast that its worst side has.
_LEAST, _AROUND = 0.72, 0.5

# How much less like a code it is at most where it seems to be larger or smaller.
_WORSE = 0.3

# Contrast of a code to its frame: half of it is black, which blur makes a light grey, and pixels alone a darker one.
_CONTRAST = (0.1, 0.62)

# So many times more or less contrast than another one has a patch of the same print, and part of the brightness.
_SHADE, _BRIGHT = 1.4, 0.78

# Brightness of paper as a part of what is brightest in the picture, and the percentile that is that.
_PAPER, _BRIGHTEST = 0.35, 99.8

# How much the sizes of patches in one picture differ, as a logarithm.
_WIDEST = 0.45

# Of two groups that of larger patches counts for more by this power of their size.
_LARGER = 0.75

# How far a size may be from what the table has there, as a logarithm.
_OFF = 0.12

# Likeness and contrast of few patches, the likeness of more together with a part of what their worst side has, and how
# far their sizes are off.
_CLEAR, _BLURRED, _ALIKE, _EVEN = 0.83, 0.3, 1.005, 0.035

# How far cube roots of areas are off, as a part of them, and of how many patches these errors differ.
_ROUGH, _INDEPENDENT = 0.05, 2

# Tangent of a usual slant.
_USUAL = 0.3

# Fits of a plane, each without what was off in the one before.
_ROUNDS = 3

# Share of such patches from which on they are a pattern.
_PATTERN = 0.3

# Distance of patches, in sides of a code, below which they touch: the patch is 1.19 times as wide as the code. Dark
# squares of chequered cloth are diagonal neighbours: within this distance, and these degrees off the diagonal.
_TOUCHING, _DIAGONAL, _ASKEW = 1.15, 1.85, 8.0


def similar_patches(patches: Patches, levels: Sequence[PatchLevel], geometry: Geometry) -> Patches:
    """Return the largest group of similar patches that may lie on one table, with refined sizes.

    Patches must be on paper, which is among the brightest areas of the picture.
    """
    few = patches.only(np.arange(min(len(patches), _TRIED)))
    if not len(few):
        return few
    # A patch that is nothing like a code at its own size is none at another.
    few = few.only(_looked_at(few, np.ones(1), levels, geometry)[0, 0] >= _LEAST - _WORSE)
    if not len(few):
        return few
    tried = _looked_at(few, np.array(_SIZES), levels, geometry)
    likeness = tried[0]
    best = likeness.argmax(axis=0)
    contrast, least, white = tried[1:, best, np.arange(len(few))]
    sides = few.sides * np.exp(_peak(likeness, np.log(_SIZES)))
    refined = Patches(few.middles, sides, few.like, few.turns)
    good = (likeness.max(axis=0) >= _LEAST) & (least >= _AROUND)
    good &= (contrast > _CONTRAST[0]) & (contrast < _CONTRAST[1])
    good &= white > _PAPER * float(np.percentile(levels[0].pixels[::3, ::3], _BRIGHTEST))
    logs = np.stack((np.log(sides) / _WIDEST, np.log(np.maximum(contrast, 1e-3)) / np.log(_SHADE)))
    same = (np.abs(logs[:, :, np.newaxis] - logs[:, np.newaxis]) < 1).all(axis=0)
    same &= (white > _BRIGHT * white[:, np.newaxis]) & (white * _BRIGHT < white[:, np.newaxis])
    same &= good & good[:, np.newaxis]
    # Codes have parts, such as their corner patterns, that look like smaller ones, and there are more of them.
    kept = same[int((same.sum(axis=1) * sides**_LARGER).argmax())]
    group = refined.only(kept)
    if not len(group):
        return group
    off = np.abs(np.log(group.sides) - np.log(_usual(group)))
    clear = likeness.max(axis=0)[kept], least[kept], contrast[kept]
    typical = [float(np.median(one)) for one in (*clear, off)]
    return group.only(off < (_OFF if _is_deck(int(np.count_nonzero(off < _OFF)), *typical) else 0.0))


def _is_deck(number: int, likeness: float, least: float, contrast: float, off: float) -> bool:
    """Decide whether patches with these median features belong to cards rather than print.

    The limits were fitted to simulated photographs; `off` is the deviation of sizes from the plane, as a logarithm.
    """
    if number < MANY:
        return number >= FEWEST and likeness >= _CLEAR and contrast <= _BLURRED and off < _EVEN / 2
    return likeness + 0.3 * least >= _ALIKE and off < _EVEN


def is_lattice(group: Patches) -> bool:
    """Decide whether patches lie too close together for cards, or diagonally, as on tiles and chequered cloth."""
    ways = group.middles[:, np.newaxis] - group.middles
    apart = np.linalg.norm(ways, axis=2) / group.sides
    np.fill_diagonal(apart, np.inf)
    off = np.abs((np.degrees(np.arctan2(ways[..., 1], ways[..., 0])) - group.turns) % 90 - 45)
    close = (apart < _TOUCHING) | ((apart < _DIAGONAL) & (off < _ASKEW))
    return bool(close.any(axis=0).mean() > _PATTERN)


def slanted_code_quads(group: Patches, shape: tuple[int, int]) -> Quad:
    """Return the quads of a group's codes at the slant that follows from their sizes, shape (n, 4, 2).

    `shape` is height and width of the whole picture, in the pixels of the patches.
    """
    slope = _slope((group.middles - np.array(shape[::-1]) / 2) / (LENS * max(shape)), group.sides)
    flat = flattening(slope, LENS, shape)
    to_table = np.column_stack((group.middles, np.ones(len(group)))) @ flat.T
    spots = to_table[:, :2] / to_table[:, 2:]
    ways = group.middles + np.stack((np.cos(np.radians(group.turns)), np.sin(np.radians(group.turns))), axis=1)
    ahead = np.column_stack((ways, np.ones(len(ways)))) @ flat.T
    along = ahead[:, :2] / ahead[:, 2:] - spots
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    # The area of a code as it is seen, and how much the flattening enlarges it there.
    grown = np.abs(np.linalg.det(flat)) / np.abs(to_table[:, 2]) ** 3
    half = np.median(group.sides * np.sqrt(grown)) / 2
    aside = np.column_stack((-along[:, 1], along[:, 0]))
    corners = [half * (x * along + y * aside) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    quads = spots[:, np.newaxis] + np.stack(corners, axis=1)
    back = np.linalg.inv(flat)
    seen = np.concatenate((quads, np.ones((*quads.shape[:2], 1))), axis=2) @ back.T
    return np.asarray(seen[..., :2] / seen[..., 2:])


def _slope(points: Quad, sides: Values) -> Quad:
    """Return the relative gradient over the picture of the cube roots of the areas, shape (2,).

    A Gaussian prior keeps the slant small where the patches cover too little of the picture to measure it, since
    errors of neighbouring patches correlate and people hold a phone nearly level.
    """
    plane, off = _plane(points, sides)
    weights = 1 / (1 + (off / (_ROUGH * plane[2])) ** 2)
    away = points - np.average(points, axis=0, weights=weights)
    roots = (points @ plane[:2] + plane[2] + off) / max(float(plane[2]), 1e-9)
    roots = roots - np.average(roots, weights=weights)
    sure = _INDEPENDENT / weights.sum() / _ROUGH**2
    inverse = np.linalg.inv(sure * (away.T * weights) @ away + np.eye(2) / _USUAL**2)
    return np.asarray(inverse @ ((away.T * weights) @ roots) * sure)


def _plane(points: Quad, sides: Values) -> tuple[Values, Values]:
    """Return the plane, shape (3,), on which the cube roots of areas lie over the picture, and how far each is off."""
    roots = sides ** (2 / 3)
    if len(sides) <= FEWEST:
        usual = float(np.median(roots))
        return np.array([0.0, 0.0, usual]), roots - usual
    sets = np.column_stack((points, np.ones(len(points))))
    weights = np.ones(len(sides))
    plane: Values = np.zeros(3)
    for _ in range(_ROUNDS):
        fitted = np.linalg.lstsq(sets * weights[:, np.newaxis], roots * weights, rcond=None)[0]
        plane = np.asarray(fitted, dtype=np.float64)
        off = np.abs(sets @ plane - roots)
        weights = 1 / (1 + (off / (1.5 * np.median(off) + 1e-9)) ** 2)
    return plane, roots - sets @ plane


def _usual(group: Patches) -> Values:
    """Return the size that each patch has by the table."""
    roots = group.sides ** (2 / 3) - _plane(group.middles - group.middles.mean(axis=0), group.sides)[1]
    return np.asarray(np.maximum(roots, 1e-9) ** 1.5)


def _looked_at(patches: Patches, sizes: Values, levels: Sequence[PatchLevel], geometry: Geometry) -> Values:
    """Measure patches at several relative sizes.

    Returns likeness, contrast, contrast of the worst side and brightness: shape (4, m, n) for m sizes.
    """
    sides = np.multiply.outer(sizes, patches.sides).ravel()
    which = np.tile(np.arange(len(patches)), len(sizes))
    found = np.zeros((4, len(sides)))
    scales = np.log([level.scale for level in levels])
    at = np.abs(np.log(FINE * geometry.modules / sides)[:, np.newaxis] - scales).argmin(axis=1)
    for number in np.unique(at):
        some = at == number
        looks = measure_patches(patches.only(which[some]), sides[some] / geometry.code, levels[number], geometry)
        found[:, some] = looks.likeness, looks.contrast, looks.least, looks.white
    return found.reshape(4, len(sizes), len(patches))


def _peak(likeness: Values, logs: Values) -> Values:
    """Return where likeness is largest, between the sizes at which it was measured."""
    at = np.clip(likeness.argmax(axis=0), 1, len(logs) - 2)
    every = np.arange(likeness.shape[1])
    low, mid, high = likeness[at - 1, every], likeness[at, every], likeness[at + 1, every]
    bend = np.minimum(low - 2 * mid + high, -1e-6)
    step = np.clip((low - high) / (2 * bend), -1, 1)
    return np.asarray(logs[at] + step * (logs[1:] - logs[:-1]).mean())
