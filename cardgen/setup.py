"""How a print run comes onto paper: everything that a printer may choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cardgen.paper import PAPERS, Duplex, Paper, PaperError

if TYPE_CHECKING:
    from collections.abc import Iterator

Order = Literal["envelope", "stack", "kind"]
"""Cards of one envelope after another as one reads, to be cut sheet by sheet; the same for who cuts the whole pile at
once and puts stack upon stack, so that each place's stack goes on where the one before ends; or all cards of a kind
together."""
Marks = Literal["crop", "lines", "none"]
"""Where to cut: ticks and crosses, lines across the whole sheet, or nothing."""
Backs = Literal["none", "long", "short", "fold"]
"""No backs; a page of backs after each page of fronts, for a printer that turns the paper about its long or its short
edge; or backs beside the fronts on one side of the paper, to be folded over."""

WIDEST_GUTTER = 20.0
WIDEST_BLEED = 5.0
FARTHEST_SHIFT = 10.0
SMALLEST_SCALE, LARGEST_SCALE = 0.9, 1.1


@dataclass(frozen=True)
class Setup:
    """How a run comes onto paper. Lengths in millimetres.

    `gutter` is the room between cards, `bleed` how far faces and backs go on beyond the cut; the room is at least two
    bleeds. `shift` moves all fronts to the right and up, `back_shift` the pages of backs, `scale` enlarges both ways
    about the middle of the page: for a printer that drifts. `skip` places of the first sheet are used already.
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

    @property
    def gap(self) -> float:
        """Millimetres between two cards."""
        return max(self.gutter, 2 * self.bleed)

    @property
    def duplex(self) -> bool:
        """Whether a page of backs follows each page of fronts."""
        return self.backs in {"long", "short"}

    @property
    def turning(self) -> Duplex:
        """What the PDF asks of a printer that can print on both sides."""
        if not self.duplex:
            return "Simplex"
        return "DuplexFlipLongEdge" if self.backs == "long" else "DuplexFlipShortEdge"

    def drift(self, paper: Paper, *, back: bool = False) -> tuple[float, float, float, float]:
        """Return (across, up, right, rise): the point (x, y) of a page comes to (across x + right, up y + rise)."""
        (across, up), (right, rise) = self.scale, self.back_shift if back else self.shift
        return across, up, paper.width / 2 * (1 - across) + right, paper.height / 2 * (1 - up) + rise


PLAIN = Setup()
"""One side of A4, edge to edge, with crop marks."""


def check_values(setup: Setup) -> None:
    """Raise PaperError for a value that no setup has; what fits together is for the layout to say."""
    for problem in _problems(setup):
        raise PaperError(problem)


def _problems(setup: Setup) -> Iterator[str]:
    # Written so that what is not a number is wrong too.
    if not 0 <= setup.gutter <= WIDEST_GUTTER:
        yield f"a gutter of {setup.gutter:g} mm: choose 0 to {WIDEST_GUTTER:g}"
    if not 0 <= setup.bleed <= WIDEST_BLEED:
        yield f"a bleed of {setup.bleed:g} mm: choose 0 to {WIDEST_BLEED:g}"
    for name, shift in (("shift", setup.shift), ("shift of the backs", setup.back_shift)):
        if not all(abs(way) <= FARTHEST_SHIFT for way in shift):
            yield f"a {name} of {shift[0]:g}, {shift[1]:g} mm: choose at most {FARTHEST_SHIFT:g} each way"
    if not all(SMALLEST_SCALE <= way <= LARGEST_SCALE for way in setup.scale):
        # In percent, as it is asked for.
        across, up = (100 * way for way in setup.scale)
        yield f"a scale of {across:g}, {up:g} %: choose {100 * SMALLEST_SCALE:g} to {100 * LARGEST_SCALE:g}"
