"""The hands that made a rule act on others, when they did so alike: one line of a breakdown tells of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Author(NamedTuple):
    """A hand that made a rule act, by its player, and the number that made it; None where there is nothing to say."""

    player: str
    number: int | None


class Crowd:
    """Hands that made a rule act alike, in the order of their players' names; one of them may be left out.

    A view: to part it, or to make one for each hand of a game, copies nothing.
    """

    __slots__ = ("_all", "_start", "_stop", "_without")

    def __init__(self, authors: Sequence[Author], without: int | None, start: int = 0, stop: int | None = None) -> None:
        self._all = authors
        self._without = len(authors) if without is None else without
        self._start = start
        self._stop = len(authors) - (without is not None) if stop is None else stop

    def __len__(self) -> int:
        return self._stop - self._start

    def first(self, number: int) -> list[Author]:
        """Return the first authors, at most so many."""
        places = range(self._start, min(self._start + number, self._stop))
        return [self._all[place + (place >= self._without)] for place in places]

    def parted(self, number: int) -> tuple[Crowd, Crowd]:
        """Return the first `number` authors, and the others."""
        without = None if self._without == len(self._all) else self._without
        middle = self._start + number
        return Crowd(self._all, without, self._start, middle), Crowd(self._all, without, middle, self._stop)
