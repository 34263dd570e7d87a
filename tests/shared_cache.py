"""A cache on disk that the test processes of a run share."""

from __future__ import annotations

import fcntl
import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


class SharedCache:
    """Pickled values in `folder`. Before a session has set the folder, nothing is cached."""

    folder: Path | None = None

    def once(self, key: str, make: Callable[[], T]) -> T:
        """Return the cached value of a key, or create it; other processes wait meanwhile."""
        if self.folder is None:
            return make()
        self.folder.mkdir(exist_ok=True)
        file = self.folder / hashlib.sha256(key.encode()).hexdigest()
        with file.with_suffix(".lock").open("ab") as lock:
            # The lock is released even if the process is killed.
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                # Write to another file first: a process that is killed must not leave half a file.
                part = file.with_suffix(".part")
                part.write_bytes(pickle.dumps(make()))
                part.replace(file)
            made: T = pickle.loads(file.read_bytes())  # noqa: S301 - our own, of this run
            return made


SHARED_CACHE = SharedCache()
