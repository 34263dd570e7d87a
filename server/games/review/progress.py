"""Follows how far some pictures of organisers are read, by their rows, whoever reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.db.models import Photo
from server.games.photos.scan_queue import PhotoState
from server.games.review.evidence import ORGANISER, assembled

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.context import AppContext

# Pictures that one query asks about: databases bound how many values a query has.
_AT_ONCE = 400


@dataclass(frozen=True)
class Progress:
    """How far the pictures are that are followed. `doubts` are places in those that were read at which nothing was.

    `read` is how many have come to their end since they were seen waiting.
    """

    waiting: int = 0
    done: int = 0
    failed: int = 0
    doubts: int = 0
    read: int = 0

    @property
    def over(self) -> int:
        """How many have been read, or have failed."""
        return self.done + self.failed


@dataclass(frozen=True)
class ScannerActivity:
    """Signs of life of whoever scans: what they claim, settle and renew."""

    claims: int
    settled: int
    lease: object


@dataclass
class FollowedPhotos:
    """The pictures of a game that are followed: the name of each one's file, by its id."""

    context: AppContext
    game: str
    files: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    """Why those failed that did, by their ids, as slugs."""
    _doubts: dict[str, int] = field(default_factory=dict)
    _awaited: set[str] = field(default_factory=set)

    def look(self) -> Progress:
        """Return how far they are now. One that was deleted meanwhile counts as read."""
        with self.context.database.reading() as session:
            rows = select(Photo.id, Photo.state, Photo.reason).where(Photo.game == self.game, Photo.source == ORGANISER)
            found = {row.id: row for row in session.execute(rows) if row.id in self.files}
            self._count_doubts(session, [row.id for row in found.values() if row.state == PhotoState.DONE])
        self.failed = {row.id: row.reason or "" for row in found.values() if row.state == PhotoState.FAILED}
        waiting = {row.id for row in found.values() if row.state in {PhotoState.WAITING, PhotoState.SCANNING}}
        self._awaited |= waiting
        return Progress(
            len(waiting),
            len(self.files) - len(waiting) - len(self.failed),
            len(self.failed),
            sum(self._doubts.values()),
            len(self._awaited - waiting),
        )

    def sign(self) -> ScannerActivity:
        """Return the signs of life of whoever scans any game's pictures; others than before while somebody does."""
        with self.context.database.reading() as session:
            claims, lease = session.execute(select(func.sum(Photo.attempts), func.max(Photo.lease))).one()
            settled = session.scalar(select(func.count()).where(Photo.scanned.is_not(None)))
        return ScannerActivity(claims or 0, settled or 0, lease)

    def _count_doubts(self, session: Session, done: list[str]) -> None:
        fresh = [photo for photo in done if photo not in self._doubts]
        for start in range(0, len(fresh), _AT_ONCE):
            some = select(Photo.id, Photo.reading).where(Photo.id.in_(fresh[start : start + _AT_ONCE]))
            for photo, reading in session.execute(some):
                self._doubts[photo] = len((reading or {}).get("doubts", ()))


@dataclass(frozen=True)
class EnvelopeProgress:
    """What the pictures show of an envelope: how many of them, its cards from all pictures, and its open doubts."""

    envelope: int
    pictures: int
    cards: int
    doubts: int


@dataclass(frozen=True)
class BatchSummary:
    """What some pictures come to: envelope by envelope in order, and the files of which nobody knows whose they are.

    `doubts` are all that are open in the game.
    """

    envelopes: tuple[EnvelopeProgress, ...]
    nobody: tuple[str, ...]
    doubts: int


def findings(session: Session, game: Game, files: dict[str, str]) -> BatchSummary:
    """Return what pictures of a game come to, given the names of their files by their ids."""
    whole = assembled(session, game)
    owners = {photo: whole.owners.get(whole.same.get(photo, photo), ()) for photo in files}
    pictures: dict[int, int] = {}
    for numbers in owners.values():
        for number in numbers:
            pictures[number] = pictures.get(number, 0) + 1
    doubts = {number: sum(number in item.envelopes for item in whole.open) for number in pictures}
    return BatchSummary(
        tuple(
            EnvelopeProgress(number, pictures[number], len(whole.hands[number].cards), doubts[number])
            for number in sorted(pictures)
        ),
        tuple(files[photo] for photo, numbers in owners.items() if not numbers and photo not in whole.waiting),
        len(whole.open),
    )
