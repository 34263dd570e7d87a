"""Makes the demo's photographs beside whatever else the server does, in processes that end with it."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING

from server.jobs.scanning import without_interrupts
from server.studio.demo.pictures import make

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.studio.demo.pictures import Job

PROCESSES = 2
_SPAWN = get_context("spawn")
# The caller has threads, so nothing is forked.
_NICE = 5
# The pages come first.
_ENDING = 2.0


class Painter:
    """Processes that make photographs. They use no queue or semaphore of the system's, so none can be left behind."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        """Take what is to be made; what is there already is not made again."""
        missing = [job for job in jobs if not job.file.exists()]
        shares = [share for start in range(PROCESSES) if (share := missing[start::PROCESSES])]
        self._processes = [
            _SPAWN.Process(target=_paint, args=(share,), name=f"haggle-painter-{number}", daemon=True)
            for number, share in enumerate(shares)
        ]

    def start(self) -> None:
        """Begin, and return at once."""
        with without_interrupts():
            for process in self._processes:
                process.start()

    @property
    def busy(self) -> bool:
        """Whether anything is still being made."""
        return any(process.is_alive() for process in self._processes)

    def close(self) -> None:
        """Leave what is not finished yet."""
        for process in self._processes:
            if process.pid is not None:
                process.kill()
                process.join(_ENDING)


def _paint(jobs: Sequence[Job]) -> None:
    # The server itself says when to stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(_NICE)
    for job in jobs:
        # A disk that is full, or a folder that is gone: the demo goes on without this picture.
        with contextlib.suppress(OSError):
            make(job)


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, even if that was killed."""
    if parent := parent_process():
        parent.join()
        os._exit(1)
