"""Finds photographs whose claimer is gone. No clock decides that alone, since clocks of machines differ and jump.

A claimer that lives moves its lease on. One that is gone is known by a lease that is over, and that stays the same
however often one looks: so a clock that goes ahead, a database that was away and a process that was stopped take
nothing from those who work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.jobs.queue import LEASE, Claim, PhotoState, put_gone_back
from server.store.tables import Photo

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

    from server.store.database import Database

LOOKS = 4
"""So often in a row a lease is seen that nobody has moved before its claimer is gone."""
LOOKS_AT_FAR = 10 * LOOKS
"""So often where it ends later than any lease of ours, and was given by a clock that was wrong, or for longer."""


class Leases:
    """What one process has seen of the leases of all. It is to look as often as leases are renewed."""

    def __init__(self, lease: timedelta = LEASE) -> None:
        self._lease = lease
        self._seen: dict[Claim, tuple[datetime | None, int]] = {}

    def put_back(self, database: Database, at: datetime) -> int:
        """Look once more; put photographs back whose claimer is gone, and return how many."""
        gone = self._look(database, at)
        return put_gone_back(database, gone, at) if gone else 0

    def _look(self, database: Database, at: datetime) -> Mapping[Claim, datetime | None]:
        begun = func.coalesce(Photo.begun, Photo.attempts)
        held = select(Photo.id, Photo.game, Photo.envelope, Photo.attempts, begun, Photo.lease)
        with database.reading() as session:
            rows = session.execute(held.where(Photo.state == PhotoState.SCANNING)).all()
        leases = {Claim(*row[:5]): row[5] for row in rows}
        before, self._seen = self._seen, {}
        for claim, lease in leases.items():
            known, looks = before.get(claim, (None, 0))
            self._seen[claim] = lease, looks + 1 if lease == known else 1
        far = at + self._lease
        return {
            claim: lease
            for claim, (lease, looks) in self._seen.items()
            if looks >= (LOOKS if lease is None or lease < at else LOOKS_AT_FAR) and not (lease and at <= lease <= far)
        }
