"""Reads located codes of any version on bent or crumpled paper with a deformable grid (`scanner.decode.mesh`).

Only the finder patterns are taken from the reader that located the code.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.decode.backends import DecodedCode
from scanner.decode.error_correction import decode_with_erasures
from scanner.decode.mesh import CENTRE, ModuleMesh, finders, sampled
from scanner.decode.qr_spec import BLACK, QUIET, UNKNOWN, decode, known
from scanner.decode.sampling import deblurred
from scanner.image.filters import cut_out, resized, smooth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from scanner.decode.mesh import ModuleFrame
    from scanner.result import Grey, Quad

    Field = npt.NDArray[np.float32]
    Points = npt.NDArray[np.float64]
    Corners = tuple[ModuleFrame, ModuleFrame, ModuleFrame]

FINE = 5.0
"""Pixels per module to which larger codes are shrunk, which saves time and reduces noise."""

COARSE = 2.5
"""Pixels a module below which the cut-out is enlarged to twice its size."""

FITTING = 0.4
"""Fit of two of the three finder patterns, from 0 to 1, that is required for anything else to be tried."""

SMALLEST = 20.0
"""Side in pixels below which no code is followed."""

WELL_FITTING = 0.6
"""Fit that is required for other versions than the likeliest to be tried."""

RIGHT = 0.75
"""Share of the known modules that must be right for decoding to be tried."""

STIFF = (2, 2, 3)
"""Degrees of the surfaces that are tried on flat paper, one after the other."""

RIGHT_TO_RESTORE = 0.82
"""The same for deblurring and erasures to be tried."""

CLOSER = 2
"""Number of versions that are refined."""

HOPELESS, HOPEFUL = 0.66, 0.74
"""Share of the known modules that must be right in the likeliest version for others to be tried, and in any to go on.

Of symbols that were read at last 0.80 or more were right at the first try.
"""

SURE = 0.93
"""Share of the known modules from which on the version is certain, even if the code cannot be decoded."""

GUESSES = (1, 4, 9, 18, 32)
"""Versions for which finder patterns are searched if the reader did not determine one."""

OTHERS = (0, 1, -1, 2, -2)
"""Differences from the version estimated by the distance of the finder patterns that are tried."""

_LARGEST = 40
_ROUNDS = 3

# Modules from whose darkest and brightest the threshold comes.
_AROUND = 9


@dataclass(frozen=True, eq=False)
class Patch:
    """A cut-out in which every pixel says how white (1) or black (-1) it is against its surroundings.

    `scale` and `corner` lead back: a place of the picture is place / scale + corner.
    """

    clear: Field
    scale: float
    corner: Points


def read(grey: Grey, found: DecodedCode, is_late: Callable[[], bool] = lambda: False) -> DecodedCode | None:
    """Return the code with its text and version, and its corners as they lie, or None; also once `is_late`."""
    if found.side < SMALLEST:
        return None
    for number, meant in enumerate(_meant(found)):
        if number and is_late():
            return None
        patch = patch_of(grey, meant)
        if is_late():
            return None
        corners = corners_of(patch, meant)
        fit = sorted(corner.fit for corner in corners)[1]
        if fit < FITTING:
            continue
        near = found.version or _version_of(corners)
        return _read(patch, corners, _versions(near) if fit > WELL_FITTING else [near], is_late)
    return None


def _meant(found: DecodedCode) -> Iterator[DecodedCode]:
    """Yield the located code with its version, or with each of `GUESSES` if the reader could not determine it."""
    if found.version:
        yield found
    else:
        yield from (DecodedCode(None, found.quad, version) for version in GUESSES)


def _read(patch: Patch, corners: Corners, versions: Sequence[int], is_late: Callable[[], bool]) -> DecodedCode | None:
    """Fit a mesh for each version, then refine those that fit best."""
    begun = []
    for version in versions:
        if is_late():
            return None
        tries = surfaces(patch, corners, version)
        first = next(tries)
        begun.append((right(first[1], version), version, first, tries))
        if begun[-1][0] > SURE or begun[0][0] < HOPELESS or is_late():
            break
    begun.sort(key=lambda one: -one[0])
    for good, version, first, tries in begun[:CLOSER]:
        if good < HOPEFUL:
            return None
        seen = set[bytes]()
        for centres, modules in chain((first,), tries):
            bits = (modules < 0).tobytes()
            text = None if bits in seen else _decoded(modules, version)
            seen.add(bits)
            if text is not None:
                return DecodedCode(text, _corners(centres) / patch.scale + patch.corner, version)
            if is_late():
                return None
    return None


def _decoded(modules: Field, version: int) -> str | None:
    """Decode modules as they are, after deblurring, or with doubtful modules as erasures."""
    good = right(modules, version)
    if good < RIGHT:
        return None
    text = decode(modules < 0, version)
    if text is None and good > RIGHT_TO_RESTORE:
        sharper = deblurred(modules, version)
        text = (
            decode(sharper < 0, version)
            or decode_with_erasures(modules, version)
            or decode_with_erasures(sharper, version)
        )
    return text


def patch_of(grey: Grey, found: DecodedCode) -> Patch:
    """Cut out a code with its surroundings, and normalise its local brightness."""
    x, y, cut = cut_out(grey, found.quad, found.side / 3)
    scale = FINE / found.module if found.module > FINE else 2.0 if found.module < COARSE else 1.0
    cut = resized(cut, scale, scale)
    module = found.module * scale
    values = smooth(cut, max(0.2 * module, 0.3))
    reach = np.ones((int(_AROUND * module) | 1,) * 2, dtype=np.uint8)
    dark, bright = (cv2.blur(far(values, reach), reach.shape).astype(np.float32) for far in (cv2.erode, cv2.dilate))
    clear = (2 * values.astype(np.float32) - dark - bright) / np.maximum(bright - dark, 12)
    return Patch(np.clip(clear, -1, 1), scale, np.array([x, y], dtype=np.float64))


def corners_of(patch: Patch, found: DecodedCode) -> Corners:
    """Return the three finder patterns as they lie in the cut-out."""
    length = found.modules
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32) * length
    quad = (found.quad - patch.corner) * patch.scale
    flat = np.asarray(cv2.getPerspectiveTransform(square, quad.astype(np.float32)), dtype=np.float64)
    return finders(patch.clear, flat, length)


def surfaces(patch: Patch, corners: Corners, version: int) -> Iterator[tuple[Points, Field]]:
    """Yield ever better places of the modules, shape (n, n, 2), and how white they are; quiet zone included."""
    mesh = ModuleMesh(patch.clear, version)
    flat = mesh.flat_nodes(corners)
    if flat is not None:
        surface = mesh.surface(flat, STIFF[0])
        for degree in STIFF:
            surface = mesh.surface(mesh.refined(surface), degree)
            yield _seen(mesh, surface)
    nodes = mesh.extrapolated(corners)
    for _ in range(_ROUNDS):
        surface = mesh.surface(nodes)
        yield _seen(mesh, surface)
        nodes = mesh.refined(surface)


def _seen(mesh: ModuleMesh, surface: Points) -> tuple[Points, Field]:
    centres = mesh.centres(surface)
    return centres, sampled(mesh.clear, centres)


def right(modules: Field, version: int) -> float:
    """Return the share of the known modules within the symbol that are right; the clear ones count most."""
    sure = known(version)[QUIET:-QUIET, QUIET:-QUIET]
    inner = modules[QUIET:-QUIET, QUIET:-QUIET][sure != UNKNOWN]
    clear = np.abs(inner)
    return float(clear[(inner < 0) == (sure == BLACK)[sure != UNKNOWN]].sum() / max(clear.sum(), 1e-6))


def _versions(near: int) -> list[int]:
    """Return the versions to be tried, likely ones first."""
    return [near + other for other in OTHERS if 1 <= near + other <= _LARGEST]


def _version_of(corners: Corners) -> int:
    """Return the version that best explains the distances of the finder patterns."""
    start, right_one, below = corners
    modules = [
        np.linalg.norm(other.place - start.place) / np.linalg.norm((start.slope + other.slope)[:, axis] / 2)
        for axis, other in enumerate((right_one, below))
    ]
    return int(np.clip(round((float(np.mean(modules)) + 2 * CENTRE - 17) / 4), 1, _LARGEST))


def _corners(centres: Points) -> Quad:
    """Return the corners of the symbol from the middles of its modules, quiet zone included."""
    length = len(centres)
    ends = (QUIET, length - QUIET - 1)
    out = (-0.5, 0.5)
    corners = []
    for row, column in ((0, 0), (0, 1), (1, 1), (1, 0)):
        y, x = ends[row], ends[column]
        across = (centres[y, x + 1] - centres[y, x - 1]) / 2
        down = (centres[y + 1, x] - centres[y - 1, x]) / 2
        corners.append(centres[y, x] + out[column] * across + out[row] * down)
    return np.array(corners)
