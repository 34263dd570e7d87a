"""A cache on disk that the test processes of a run share."""

from __future__ import annotations

import fcntl
import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


class Kept:
    """The folder of the run's shared cache; None until a session has begun."""

    folder: Path | None = None

    def once(self, key: str, make: Callable[[], T]) -> T:
        """Return the cached value of a key, or make it; other processes wait meanwhile."""
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
