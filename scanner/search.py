"""The state of one search for codes: what was read, what was only located, and the time that is left."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from scanner.quads import is_squarish

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scanner.readers import Found
    from scanner.result import Grey

MAX_UNREAD = 150
"""Located places that are kept for another try: checkered cloth makes thousands."""

_SMALLEST_SIDE = 15.0
# A code of 21 modules with less than a pixel each is beyond reading.


@dataclass
class Search:
    """One picture being searched. `deadline` is a time of `time.monotonic()`."""

    grey: Grey
    deadline: float
    codes: list[Found] = field(default_factory=list)
    unread: list[Found] = field(default_factory=list)

    @property
    def late(self) -> bool:
        """Whether the time is used up."""
        return time.monotonic() > self.deadline

    def add(self, found: Iterable[Found]) -> None:
        """Take over what a pass found: each code once a place, and located places where nothing was read."""
        for one in found:
            if one.text is not None:
                if not any(one.is_at(other) for other in self.codes):
                    self.codes.append(one)
            elif len(self.unread) < MAX_UNREAD and _may_be_code(one):
                self.unread.append(one)
        self.unread = [
            one
            for index, one in enumerate(self.unread)
            if not any(one.is_at(other) for other in (*self.codes, *self.unread[:index]))
        ]

    @property
    def module(self) -> float:
        """Median size of a module in pixels over the codes that were read; 0 if none was."""
        return float(np.median([one.module for one in self.codes])) if self.codes else 0.0


def _may_be_code(found: Found) -> bool:
    return found.side >= _SMALLEST_SIDE and is_squarish(found.quad)
