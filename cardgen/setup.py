"""How a print run comes onto paper: everything that a printer may choose, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cardgen.paper import PAPERS, Paper

Order = Literal["envelope", "kind"]
"""Cards of one envelope after another (cut, stack, stuff), or all cards of a kind together."""
Marks = Literal["crop", "lines", "none"]
"""Where to cut: ticks and crosses, lines across the whole sheet, or nothing."""
Backs = Literal["none", "long", "short", "fold"]
"""No backs; a page of backs after each page of fronts, for a printer that turns the paper about its long or its short
edge; or backs beside the fronts on one side of the paper, to be folded over."""


@dataclass(frozen=True)
class Setup:
    """How a run comes onto paper. Lengths in millimetres.

    `gutter` is the room between cards, `bleed` how far a face goes on beyond the cut. `shift` moves all fronts to the
    right and up, `back_shift` the backs, `scale` enlarges both ways: for a printer that drifts. `skip` places of the
    first sheet are used already.
    """

    paper: Paper = PAPERS["a4"]
    order: Order = "envelope"
    marks: Marks = "crop"
    gutter: float = 0.0
    bleed: float = 0.0
    backs: Backs = "none"
    shift: tuple[float, float] = (0.0, 0.0)
    back_shift: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    skip: int = 0


PLAIN = Setup()
"""One side of A4, edge to edge, with crop marks."""
