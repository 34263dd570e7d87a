"""Remembers what is set up, so that a second start takes no time and a broken one is repaired by the next."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tools.places import Places

SCHEME = "1"
"""Raised when the set-up itself changes so that what older ones made must be made anew."""


def digest(*parts: Path | str) -> str:
    """Return a fingerprint of texts and of the contents of files; a missing file counts as empty."""
    total = hashlib.sha256(f"{SCHEME} {platform.system()} {platform.machine()}".encode())
    for part in parts:
        data = part.encode() if isinstance(part, str) else part.read_bytes() if part.is_file() else b""
        total.update(hashlib.sha256(data).digest())
    return total.hexdigest()


class State:
    """What is set up: a fingerprint for each finished part, kept in one small file."""

    def __init__(self, places: Places) -> None:
        self._file = places.home / "state.json"
        self._parts = self._read()

    def _read(self) -> dict[str, str]:
        try:
            parts = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(part): str(value) for part, value in parts.items()} if isinstance(parts, dict) else {}

    def __getitem__(self, part: str) -> str:
        """Return a part's fingerprint; empty if the part is not finished."""
        return self._parts.get(part, "")

    def finish(self, part: str, fingerprint: str) -> None:
        """Remember a finished part. The file is replaced in one step, so that a kill cannot leave half of it."""
        self._parts[part] = fingerprint
        self._write()

    def forget(self, part: str) -> None:
        """Remember that a part is about to change and is not finished."""
        if self._parts.pop(part, None) is not None:
            self._write()

    def _write(self) -> None:
        new = self._file.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(self._parts, indent=1, sort_keys=True) + "\n", "utf-8")
        new.replace(self._file)


def say_waiting() -> None:
    """Tell the user that another start of the same checkout is at work."""
    print("Another ./haggle is setting up; waiting for it.", file=sys.stderr, flush=True)


@contextmanager
def alone(places: Places, waiting: Callable[[], None]) -> Iterator[None]:
    """Let only one set-up of a checkout work at a time; `waiting` is called if there is another.

    The system frees the lock of a killed process, so it can never be left behind.
    """
    places.home.mkdir(exist_ok=True)
    with (places.home / "setup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
