"""Finds single corner patterns of codes in a view of the table, where their size is known and only the turn is not."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from scanner.above import Field, View
    from scanner.result import Quad

LIKE = 0.5
"""Correlation from which on a place counts as a corner pattern. Sharp ones have 0.6 to 0.8, less as a rule."""

FINE = 0.7
"""Pixels a module below which nothing can be told."""

MOST = 200
"""So many corner patterns are told, the clearest first: cloth and print have many that are none."""

_RINGS = (1.5, 2.5, 3.5, 4.5)
# Modules from a pattern's middle to where its black, white, black and white squares end.
_TURNS = (0.0, 22.5, 45.0, 67.5)
# Degrees; a corner pattern looks the same after a quarter turn.
_AROUND = 0.75
# What lies around a pattern's white rim is black or white: somewhat brighter than grey.
_FINE = 8


def finders(view: View, module: float) -> Quad:
    """Return the middles of corner patterns in the view, shape (n, 2); `module` is in millimetres."""
    module *= view.scale
    templates = [_template(round(module, 3), turn) for turn in _TURNS]
    size = templates[0].shape[0]
    if module < FINE or min(view.grey.shape) < size:
        return np.empty((0, 2))
    like = np.maximum.reduce([cv2.matchTemplate(view.grey, one, cv2.TM_CCOEFF_NORMED) for one in templates])
    around = np.ones((2 * int(3 * module) + 1,) * 2, dtype=np.uint8)
    peaks = (like >= LIKE) & (like == cv2.dilate(like, around))
    y, x = np.nonzero(peaks)
    best = np.argsort(-like[y, x])[:MOST]
    return np.asarray(np.column_stack((x, y))[best] + size // 2, dtype=np.float64)


def places(code: Quad, modules: int) -> Quad:
    """Return where the corner patterns of a code have their middles, shape (3, 2): top-left, top-right, bottom-left."""
    in_ = 3.5 / modules
    across, down = code[1] - code[0], code[3] - code[0]
    return np.asarray(code[0] + np.array([(in_, in_), (1 - in_, in_), (in_, 1 - in_)]) @ np.array([across, down]))


@cache
def _template(module: float, turn: float) -> Field:
    """Return a corner pattern and a module around it, as pixels of one brightness see it."""
    size = 2 * int(np.ceil(4.5 * module)) + 1
    spots = (np.arange(size * _FINE) + 0.5) / _FINE - size / 2
    x, y = np.meshgrid(spots / module, spots / module)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    far = np.maximum(abs(cos * x + sin * y), abs(cos * y - sin * x))
    fine = np.select([far < ring for ring in _RINGS], [0, 1, 0, 1], _AROUND)
    return np.asarray(fine.reshape(size, _FINE, size, _FINE).mean(axis=(1, 3)), dtype=np.float32)
