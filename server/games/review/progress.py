"""Progress of a batch of organisers' photographs, read from their rows, whichever process scans them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.db.models import Photo
from server.games.photos.scan_queue import UNSCANNED, PhotoSource, PhotoState
from server.games.review.reconcile import reconcile_game

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.context import AppContext

# Databases limit the number of values in a query.
_PHOTOS_PER_QUERY = 400


@dataclass(frozen=True)
class Progress:
    """Numbers of photographs by state."""

    waiting: int = 0
    done: int = 0
    failed: int = 0
    doubts: int = 0
    """Unread regions in the photographs that are done."""
    read: int = 0
    """Photographs that were seen waiting and have been scanned since."""

    @property
    def over(self) -> int:
        """Number of photographs that are done or failed."""
        return self.done + self.failed


@dataclass
class FollowedPhotos:
    """Some photographs of a game, whose progress is followed: the names of their files by their ids."""

    context: AppContext
    game: str
    files: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    """Reasons of the failed photographs, as slugs."""
    _doubts: dict[str, int] = field(default_factory=dict)
    _awaited: set[str] = field(default_factory=set)

    def progress(self) -> Progress:
        """Return the current progress. A photograph that was deleted in the meantime counts as done."""
        with self.context.database.reading() as session:
            rows = select(Photo.id, Photo.state, Photo.reason).where(
                Photo.game == self.game, Photo.source == PhotoSource.ORGANISER
            )
            found = {row.id: row for row in session.execute(rows) if row.id in self.files}
            self._count_doubts(session, [row.id for row in found.values() if row.state == PhotoState.DONE])
        self.failed = {row.id: row.reason or "" for row in found.values() if row.state == PhotoState.FAILED}
        waiting = {row.id for row in found.values() if row.state in UNSCANNED}
        self._awaited |= waiting
        return Progress(
            len(waiting),
            len(self.files) - len(waiting) - len(self.failed),
            len(self.failed),
            sum(self._doubts.values()),
            len(self._awaited - waiting),
        )

    def _count_doubts(self, session: Session, done: list[str]) -> None:
        fresh = [photo for photo in done if photo not in self._doubts]
        for start in range(0, len(fresh), _PHOTOS_PER_QUERY):
            some = select(Photo.id, Photo.scan_result).where(Photo.id.in_(fresh[start : start + _PHOTOS_PER_QUERY]))
            for photo, reading in session.execute(some):
                self._doubts[photo] = len((reading or {}).get("doubts", ()))


@dataclass(frozen=True)
class EnvelopeProgress:
    """An envelope in a batch: its photographs, its cards from all photographs, and its open issues."""

    envelope: int
    pictures: int
    cards: int
    doubts: int


@dataclass(frozen=True)
class BatchSummary:
    """Result of a batch: its envelopes in order, the files without an owner, and the open issues of the whole game."""

    envelopes: tuple[EnvelopeProgress, ...]
    unassigned: tuple[str, ...]
    open_issues: int


def summarise_batch(session: Session, game: Game, files: dict[str, str]) -> BatchSummary:
    """Return the result of some photographs of a game, given the names of their files by their ids."""
    reconciliation = reconcile_game(session, game)
    same_as = reconciliation.same_as
    owners = {photo: reconciliation.owners.get(same_as.get(photo, photo), ()) for photo in files}
    photos = Counter(number for numbers in owners.values() for number in numbers)
    return BatchSummary(
        tuple(
            EnvelopeProgress(
                number,
                photos[number],
                len(reconciliation.hands[number].cards),
                sum(number in issue.envelopes for issue in reconciliation.open_issues),
            )
            for number in sorted(photos)
        ),
        tuple(files[photo] for photo, numbers in owners.items() if not numbers and photo not in reconciliation.waiting),
        len(reconciliation.open_issues),
    )
