"""Tells single patches that bear a code, by likeness to those that are known to: their other codes are hidden."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from scanner.pixels import values_on

if TYPE_CHECKING:
    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.patches import Level, Patches, Values
    from scanner.result import Quad

_LEAST = 0.72
# Correlation with a grey square in a white frame, looked at closely.
_LIKE = 0.5
# The same as it was found.
_AROUND = 0.5
# Part of the contrast to its frame that a code has on each of its sides at least.
_WHITE = 0.87
# Brightness of the frame, as a part of what is usual: all are paper.
_SHADE = 1.35
# So many times more or less contrast than usual.
_FINE = 17
# Points across a patch.


@dataclass(frozen=True, eq=False)
class Looks:
    """What patches look like, n of them.

    Their `likeness` to a grey square in a white frame, the `contrast` of the square to its frame, how little of it the
    worst of four sides has (`least`), and the brightness of the frame (`white`).
    """

    likeness: Values
    contrast: Values
    least: Values
    white: Values


def singles(
    patches: Patches,
    known: npt.NDArray[np.intp],
    samples: Patches,
    scale: float,
    level: Level,
    geometry: Geometry,
) -> list[int]:
    """Return which patches look like those that are `known` to bear a code, besides these, or like other `samples`.

    `scale` is that of the table in pixels a millimetre.
    """
    if not len(known) and not len(samples):
        return []
    looks, others = (looks_of(some, scale, level, geometry) for some in (patches, samples))
    contrast = np.median(np.concatenate((looks.contrast[known], others.contrast)))
    white = np.median(np.concatenate((looks.white[known], others.white)))
    alike = (looks.likeness >= _LEAST) & (patches.like >= _LIKE) & (looks.least >= _AROUND)
    alike &= (looks.white >= _WHITE * white) & (looks.contrast > contrast / _SHADE)
    alike &= looks.contrast < contrast * _SHADE
    alike[known] = False
    return [int(one) for one in np.flatnonzero(alike)]


def squares(patches: Patches, scale: float, geometry: Geometry) -> Quad:
    """Return the corners of the codes on patches, shape (n, 4, 2)."""
    half = geometry.code / 2 * scale
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return _placed(patches, corners, np.ones(len(patches)))


def likeness_of(values: npt.NDArray[np.floating], inside: npt.NDArray[np.bool_]) -> Values:
    """Return how like a grey square in a white frame rows of brightness are, as a correlation."""
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


def looks_of(patches: Patches, scale: float | Values, level: Level, geometry: Geometry) -> Looks:
    """Return what patches look like where the table has so many pixels a millimetre, or each so many."""
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
    return Looks(likeness, contrast, least, white)


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
