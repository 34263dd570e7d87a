"""Where on a card of any size its codes leave room. Lengths in points, the origin in the card's bottom left corner."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from reportlab.lib.units import mm

if TYPE_CHECKING:
    from cardgen.cards import Geometry

_MM: float = mm
GAP = 0.9 * _MM
"""White between a code's patch and what is drawn beside it."""
_CODE_LINE = 3.4 * _MM
# Height of the strip under a code for its short code, on a card whose patch is no smaller than the next.
_PATCH = 22 * _MM


@dataclass(frozen=True)
class Box:
    """A part of a card."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """Its extent across."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Its extent upwards."""
        return self.top - self.bottom

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of it."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2


@dataclass(frozen=True)
class Areas:
    """The parts of a card. `across` and `down` are how far a code with its short code reaches from the corner."""

    card: Geometry

    @property
    def scale(self) -> float:
        """How large the small print beside a code is: 1, less where the code is smaller."""
        return min(1.0, self.card.patch * _MM / _PATCH)

    @property
    def padding(self) -> float:
        """From the panel's outline to words at its sides."""
        return 2.6 * _MM * self.scale

    @property
    def clear(self) -> float:
        """From the panel's outline to words above and below."""
        return 1.3 * _MM + 0.7 * _MM * self.scale

    @property
    def across(self) -> float:
        """How far from the left edge the upper code keeps other things away; as far the lower one from the right."""
        return (self.card.inset + self.card.patch) * _MM + GAP

    @property
    def down(self) -> float:
        """How far from the top edge the upper code keeps other things away; as far the lower one from the bottom."""
        return self.across + _CODE_LINE * self.scale

    @property
    def whole(self) -> Box:
        """The card less the white at its rim."""
        rim = self.card.inset * _MM
        return Box(rim, rim, self.card.width * _MM - rim, self.card.height * _MM - rim)

    @property
    def lying(self) -> bool:
        """Whether the codes lie next to each other, with a column between them, rather than a band."""
        column = max(self.card.width * _MM - 2 * self.across, 0) * self.whole.height
        band = max(self.card.height * _MM - 2 * self.down, 0) * self.whole.width
        return column > band

    @property
    def head(self) -> Box:
        """The free corner at the top right: beside the upper code, or on a lying card above the lower one."""
        whole, width, height = self.whole, self.card.width * _MM, self.card.height * _MM
        if self.lying:
            return Box(width - self.across, self.down, whole.right, whole.top)
        return Box(self.across, height - self.down, whole.right, whole.top)

    @property
    def foot(self) -> Box:
        """The free corner at the bottom left: the head turned by half a turn."""
        head = self.head
        width, height = self.card.width * _MM, self.card.height * _MM
        return Box(width - head.right, height - head.top, width - head.left, height - head.bottom)

    @property
    def reach(self) -> float:
        """How far from the middle of the card the nearer of code and rim is: the radius of a free disc."""
        x, y = self.card.width * _MM / 2, self.card.height * _MM / 2
        return min(hypot(max(x - self.across, 0), max(y - self.down, 0)), x - self.whole.left, y - self.whole.bottom)
