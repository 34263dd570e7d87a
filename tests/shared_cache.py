"""What is slow to make and the same each time is made once for all test processes of a run, and kept in a file."""

from __future__ import annotations

import fcntl
import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


class Kept:
    """Where the run keeps what its processes share; nowhere until a session has begun."""

    folder: Path | None = None

    def once(self, key: str, make: Callable[[], T]) -> T:
        """Return what was made under this key, or make it; whoever wants it meanwhile waits."""
        if self.folder is None:
            return make()
        self.folder.mkdir(exist_ok=True)
        file = self.folder / hashlib.sha256(key.encode()).hexdigest()
        with file.with_suffix(".turn").open("ab") as turn:
            # A process that ends, however it ends, lets go of it.
            fcntl.flock(turn, fcntl.LOCK_EX)
            if not file.exists():
                # One that ends while it writes leaves nothing that looks whole.
                part = file.with_suffix(".part")
                part.write_bytes(pickle.dumps(make()))
                part.replace(file)
            made: T = pickle.loads(file.read_bytes())  # noqa: S301 - our own, of this run
            return made


KEPT = Kept()
