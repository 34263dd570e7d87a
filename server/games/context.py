"""The context of all services of games: database, photographs, clock, notifier and print runner."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.db.session import now
from server.printing.job_runner import PrintRunner
from server.workers.lease_queue import Notifier

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.session import Database
    from server.storage.photo_store import PhotoStore


@dataclass(frozen=True)
class AppContext:
    """The services that a server's games use. `clock` is this machine's; tests replace it."""

    database: Database
    photos: PhotoStore
    clock: Callable[[], datetime] = field(default=now)
    notifier: Notifier = field(default_factory=Notifier)
    print_runner: PrintRunner = field(init=False)

    def __post_init__(self) -> None:
        self.database.clock = self.clock
        object.__setattr__(self, "print_runner", PrintRunner(self.database, self.photos.files, self.clock))

    def time(self, session: Session | None = None) -> datetime:
        """Return the time by which games close and photographs are deleted: a shared database's, if there is one."""
        return self.database.time(session)

    def close(self) -> None:
        """Close all connections."""
        self.database.close()
