"""Reads pictures in this process's own workers while `haggle bulk` waits, unless somebody else reads them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from server.cli.data_folder import amount
from server.jobs.cores import usable_cores
from server.jobs.scan_worker import read_and_develop
from server.jobs.scanning import ScanPool
from server.play.scanners import scanning_places
from server.play.service import ScanService

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.play.following import Following, Progress, Sign
    from server.play.house import House

PATIENCE = 7.0
"""Seconds without a sign of life after which nobody else is thought to read: a server looks every two seconds, and
whoever reads renews its leases every five."""


class Readers:
    """So many processes, or none as long as others read (`workers` None). `say` is told when they begin."""

    def __init__(self, house: House, following: Following, workers: int | None, say: Callable[[str], None]) -> None:
        self._house = house
        self._following = following
        self._workers = workers
        self._say = say
        self._service: ScanService | None = None
        self._sign: Sign | None = None
        self._since = time.monotonic()
        self._told = False

    def look(self, progress: Progress) -> None:
        """Begin to read if something waits and nobody else does."""
        if self._service is not None or not progress.waiting:
            self._since = time.monotonic()
            return
        sign = self._following.sign()
        if sign != self._sign:
            # The first look is no sign of life: what it finds may be of a process that is gone.
            self._since = time.monotonic()
            self._sign = sign
        quiet = not self._anybody() or time.monotonic() - self._since >= PATIENCE
        if self._workers or (self._workers is None and quiet):
            self._begin(self._workers or usable_cores())
        elif quiet and not self._told:
            self._told = True
            self._say("Nobody reads pictures just now: start haggle serve, or use --workers.")

    def close(self) -> None:
        """Stop reading; what is in hand is put back."""
        if self._service is not None:
            self._service.close()

    def _anybody(self) -> bool:
        """Tell whether somebody has said of late to be reading; one that was killed since has said so too."""
        with self._house.database.reading() as session:
            return scanning_places(session, self._house.time(session)) > 0

    def _begin(self, workers: int) -> None:
        self._service = ScanService(self._house, ScanPool(None, workers=workers, job=read_and_develop))
        self._service.start()
        self._say(f"Reading here, with {amount(workers, 'process').replace('processs', 'processes')}.")
