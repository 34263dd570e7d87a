"""Stamp files, which mark a folder as complete and record its sources, and the lock of the set-up."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.paths import Paths

STAMP = ".haggle-stamp"


def digest(*files: Path) -> str:
    """Return a hash of the contents of files, the operating system and the processor architecture."""
    total = hashlib.sha256(f"{platform.system()} {platform.machine()}".encode())
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def read_stamp(folder: Path) -> str:
    """Return the sources that a folder was made from; empty if it is incomplete."""
    try:
        return (folder / STAMP).read_text("utf-8").partition("\n")[0]
    except OSError:
        return ""


def write_stamp(folder: Path, made_from: str) -> None:
    """Mark a folder as complete, and record its sources."""
    (folder / STAMP).write_text(f"{made_from}\n", "utf-8")


@contextmanager
def alone(paths: Paths) -> Iterator[None]:
    """Hold the lock of a checkout, so that only one set-up runs at a time.

    Programs that are started inherit the lock (but not on Windows): if the set-up is killed, the next one waits until
    they have ended.
    """
    paths.home.mkdir(exist_ok=True)
    with (paths.home / "setup.lock").open("w") as lock:
        os.set_inheritable(lock.fileno(), True)
        if not _try_lock(lock):
            print("Another ./haggle is setting up; waiting for it.", file=sys.stderr, flush=True)
            while not _try_lock(lock):
                time.sleep(0.1)
        yield


def _try_lock(file: TextIO) -> bool:
    """Lock a file until it is closed, without waiting; return whether that worked."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
