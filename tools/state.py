"""Stamps of complete folders, with what they were made from, and the lock of the set-up."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.paths import Paths

STAMP = ".haggle-stamp"


def digest(*files: Path) -> str:
    """Return a fingerprint of the contents of files and the kind of machine."""
    total = hashlib.sha256(f"{platform.system()} {platform.machine()}".encode())
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def read_stamp(folder: Path) -> str:
    """Return what a folder was made from; empty if it was not finished or something in it is gone."""
    try:
        made_from, *names = (folder / STAMP).read_text("utf-8").splitlines()
        return made_from if set(names) <= {path.name for path in folder.iterdir()} else ""
    except (OSError, ValueError):
        return ""


def write_stamp(folder: Path, made_from: str) -> None:
    """Note that a folder is complete, what it was made from, and what lies in it."""
    names = sorted(path.name for path in folder.iterdir() if path.name != "__pycache__")
    (folder / STAMP).write_text("\n".join([made_from, *names]) + "\n", "utf-8")


@contextmanager
def alone(paths: Paths) -> Iterator[None]:
    """Let only one set-up of a checkout work at a time.

    The programs it starts inherit the lock: where it is killed, the next one waits until they have ended.
    """
    paths.home.mkdir(exist_ok=True)
    with (paths.home / "setup.lock").open("w") as lock:
        os.set_inheritable(lock.fileno(), True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another ./haggle is setting up; waiting for it.", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
