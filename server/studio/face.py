"""What is photographed: printed faces, and where their codes are on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from cardgen.cards import Geometry

    Points = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PrintedCode:
    """A code on a face: what it says, its corners in millimetres, shape (4, 2), and its modules a side."""

    text: str
    quad: Points
    modules: int


@dataclass(frozen=True, eq=False)
class Face:
    """The printed side of a card: `pixels` of shape (h, w, 3), BGR, from edge to edge of the cut card.

    `text` is what a card's two codes say, which lie where the scene's geometry has them. A label, or anything else,
    gives its own `size` in millimetres and its own `codes` instead.
    """

    name: str
    pixels: npt.NDArray[np.uint8]
    text: str = ""
    size: tuple[float, float] | None = None
    codes: tuple[PrintedCode, ...] | None = None

    def size_in(self, geometry: Geometry) -> tuple[float, float]:
        """Return width and height in millimetres."""
        return self.size or (geometry.width, geometry.height)

    def codes_in(self, geometry: Geometry) -> tuple[PrintedCode, ...]:
        """Return the codes on the face; of a card's two, the upright one is the first."""
        if self.codes is not None:
            return self.codes
        near = geometry.inset + geometry.quiet * geometry.module
        far = near + geometry.code
        upright = np.array([(near, near), (far, near), (far, far), (near, far)])
        twin = np.array([geometry.width, geometry.height]) - upright
        return tuple(PrintedCode(self.text, quad, geometry.modules) for quad in (upright, twin))
