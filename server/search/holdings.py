"""What a hand can hold of a category, within what was printed: all holdings, or one of those that are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from server.scoring import Edition
    from server.scoring.edition import Alike


class TooManyError(Exception):
    """There are too many different hands for a proof."""


class Holding(NamedTuple):
    """Some cards (copies by mark, none of them 0; values of facts too), and how many cards they are."""

    cards: Mapping[str, int]
    size: int


NOTHING = Holding({}, 0)


def joined(one: Holding, other: Holding) -> Holding:
    """Return the cards of both, which have no kind in common."""
    return Holding({**one.cards, **other.cards}, one.size + other.size)


def every(kinds: Sequence[str], stock: Mapping[str, int], most: int) -> Iterator[Holding]:
    """Yield all holdings of at most `most` cards."""
    if not kinds:
        yield NOTHING
        return
    *earlier, last = kinds
    for holding in every(earlier, stock, most):
        yield holding
        for number in range(1, min(stock[last], most - holding.size) + 1):
            yield Holding({**holding.cards, last: number}, holding.size + number)


def one_of_each_size(kinds: Sequence[str], stock: Mapping[str, int], most: int) -> list[Holding]:
    """Return one holding of each size from 0 up to `most`, for kinds that no rule reads."""
    found = [NOTHING]
    for kind in kinds:
        last = found[-1]
        found += [
            Holding({**last.cards, kind: number}, last.size + number)
            for number in range(1, min(stock[kind], most - last.size) + 1)
        ]
    return found


def not_alike(
    edition: Edition, alike: Alike, kinds: Sequence[str], stock: Mapping[str, int], most: int
) -> list[Holding]:
    """Return one of each set of holdings that an edition declares alike: of one size, and with one answer of `alike`.

    Kinds are added one by one. Of two holdings with the same size, lowest and highest number one is enough: whatever
    kinds are added later, both come to the same.
    """
    numbers = {kind: edition.kind_of[kind].number or 0 for kind in kinds}
    found: dict[tuple[int, int, int], Holding] = {(0, 0, 0): NOTHING}
    for kind in sorted(kinds, key=numbers.__getitem__):
        for (size, low, _), holding in list(found.items()):
            for number in range(1, min(stock[kind], most - size) + 1):
                key = (size + number, low if size else numbers[kind], numbers[kind])
                found.setdefault(key, Holding({**holding.cards, kind: number}, size + number))
    views: dict[tuple[int, Hashable], Holding] = {}
    for (size, low, high), holding in found.items():
        views.setdefault((size, alike(size, low, high)), holding)
    return list(views.values())
