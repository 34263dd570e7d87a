"""What is slow to make and the same each time is made once for all test processes of a run, and kept in a file."""

from __future__ import annotations

import hashlib
import os
import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")


@dataclass
class Kept:
    """Where the run keeps what its processes share; nowhere until a session has begun."""

    folder: Path | None = None

    def once(self, key: str, make: Callable[[], T]) -> T:
        """Return what another process, or an earlier test, has made under this key, or else make it.

        Two that begin at the same time both make it: the later file takes the place of the other, which is the same.
        """
        if self.folder is None:
            return make()
        file = self.folder / hashlib.sha256(key.encode()).hexdigest()
        if file.exists():
            kept: T = pickle.loads(file.read_bytes())  # noqa: S301 - our own, of this run
            return kept
        made = make()
        self.folder.mkdir(exist_ok=True)
        part = file.with_name(f"{file.name}.{os.getpid()}")
        part.write_bytes(pickle.dumps(made))
        part.replace(file)
        return made


KEPT = Kept()
