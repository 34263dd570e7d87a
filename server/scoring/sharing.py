"""What one hand does to all others alike: written once, and told each hand in one line, however many hands did it.

So a breakdown stays short, and the time for a game grows as its number of hands, not as its square.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from server.scoring.crowd import Author, Crowd
from server.scoring.journal import Verbatim
from server.scoring.numbers import effective, printed

if TYPE_CHECKING:
    from server.scoring.journal import Entry
    from server.scoring.numbers import Numbers
    from server.scoring.seat import Seat
    from server.scoring.table import Table


class Shared(NamedTuple):
    """An entry that a hand wrote for every hand: with `own` for itself too, and with the number that made it act."""

    seat: Seat
    entry: Entry
    number: int | None
    own: bool


def told_together(entry: Entry, crowd: Crowd) -> Entry:
    """Return what a crowd did to a hand, as one entry. `entry` is what each of them did."""
    values = {**entry.values, "authors": crowd, "times": len(crowd), "each": entry.amount}
    author = Verbatim(crowd.first(1)[0].player)
    return entry._replace(amount=entry.amount * len(crowd), values=values, author=author)


def share(table: Table) -> None:
    """End a phase: write into every journal what others wrote for all, one entry for those that wrote the same."""
    groups: dict[str, list[Shared]] = {}
    for shared in table.shared:
        groups.setdefault(_likeness(shared), []).append(shared)
    table.shared.clear()
    for key in sorted(groups):
        group = sorted(groups[key], key=lambda shared: (shared.entry.author, shared.number or 0))
        authors = [Author(shared.entry.author, shared.number) for shared in group]
        entry, own = group[0].entry, group[0].own
        places = {} if own else {shared.seat: place for place, shared in enumerate(group)}
        for seat in table.seats:
            crowd = Crowd(authors, places.get(seat))
            if crowd:
                seat.journal.append(told_together(entry, crowd))


def _likeness(shared: Shared) -> str:
    """Return what is the same for entries that one line can tell."""
    entry = shared.entry
    values = sorted(entry.values.items())
    moved = _numbers(entry.numbers)
    what = (entry.rule.place, entry.verb.name, entry.targets, entry.amount, entry.say, values, moved, shared.own)
    return repr(what)


def _numbers(numbers: Numbers) -> list[tuple[str, object, object]]:
    before = printed(numbers)
    return [(name, now, before[name]) for name, now in effective(numbers).items()]
