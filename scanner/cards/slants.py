"""Estimates the slant of the table from code patches: it foreshortens all squares alike, whatever their rotation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.cards.code_patches import FINE
from scanner.image.filters import values_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Geometry
    from scanner.cards.code_patches import Patches, PatchLevel
    from scanner.geometry.homography import Matrix
    from scanner.result import Grey

# Number of patches from which the slant is estimated.
_CLEAREST = 60

# Points across one.
_POINTS = 21

# Part of a patch that is looked at, more than all of it.
_WIDER = 1.08

# Percentile of its brightness that counts as white.
_PAPER = 85

# Elongation of the dark part of patches from which on squares have about the elongation given second: it is larger,
# since the ends of a long square are outside the patch. Seen from above the former is at most 1.04.
_SQUEEZED = ((1.13, 1.9), (1.04, 1.4))


def slant_correction(patches: Patches, levels: Sequence[PatchLevel], geometry: Geometry) -> Matrix | None:
    """Return the 2 x 2 matrix that roughly undoes the foreshortening; None if there is hardly any.

    The second moments of a square are isotropic at any rotation, so foreshortening changes those of all patches alike.
    """
    steps = (np.arange(_POINTS) + 0.5) / _POINTS * 2 - 1
    points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    scales = np.log([level.scale for level in levels])
    middles, sides = patches.middles[:_CLEAREST], patches.sides[:_CLEAREST]
    if not len(sides):
        return None
    at = np.abs(np.log(FINE * geometry.modules / sides)[:, np.newaxis] - scales).argmin(axis=1)
    reach = sides * (geometry.patch / geometry.code * _WIDER / 2)
    spots = middles[:, np.newaxis] + points * reach[:, np.newaxis, np.newaxis]
    seen = np.empty(spots.shape[:2])
    for number in np.unique(at).tolist():
        level = levels[number]
        seen[at == number] = values_at(level.pixels, (spots[at == number] + 0.5) * level.scale - 0.5)
    dark = np.clip(np.percentile(seen, _PAPER, axis=1, keepdims=True) - seen, 0, None)
    weights = dark + 1e-9
    away = points - ((weights @ points) / weights.sum(axis=1, keepdims=True))[:, np.newaxis]
    moments = (away * dark[..., np.newaxis]).transpose(0, 2, 1) @ away
    moments /= np.sqrt(np.maximum(np.linalg.det(moments), 1e-12))[:, np.newaxis, np.newaxis]
    values, ways = np.linalg.eigh(np.median(moments, axis=0))
    ratio = float(np.sqrt(values[1] / max(values[0], 1e-9)))
    factor = next((factor for least, factor in _SQUEEZED if ratio >= least), None)
    return None if factor is None else np.asarray(ways @ np.diag((factor, 1.0)) @ ways.T)


def warped(grey: Grey, matrix: Matrix) -> tuple[Grey, Matrix]:
    """Return a picture changed by a 2 x 2 matrix, and the 3 x 3 matrix from its pixels to those of the picture."""
    height, width = grey.shape
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)]) @ matrix.T
    low, high = frame.min(axis=0), frame.max(axis=0)
    forth = np.eye(3)
    forth[:2, :2], forth[:2, 2] = matrix, -low
    across, down = np.ceil(high - low).astype(int)
    pixels = cv2.warpAffine(
        grey, forth[:2], (int(across), int(down)), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(pixels, dtype=np.uint8), np.asarray(np.linalg.inv(forth), dtype=np.float64)
