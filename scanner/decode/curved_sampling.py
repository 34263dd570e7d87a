"""Reads located codes of any version module by module, on bent or crumpled paper.

Only the finder patterns are taken from the reader that located the code. Each is fitted separately, which gives the
local size and direction of modules, and a quadratic surface through all three of them. Each node of a mesh on it is
moved to where the modules around it are as clearly black or white as possible, and the known ones right. A polynomial
surface is fitted to all nodes, and the steps are repeated. Where that does not suffice the nodes are placed one after
the other, each extrapolated from its neighbours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np

from scanner.decode.backends import DecodedCode
from scanner.decode.known_codes import equalised, sample_places
from scanner.decode.qr_spec import QUIET, decode, decode_with_erasures, known, modules_of
from scanner.image.filters import cut_out, resized, smooth, values_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from scanner.result import Grey, Quad

    Field = npt.NDArray[np.float32]
    Points = npt.NDArray[np.float64]
    Places = npt.NDArray[np.intp]

FINE, COARSE = 8.0, 2.5
"""Pixels per module to which larger codes are shrunk, which saves time, and below which smaller ones are doubled.

With 10 one of 57 codes is lost, with 6.4 none; with 2 and 3.1 none."""

HOPELESS, SURE = 0.75, 0.9
"""Share of the known modules that must be right on a surface, and on the last one for a version to be certain.

Symbols that were read had 0.80 or more on the first surface, and with 0.56 the same are read. Figures in this module
are from the 60 real photographs, most of them degraded, in which this pass runs."""

DEGREES = (2, 3)
"""Degrees of the surfaces that are tried one after the other.

With the degrees 1 and 2, six of 57 codes are lost, with 3 and 4 one."""

CENTRE = 3.5
"""Where the middle of a finder pattern lies from the symbol's edges, in modules (ISO/IEC 18004: half of 7)."""

# The largest version, and the modules along a side that each version has more than the one before (ISO/IEC 18004).
_LARGEST, _MODULES_A_VERSION = 40, 4

# Corners of a symbol, in its sides.
_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float64)

# Side in modules of the square whose darkest and brightest give the threshold, and the least difference of grey values
# from 0 to 255 that these are taken to have. With 7 one of 57 codes is lost; with 11, and contrasts of 10 and 15, none.
_AROUND, _CONTRASTED = 9, 12

# Margin around a located code, in its sides: with 0.27 and 0.42 the same codes are read.
_MARGIN = 1 / 3

# Sigma of the smoothing, in modules, and at least in pixels: with 0.16 and 0.25 one of 57 codes is lost.
_SMOOTH, _SMOOTH_PIXELS = 0.2, 0.3


@dataclass(frozen=True, eq=False)
class Patch:
    """A cut-out, smoothed; in `clear` every pixel says how white (1) or black (-1) it is against its surroundings.

    `scale` and `corner` lead back: a place of the picture is place / scale + corner.
    """

    clear: Field
    soft: Field
    scale: float
    corner: Points

    @classmethod
    def of(cls, grey: Grey, found: DecodedCode) -> Patch:
        """Cut out a code with its surroundings, and normalise its local brightness."""
        x, y, cut = cut_out(grey, found.quad, _MARGIN * found.side)
        scale = FINE / found.module if found.module > FINE else 2.0 if found.module < COARSE else 1.0
        module = found.module * scale
        soft = smooth(resized(cut, scale), max(_SMOOTH * module, _SMOOTH_PIXELS))
        reach = np.ones((int(_AROUND * module) | 1,) * 2, dtype=np.uint8)
        dark, bright = (cv2.blur(far(soft, reach), reach.shape).astype(np.float32) for far in (cv2.erode, cv2.dilate))
        values = soft.astype(np.float32)
        clear = np.clip((2 * values - dark - bright) / np.maximum(bright - dark, _CONTRASTED), -1, 1)
        return cls(clear, values, scale, np.array([x, y], dtype=np.float64))


def read(grey: Grey, found: DecodedCode, is_late: Callable[[], bool]) -> DecodedCode | None:
    """Return the code with its text and version, and its corners as they lie, or None; also once `is_late`."""
    patch = Patch.of(grey, found)
    corners = finders(patch, found.quad, found.modules)
    near = found.version or _version_of(corners)
    # Readers count the modules between finder patterns, and on bent paper that may be wrong.
    for version in (near, near + 1, near - 1):
        if not 1 <= version <= _LARGEST:
            continue
        mesh, right = ModuleMesh(patch.clear, version), 0.0
        for surface in mesh.surfaces(corners):
            modules = mesh.modules(surface)
            right = _right(modules, version)
            if is_late():
                return None
            if right < HOPELESS:
                break
            text = decode(modules < 0, version) or _restored(patch, mesh, surface, modules)
            if text is not None:
                quad = mesh.pixels(surface, mesh.length * _SQUARE)
                return DecodedCode(text, quad / patch.scale + patch.corner, version)
        if right > SURE:
            break
    return None


def _restored(patch: Patch, mesh: ModuleMesh, surface: Points, modules: Field) -> str | None:
    """Decode modules after deblurring, or with doubtful ones as erasures."""
    samples = sampled(patch.soft, mesh.pixels(surface, sample_places(mesh.version).astype(np.float64)))
    sharper, _ = equalised(samples, mesh.version)
    return (
        decode(sharper < 0, mesh.version)
        or decode_with_erasures(modules, mesh.version)
        or decode_with_erasures(np.clip(sharper, -1, 1), mesh.version)
    )


def _right(modules: Field, version: int) -> float:
    """Return the share of the known modules within the symbol that are right; the clear ones count most."""
    signs, inner = (all_of[QUIET:-QUIET, QUIET:-QUIET] for all_of in (known(version), modules))
    clear = np.abs(inner) * (signs != 0)
    return float(clear[inner * signs > 0].sum() / max(clear.sum(), 1e-6))


def _version_of(corners: Corners) -> int:
    """Return the version that best explains the distances of the finder patterns."""
    start, right_one, below = corners
    modules = [
        np.linalg.norm(other.place - start.place) / np.linalg.norm((start.slope + other.slope)[:, axis] / 2)
        for axis, other in enumerate((right_one, below))
    ]
    length = float(np.mean(modules)) + 2 * CENTRE
    return int(np.clip(round(1 + (length - modules_of(1)) / _MODULES_A_VERSION), 1, _LARGEST))


# Modules along a side of a finder pattern with its separator (ISO/IEC 18004).
_FINDER = 9

# Offsets, in modules, at which a finder pattern is searched around its place on flat paper, and scale factors.
_PLACES = np.arange(-2, 2.1)
_STRETCHED = np.array([0.55, 0.75, 1.0, 1.3])

# Number of these starting points that are refined. With 6, of twice as many, one code of 1,122 more or less is read.
_LIKELY = 3

# Step sizes of the refinement, in modules or as a relative change of scale, and the maximum number of steps of each.
# With two sizes and 8 steps one of 158 bent cards less is read.
_CHANGES = (0.25, 0.1, 0.04)
_MOST_CHANGES = 12


@dataclass(frozen=True, eq=False)
class ModuleFrame:
    """A point in the picture and its local affine frame: a module across and a module down (columns), in pixels."""

    place: Points
    slope: Points


Corners: TypeAlias = tuple[ModuleFrame, ModuleFrame, ModuleFrame]
"""The upper left, upper right and lower left finder patterns."""


def finders(patch: Patch, quad: Quad, length: int) -> Corners:
    """Return the three finder patterns of a symbol of `length` modules that was located at a quad of the picture."""
    corners = ((quad - patch.corner) * patch.scale).astype(np.float32)
    flat = cv2.getPerspectiveTransform(length * _SQUARE.astype(np.float32), corners)
    far = length - CENTRE
    start, right, below = (
        _fitted(patch.clear, _flat(flat, x, y)) for x, y in ((CENTRE, CENTRE), (far, CENTRE), (CENTRE, far))
    )
    return start, right, below


def sampled(clear: Field, pixels: Points) -> Field:
    """Return the values at places in pixels, shape (..., 2)."""
    return values_at(clear, pixels - 0.5)


def _flat(flat: npt.NDArray[Any], x: float, y: float) -> ModuleFrame:
    places = np.array([[(x, y), (x + 1, y), (x, y + 1)]], dtype=np.float64)
    place, across, down = cv2.perspectiveTransform(places, flat)[0]
    return ModuleFrame(place, np.stack((across - place, down - place), axis=-1))


def _fitted(clear: Field, frame: ModuleFrame) -> ModuleFrame:
    """Fit position, scale and shear of a finder pattern by coordinate search."""
    offsets = np.arange(_FINDER) - _FINDER // 2
    window = np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 2).astype(np.float64)
    rings = np.abs(window).max(axis=1)
    signs = np.where((rings == 2) | (rings == _FINDER // 2), 1, -1)  # noqa: PLR2004 - the white ring, and around

    def worths(tries: Points) -> Points:
        slopes = frame.slope @ (np.eye(2) + tries[:, 2:].reshape(-1, 2, 2))
        places = frame.place + tries[:, :2] @ frame.slope.T
        pixels = window @ slopes.transpose(0, 2, 1) + places[:, None]
        return np.asarray((sampled(clear, pixels) * signs).mean(axis=1))

    tries = _starts()
    worth = worths(tries)
    likely = np.argsort(worth)[-_LIKELY:]
    values, best = tries[likely], worth[likely]
    for change in _CHANGES:
        steps = change * np.vstack((np.eye(6), -np.eye(6)))
        for _ in range(_MOST_CHANGES):
            tries = values[:, None] + steps
            worth = worths(tries.reshape(-1, 6)).reshape(_LIKELY, -1)
            index = worth.argmax(axis=1)
            better = worth.max(axis=1) > best
            if not better.any():
                break
            values = np.where(better[:, None], tries[np.arange(_LIKELY), index], values)
            best = np.maximum(best, worth.max(axis=1))
    value = values[best.argmax()]
    return ModuleFrame(frame.place + frame.slope @ value[:2], frame.slope @ (np.eye(2) + value[2:].reshape(2, 2)))


@cache
def _starts() -> Points:
    """Return starting points for the fit: two offsets and four changes of the frame each."""
    grids = np.meshgrid(_PLACES, _PLACES, _STRETCHED, _STRETCHED, indexing="ij")
    x, y, across, down = (grid.ravel() for grid in grids)
    still = np.zeros(len(x))
    return np.stack((x, y, across - 1, still, still, down - 1), axis=-1)


# Figures of the mesh are from 89 real photographs, most of them degraded, in which this pass runs, with 73 codes read,
# and 30 symbols drawn around bottles, of which 24 are read: if no figure is given, values of 0.7 and 1.4 times as much
# read at most one more or less of either.

# Maximum distance of nodes, in modules: with 2.8 five fewer bottles are read.
_APART = 4.0

# Side, in modules, of the square around a node by which its place is scored: with 6 four fewer bottles are read, with
# 11 five.
_WINDOW = 8

# Maximum distance, in modules, by which a node is moved: at first, and once there is a surface.
_FAR, _NEAR = 0.8, 0.4

# Step between the places that are tried, in modules, and the penalty for moving a node by a module: with 0.4 four
# fewer bottles are read, without a penalty 13.
_STEP = 0.2
_PULL = 0.12

# Weight of a known module relative to the clearness of any: with 0 five fewer bottles and four fewer other
# codes are read.
_KNOWN_COUNT = 1.5

# Distance from the surface, in modules, from which on nodes get less weight in the next of several fits: with a single
# fit a symbol of version 14 on a bottle is not read.
_OUTLIER = 0.3
_FITS = 3

# Advantage in score over the mean for a node to be certain, and its least weight: with equal weights two of 39 blurred
# codes are lost.
_CONTRAST, _LEAST = 0.2, 0.02


class ModuleMesh:
    """Nodes over a symbol of a version, at most `_APART` modules apart, and polynomial surfaces that fit them.

    A surface is an array of coefficients, shape (n, 2). Nodes are an array of places in pixels, shape (m, m, 2) for
    rows, columns and (x, y), with another of their certainty, 0 to 1.
    """

    def __init__(self, clear: Field, version: int) -> None:
        self.clear = clear
        self.version, self.length = version, modules_of(version)
        steps = int(np.ceil((self.length - 2 * CENTRE) / _APART))
        self.along = np.linspace(CENTRE, self.length - CENTRE, steps + 1)
        self.signs = known(version)[QUIET:-QUIET, QUIET:-QUIET]
        self.first = np.clip(np.round(self.along - _WINDOW / 2), 0, self.length - _WINDOW).astype(np.intp)

    def surfaces(self, corners: Corners) -> Iterator[Points]:
        """Yield ever better surfaces: refined ones through the finder patterns, then those of a mesh that is grown."""
        start = surface = self._through(corners)
        for degree in DEGREES:
            surface = self._fitted(*self._refined(surface), degree)
            yield surface
        grown = self._fitted(*self._grown(start), DEGREES[-1])
        yield grown
        yield self._fitted(*self._refined(grown), DEGREES[-1])

    def modules(self, surface: Points) -> Field:
        """Return how white (1) or black (-1) the modules are, quiet zone included."""
        along = np.arange(-QUIET, self.length + QUIET) + 0.5
        return sampled(self.clear, self.pixels(surface, np.stack(np.meshgrid(along, along), axis=-1)))

    def pixels(self, surface: Points, modules: Points) -> Points:
        """Return the pixels of places in modules, shape (..., 2)."""
        degree = (math.isqrt(8 * len(surface) + 1) - 3) // 2
        return np.asarray(self._terms(modules, degree) @ surface)

    def _terms(self, modules: Points, degree: int) -> Points:
        """Return the monomials up to a degree at places in modules."""
        u, v = np.moveaxis(2 * modules / self.length - 1, -1, 0)
        return np.stack([u**i * v**j for i in range(degree + 1) for j in range(degree + 1 - i)], axis=-1)

    def _through(self, corners: Corners) -> Points:
        """Return the quadratic surface that fits the places and slopes of the finder patterns best."""
        far = self.length - CENTRE
        around = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]) * CENTRE
        modules = np.concatenate([around + middle for middle in ((CENTRE, CENTRE), (far, CENTRE), (CENTRE, far))])
        pixels = np.concatenate([corner.place + around @ corner.slope.T for corner in corners])
        return np.asarray(np.linalg.lstsq(self._terms(modules, 2), pixels, rcond=None)[0])

    def _on(self, surface: Points) -> tuple[Points, Points]:
        """Return the nodes on a surface, and its slope at each: a module across and a module down, in pixels."""
        modules = np.stack(np.meshgrid(self.along, self.along), axis=-1)
        steps = [self.pixels(surface, modules + half) - self.pixels(surface, modules - half) for half in np.eye(2) / 2]
        return self.pixels(surface, modules), np.stack(steps, axis=-1)

    def _grown(self, surface: Points) -> tuple[Points, Points]:
        """Place the nodes one after the other; each continues the distance from the surface of those before it."""
        nodes, slopes = self._on(surface)
        count, step = len(self.along), self.along[1] - self.along[0]
        # With a row and a column of zeros before the first ones.
        off, sure = np.zeros((count + 1, count + 1, 2)), np.zeros((count, count))
        for diagonal in range(2 * count - 1):
            rows = np.arange(max(0, diagonal - count + 1), min(diagonal, count - 1) + 1)
            columns = diagonal - rows
            before, above, left = off[rows, columns], off[rows, columns + 1], off[rows + 1, columns]
            slope = slopes[rows, columns] + np.stack((above - before, left - before), axis=-1) / step
            expected = nodes[rows, columns] + above + left - before
            moved, sure[rows, columns] = self._moved(rows, columns, expected, slope, _FAR)
            off[rows + 1, columns + 1] = moved - nodes[rows, columns]
        return nodes + off[1:, 1:], sure

    def _refined(self, surface: Points) -> tuple[Points, Points]:
        """Place the nodes on a surface, and move each to where its modules are clearest."""
        nodes, slopes = self._on(surface)
        rows, columns = (index.ravel() for index in np.indices(nodes.shape[:2]))
        moved, sure = self._moved(rows, columns, nodes.reshape(-1, 2), slopes.reshape(-1, 2, 2), _NEAR)
        return moved.reshape(nodes.shape), sure.reshape(nodes.shape[:2])

    def _fitted(self, nodes: Points, sure: Points, degree: int) -> Points:
        """Return the surface of a degree that fits the nodes best, with weights by certainty and without outliers."""
        terms = self._terms(np.stack(np.meshgrid(self.along, self.along), axis=-1).reshape(-1, 2), degree)
        targets, least = nodes.reshape(-1, 2), np.maximum(sure.ravel(), _LEAST)
        module = np.linalg.norm(nodes[0, -1] - nodes[0, 0]) / (self.length - 2 * CENTRE)
        fit: Points = np.empty((0, 2))
        weights = least
        for _ in range(_FITS):
            fit = np.asarray(np.linalg.lstsq(terms * weights[:, None], targets * weights[:, None], rcond=None)[0])
            off = np.linalg.norm(terms @ fit - targets, axis=1) / max(module, 1e-6)
            weights = least * np.minimum(1, _OUTLIER / np.maximum(off, 1e-6))
        return fit

    def _moved(
        self, rows: Places, columns: Places, expected: Points, slope: Points, reach: float
    ) -> tuple[Points, Points]:
        """Return the nodes where the modules around them are clearest, within `reach` of the expected places.

        Also returns their certainty: 1 if other places are much worse, 0 if all are the same, as in a reflection.
        """
        offsets = np.arange(_WINDOW)
        down, across = self.first[rows][:, None] + offsets, self.first[columns][:, None] + offsets
        window = np.empty((len(rows), _WINDOW, _WINDOW, 2))
        window[..., 0] = (across + 0.5 - self.along[columns][:, None])[:, None, :]
        window[..., 1] = (down + 0.5 - self.along[rows][:, None])[:, :, None]
        signs = self.signs[down[:, :, None], across[:, None, :]].reshape(len(rows), 1, -1)
        shifts = _shifts(reach)
        # Pixels of the window's modules, and how each shift moves them all.
        still = window.reshape(len(rows), -1, 2) @ slope.transpose(0, 2, 1) + expected[:, None]
        moves = shifts @ slope.transpose(0, 2, 1)
        values = sampled(self.clear, still[:, None] + moves[:, :, None])
        worth = (np.abs(values) + _KNOWN_COUNT * signs * values).mean(axis=2)
        best = (worth - _PULL * (shifts**2).sum(axis=1)).argmax(axis=1)
        each = np.arange(len(rows))
        sure = np.clip((worth[each, best] - worth.mean(axis=1)) / _CONTRAST, 0, 1)
        return np.asarray(expected + moves[each, best]), sure


@cache
def _shifts(reach: float) -> Points:
    tries = np.arange(-reach, reach + _STEP / 2, _STEP)
    return np.stack(np.meshgrid(tries, tries), axis=-1).reshape(-1, 2)
