"""The truth about a photograph: every card and code, and how much of each can be seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np

from server.studio.sensor import SHINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from server.studio.face import PrintedCode
    from server.studio.surface import Surface

    Points = npt.NDArray[np.float64]

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

_COVERED = 0.002
# Share of a code that may be covered or cut off before it counts as hidden.
_WASHED = 0.01
# Share of a code that reflections may burn out before it counts as hidden.
_BURNT = 0.85
# A reflection that leaves nothing of the difference between black and white, as a multiple of white paper.
_FINE = 200
# Areas are compared on a raster of this many cells a side.


@dataclass(frozen=True)
class PlacedCode:
    """Where a code lies in the photograph, in pixels from its own top-left corner clockwise.

    `whole` is True when nothing covers it (at most 0.2 % of its area), the picture's edge does not cut it, and
    reflections burn out at most 1 % of it. `covered` and `washed` are these shares. `module` is the size of a module
    in pixels, the root of its area, and `narrow` its shorter side, which a slant makes smaller. `glare` is the
    brightest reflection on it, from 0 to 1, where 1 leaves nothing.
    """

    quad: Corners
    whole: bool
    module: float
    glare: float
    text: str
    narrow: float
    covered: float
    washed: float


@dataclass(frozen=True)
class PlacedCard:
    """A card in the photograph: its corners in pixels and its codes, of a card's two the upright one first.

    `visible` is the share of it that is in the picture and not under anything; `deck` counts the decks from 0.
    """

    name: str
    outline: Corners
    codes: tuple[PlacedCode, ...]
    visible: float
    deck: int

    @property
    def readable(self) -> bool:
        """Whether at least one of its codes is whole."""
        return any(code.whole for code in self.codes)


def placed_card(
    name: str,
    surface: Surface,
    codes: Sequence[PrintedCode],
    above: Sequence[Points],
    shine: npt.NDArray[np.uint8] | None,
    size: tuple[int, int],
    deck: int,
) -> PlacedCard:
    """Return the truth about one card. `above` are the outlines of what was put down after it, `size` the picture's."""
    edge = surface.edge
    over = [shape for shape in above if _near(shape, edge)]
    placed = tuple(_placed_code(code, surface, over, shine, size) for code in codes)
    corners = _corners(surface.project(surface.corners))
    return PlacedCard(name, corners, placed, 1 - _hidden(edge, over, size), deck)


def _placed_code(
    code: PrintedCode,
    surface: Surface,
    above: Sequence[Points],
    shine: npt.NDArray[np.uint8] | None,
    size: tuple[int, int],
) -> PlacedCode:
    quad = surface.project(code.quad)
    covered = _hidden(quad, above, size)
    bright, washed = _reflections(quad, shine)
    sides = np.linalg.norm((quad - np.roll(quad, 1, axis=0)), axis=1)
    area = float(cv2.contourArea(quad.astype(np.float32)))
    return PlacedCode(
        quad=_corners(quad),
        whole=covered <= _COVERED and washed <= _WASHED,
        module=float(np.sqrt(area)) / code.modules,
        glare=bright,
        text=code.text,
        narrow=area / float(max(sides)) / code.modules,
        covered=covered,
        washed=washed,
    )


def _near(shape: Points, other: Points) -> bool:
    """Tell whether the boxes around two shapes touch."""
    return bool((shape.min(axis=0) <= other.max(axis=0)).all() and (other.min(axis=0) <= shape.max(axis=0)).all())


def _hidden(shape: Points, above: Sequence[Points], size: tuple[int, int]) -> float:
    """Return the share of a shape that lies under others or outside of the picture."""
    low, span = shape.min(axis=0), np.ptp(shape, axis=0)
    fine = _FINE / float(span.max())
    cells = np.zeros(np.ceil(span[::-1] * fine).astype(int) + 1, dtype=np.uint8)
    _draw(cells, (shape - low) * fine, 1)
    whole = cv2.countNonZero(cells)
    for other in above:
        _draw(cells, (other - low) * fine, 0)
    frame = np.zeros_like(cells)
    width, height = size
    _draw(frame, (np.array([(0, 0), (width, 0), (width, height), (0, height)]) - low) * fine, 1)
    return 1 - int(np.count_nonzero(cells & frame)) / max(whole, 1)


def _draw(cells: npt.NDArray[np.uint8], shape: Points, value: int) -> None:
    # Far corners of large shapes are brought near: OpenCV draws with 16 bits before the point.
    near = np.clip(shape, -8000, 8000)
    cv2.fillPoly(cells, [np.round(near * 16).astype(np.int32)], value, shift=4)


def _reflections(quad: Points, shine: npt.NDArray[np.uint8] | None) -> tuple[float, float]:
    """Return the brightest reflection on a quad, 0 to 1, and the share of the quad in which nothing is left."""
    if shine is None:
        return 0.0, 0.0
    left, top = np.maximum(np.floor(quad.min(axis=0)), 0).astype(int)
    right, bottom = np.maximum(np.ceil(quad.max(axis=0)), 0).astype(int)
    part = shine[top:bottom, left:right]
    inside = np.zeros_like(part)
    if not inside.size:
        return 0.0, 0.0
    cv2.fillConvexPoly(inside, np.round((quad - (left, top)) * 16).astype(np.int32), 1, shift=4)
    bright = part[inside > 0].astype(np.float32) * (SHINE / 255)
    if not bright.size:
        return 0.0, 0.0
    return float(min(bright.max() / _BURNT, 1)), float((bright > _BURNT).mean())


def _corners(quad: Points) -> Corners:
    return cast("Corners", tuple((float(x), float(y)) for x, y in quad))
