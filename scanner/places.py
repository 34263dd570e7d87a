"""Codes by their place in the picture, so that thousands of them can be told apart quickly."""

from __future__ import annotations

from collections import defaultdict
from math import floor, log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scanner.readers import Found

_Cell = tuple[int, int, int]


class Places:
    """A set of codes that is asked which of them mark the same place as another (`Found.is_at`).

    Codes of a size lie in cells as large as they are: those with sides from 2^n to 2^(n + 1) in cells of 2^n pixels.
    """

    def __init__(self, codes: Iterable[Found] = ()) -> None:
        self._cells: dict[_Cell, list[Found]] = defaultdict(list)
        for one in codes:
            self.add(one)

    def add(self, one: Found) -> None:
        """Put a code into the set."""
        level = _level(one)
        self._cells[level, *_cell(one, level)].append(one)

    def any_at(self, one: Found) -> bool:
        """Tell whether a code of the set marks the same place."""
        return any(one.is_at(other) for other in self._near(one))

    def _near(self, one: Found) -> Iterator[Found]:
        """Go through the codes that may mark the same place: of half to twice the size, less than that apart."""
        own = _level(one)
        for level in (own - 1, own, own + 1):
            x, y = _cell(one, level)
            reach = 2 if level < own else 1
            for column in range(x - reach, x + reach + 1):
                for row in range(y - reach, y + reach + 1):
                    if (level, column, row) in self._cells:
                        yield from self._cells[level, column, row]


def _level(one: Found) -> int:
    return floor(log2(max(one.side, 1)))


def _cell(one: Found, level: int) -> tuple[int, int]:
    x, y = one.middle
    return floor(x / 2**level), floor(y / 2**level)
