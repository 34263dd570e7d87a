"""The table: all hands of a game together, and how they compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.scoring.edition import Edition
    from server.scoring.seat import Seat
    from server.scoring.sharing import Shared


class Table:
    """The hands that are in the game. Rules get it as `me.table`; comparisons read the cards still scoring.

    `name` is always a kind, a group or a category. Nobody has most of what nobody has.
    """

    def __init__(self, edition: Edition, seed: str, *, provisional: bool) -> None:
        self.edition = edition
        self.seed = seed
        self.provisional = provisional
        """Whether other hands are still unknown: rules then say what those may change."""
        self.seats: Sequence[Seat] = ()
        """All hands that are not eliminated."""
        self.groups: Mapping[str, tuple[str, ...]] = {group.slug: group.kinds for group in edition.groups}
        self.shared: list[Shared] = []
        """What hands have written for all others in the phase that runs."""
        self._standings: dict[str, dict[int, list[Seat]]] = {}

    def seat(self, seats: Sequence[Seat]) -> None:
        """Let these hands take part, with the cards that they have now; whoever was there before has left."""
        self.seats = seats
        self._standings = {}

    def others(self, me: Seat) -> list[Seat]:
        """Return all other hands."""
        return [seat for seat in self.seats if seat is not me]

    def all_most(self, name: str) -> list[Seat]:
        """Return the hands with most of something: all that tie."""
        return next(iter(self._of(name).values()), [])

    def has_most(self, me: Seat, name: str) -> bool:
        """Tell whether no hand has more of something than this one, which has some; others may have as much."""
        return me.has(name) == next(iter(self._of(name)), None)

    def sole_most(self, name: str) -> Seat | None:
        """Return the one hand with most of something; None where hands tie."""
        most = self.all_most(name)
        return most[0] if len(most) == 1 else None

    def next_sole_most(self, name: str) -> Seat | None:
        """Return the hand with most of something; hands that tie are passed over, and the next number is tried."""
        return next((seats[0] for seats in self._of(name).values() if len(seats) == 1), None)

    def is_level(self, me: Seat, name: str) -> bool:
        """Tell whether another hand has as much of something as this one, and not nothing."""
        return len(self._of(name).get(me.has(name), ())) > 1

    def _of(self, name: str) -> dict[int, list[Seat]]:
        """Return the hands by how much they have of something, most first; those with nothing are left out."""
        if name not in self._standings:
            found: dict[int, list[Seat]] = {}
            for seat in self.seats:
                found.setdefault(seat.has(name), []).append(seat)
            found.pop(0, None)
            self._standings[name] = dict(sorted(found.items(), reverse=True))
        return self._standings[name]
