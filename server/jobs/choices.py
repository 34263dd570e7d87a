"""How somebody wants cards printed, in the words of the commands and of the interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from cardgen.paper import PAPERS, PaperError
from cardgen.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Collection

    from cardgen.setup import Backs, Marks, Order

Pair = tuple[float, float]

ORDERS: tuple[Order, ...] = ("envelope", "kind")
MARKS: tuple[Marks, ...] = ("crop", "lines", "none")
BACKS: tuple[Backs, ...] = ("none", "long", "short", "fold")
LARGEST = {"gutter": 30.0, "bleed": 10.0, "shift": 30.0, "skip": 1000}
"""Most millimetres of each length, either way for a shift, and most places of a sheet that are used."""
SCALES = (90.0, 110.0)
"""Least and most percent that a drifting printer is corrected by."""


@dataclass(frozen=True)
class Choices:
    """How a run comes onto paper. Lengths in millimetres; `scale` in percent, across and up.

    Most fields are those of `cardgen.setup.Setup`. `second` is the cards' second language, if they have one.
    """

    paper: str = "a4"
    order: str = "envelope"
    marks: str = "crop"
    backs: str = "none"
    gutter: float = 0.0
    bleed: float = 0.0
    shift: Pair = (0.0, 0.0)
    back_shift: Pair = (0.0, 0.0)
    scale: Pair = (100.0, 100.0)
    skip: int = 0
    second: str = ""

    def setup(self) -> Setup:
        """Return the set-up for the sheets; PaperError for what no sheet can have, in one line."""
        _one_of("paper", self.paper, PAPERS)
        _one_of("order", self.order, ORDERS)
        _one_of("marks", self.marks, MARKS)
        _one_of("backs", self.backs, BACKS)
        for name in ("gutter", "bleed"):
            _within(name, getattr(self, name), 0.0, LARGEST[name])
        for name in ("shift", "back_shift"):
            for length in getattr(self, name):
                _within(name.replace("_", "-"), length, -LARGEST["shift"], LARGEST["shift"])
        for percent in self.scale:
            _within("scale", percent, *SCALES, unit="%")
        if not 0 <= self.skip <= LARGEST["skip"]:
            raise PaperError(f"skip is 0 to {LARGEST['skip']:g} places")
        across, down = self.scale
        return Setup(
            paper=PAPERS[self.paper],
            order=cast("Order", self.order),
            marks=cast("Marks", self.marks),
            backs=cast("Backs", self.backs),
            gutter=self.gutter,
            bleed=self.bleed,
            shift=self.shift,
            back_shift=self.back_shift,
            scale=(across / 100, down / 100),
            skip=self.skip,
        )


USUAL = Choices()
"""What nobody has chosen otherwise."""


def pair(text: str) -> Pair:
    """Return two numbers written as 1.5,-2, or one that counts for both; ValueError for anything else."""
    parts = [float(part) for part in text.split(",")]
    if len(parts) == 1:
        parts *= 2
    across, down = parts
    return across, down


def _one_of(what: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise PaperError(f"{what} is one of {', '.join(known)}, not {value!a:.40}")


def _within(what: str, value: float, least: float, most: float, unit: str = "mm") -> None:
    # No number at all is not within either.
    if not least <= value <= most:
        raise PaperError(f"{what} is {least:g} to {most:g} {unit}, not {value:g}")
