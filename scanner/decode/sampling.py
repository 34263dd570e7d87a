"""Reads a located code module by module, on bent paper and through blur.

A grid over the quad is deformed from coarse to fine, until the known modules fit and all are as clearly black or white
as possible. Against blur, a small linear filter is fitted to the known modules and applied to the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.decode.backends import DecodedCode
from scanner.decode.qr_spec import BLACK, QUIET, UNKNOWN, decode, known, modules_of
from scanner.image.filters import cut_out, sharpen, smooth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from scanner.result import Grey

    Field = npt.NDArray[np.float32]

HOPELESS = 0.72
"""Share of the known modules that must be right before anything is bent; in other places it is about a half."""

SHARPNESS = (0.0, 2.0)
"""How much the pixels are sharpened first: not at all for bent paper, then more against blur."""

PROMISING = 0.9
"""Share of the known modules that must be right after the coarsest bending before it goes on."""

VERSIONS = range(1, 11)
"""Versions that are tried if the reader did not determine one."""

# Control points along a side of the meshes that deform the grid, from coarse to fine.
_MESHES = (3, 5)

# Step sizes by which a control point is moved, in modules.
_STEPS = (0.4, 0.2, 0.1)

# Weight of the known modules relative to the clearness of all.
_KNOWN_COUNT = 1.5

# Modules along a side of the window of the local threshold, midway between its darkest and brightest.
_AROUND = 7
_SQUARE = np.ones((_AROUND, _AROUND), dtype=np.uint8)

# Blur before sampling, in modules: averages pixels of a module, but not its neighbours.
_SOFT = 0.2

# Modules on each side that the deblurring filter covers, and its regularisation.
_REACH = 2
_RIDGE = 3.0
_MOVES = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass(frozen=True, eq=False)
class _Grid:
    """Samples the modules of a symbol of a version, placed in a picture by a homography."""

    soft: Field
    matrix: npt.NDArray[np.float64]
    version: int

    def clear(self, bend: Field) -> Field:
        """Return the modules, quiet zone included, from white (1) to black (-1); `bend` offsets them, in modules."""
        places = cv2.perspectiveTransform(_centres(self.version) + bend, self.matrix)
        values = cv2.remap(self.soft, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        dark, bright = (cv2.blur(far(values, _SQUARE), (_AROUND, _AROUND)) for far in (cv2.erode, cv2.dilate))
        clear = (2 * values - dark - bright) / np.maximum(bright - dark, 8)
        return np.asarray(np.clip(clear, -1, 1), dtype=np.float32)


def read(grey: Grey, found: DecodedCode, is_late: Callable[[], bool] = lambda: False) -> DecodedCode | None:
    """Return the code with its text, or None if it cannot be read or once `is_late` returns True.

    It takes a few milliseconds, or less than one if the place is hopeless.
    """
    for sharpness in SHARPNESS:
        code = _read(grey, found, sharpness, is_late)
        if code is not None or is_late():
            return code
    return None


def _read(grey: Grey, found: DecodedCode, sharpness: float, is_late: Callable[[], bool]) -> DecodedCode | None:
    tried: list[tuple[_Grid, Field]] = []
    for version in [found.version] if found.version else VERSIONS:
        if tried and is_late():
            return None
        tried.append(_start(grey, found, version, sharpness))
    grid, clear = max(tried, key=lambda start: _right(start[1], start[0].version))
    if _right(clear, grid.version) < HOPELESS:
        return None
    for shape in _bent(grid, clear, is_late):
        for modules in (shape, deblurred(shape, grid.version)):
            text = decode(modules < 0, grid.version)
            if text is not None:
                return DecodedCode(text, found.quad, grid.version)
        if is_late():
            return None
    return None


def _start(grey: Grey, found: DecodedCode, version: int, sharpness: float) -> tuple[_Grid, Field]:
    length = modules_of(version)
    module = found.side / length
    square = np.array([(0, 0), (length, 0), (length, length), (0, length)], dtype=np.float32)
    left, top, cut = cut_out(grey, found.quad, found.side / 4)
    if sharpness:
        cut = sharpen(cut, module / 2, sharpness)
    soft = smooth(cut, max(_SOFT * module, 0.3)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(square, (found.quad - (left, top)).astype(np.float32))
    grid = _Grid(soft, np.asarray(matrix, dtype=np.float64), version)
    length += 2 * QUIET
    return grid, grid.clear(np.zeros((length, length, 2), dtype=np.float32))


def _bent(grid: _Grid, clear: Field, is_late: Callable[[], bool]) -> Iterator[Field]:
    """Yield the modules as they are, and after each round of deforming the grid to make them clearer."""
    yield clear
    length = len(clear)
    bend = np.zeros((length, length, 2), dtype=np.float32)
    best = _clearness(clear, grid.version)
    for mesh in _MESHES:
        points = np.zeros((mesh, mesh, 2), dtype=np.float32)
        for step in _STEPS:
            for index in np.ndindex(mesh, mesh):
                if is_late():
                    break
                for move in _MOVES:
                    moved = points.copy()
                    moved[index] += np.multiply(move, step)
                    tried = grid.clear(bend + _surface(moved, length))
                    now = _clearness(tried, grid.version)
                    if now > best:
                        best, points, clear = now, moved, tried
            yield clear
        if _right(clear, grid.version) < PROMISING:
            return
        bend = bend + _surface(points, length)


def _surface(points: Field, length: int) -> Field:
    """Return the Bezier surface over `length` x `length` modules of a mesh of control points."""
    basis = _basis(len(points), length)
    return np.asarray(np.einsum("yi,ijk,xj->yxk", basis, points, basis, optimize=True), dtype=np.float32)


@cache
def _basis(points: int, length: int) -> Field:
    """Return the Bernstein polynomials along a side, shape (length, points)."""
    place = (np.arange(length, dtype=np.float32)[:, np.newaxis] + 0.5) / length
    number, last = np.arange(points), points - 1
    ways = np.array([comb(last, one) for one in number], dtype=np.float32)
    return np.asarray(ways * place**number * (1 - place) ** (last - number), dtype=np.float32)


@cache
def _centres(version: int) -> Field:
    """Return the middles of the modules, quiet zone included, from the symbol's corner: shape (n, n, 2), (x, y)."""
    places = np.arange(modules_of(version) + 2 * QUIET, dtype=np.float32) + 0.5 - QUIET
    return np.stack(np.meshgrid(places, places), axis=-1)


@cache
def _weights(version: int) -> Field:
    """Return the weights of the known modules, with their sign; 0 for the others."""
    sure = known(version)
    signs = np.where(sure == UNKNOWN, 0, np.where(sure == BLACK, -1, 1))
    return np.asarray(signs * (_KNOWN_COUNT * signs.size / np.count_nonzero(signs)), dtype=np.float32)


def _clearness(clear: Field, version: int) -> float:
    """Return the score of the modules: high if all are clearly black or white, and the known ones right."""
    return float((np.abs(clear) + _weights(version) * clear).mean())


def _right(clear: Field, version: int) -> float:
    """Return the share of the known modules that are right."""
    sure = known(version)
    return float(((clear < 0) == (sure == BLACK))[sure != UNKNOWN].mean())


def deblurred(clear: Field, version: int) -> Field:
    """Deblur modules by the linear filter over their neighbours that fits the known modules best."""
    sure = known(version)
    width = 2 * _REACH + 1
    padded = np.pad(clear, _REACH, mode="edge")
    around = np.lib.stride_tricks.sliding_window_view(padded, (width, width)).reshape(clear.size, -1)
    seen = around[(sure != UNKNOWN).ravel()]
    wanted = np.where(sure == BLACK, -1.0, 1.0)[sure != UNKNOWN]
    weights = np.linalg.solve(seen.T @ seen + _RIDGE * np.eye(width**2), seen.T @ wanted)
    return np.asarray((around @ weights).reshape(clear.shape), dtype=np.float32)
