"""How many cores this process may really use: fewer than the machine has where a container or a unit limits it."""

from __future__ import annotations

import math
import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SYSTEM = Path("/")
_GROUPS = "sys/fs/cgroup"
_OLD_MOUNTS = ("cpu", "cpu,cpuacct", "cpuacct,cpu")
# Where the first kind of control groups keeps what belongs to processors; systems name it differently.


def usable_cores(system: Path = _SYSTEM) -> int:
    """Return how many cores work for this process at once, at least 1: a limit of one and a half lets two work.

    Counted are the cores that it may run on and, on Linux, how much of them its control group and those above it get,
    of either kind. `system` is where the system's own files lie.
    """
    shares = (share for share in _shares(system) if share > 0)
    return max(1, min([_allowed(), *(math.ceil(share) for share in shares)]))


def _allowed() -> int:
    """Return on how many cores this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shares(system: Path) -> Iterator[float]:
    """Yield how many cores' time each control group allows that says so."""
    for controllers, path in _groups(system):
        if not controllers:
            for folder in _upwards(system / _GROUPS, path):
                yield from _share(_words(folder / "cpu.max"))
        elif "cpu" in controllers.split(","):
            for mount in _OLD_MOUNTS:
                for folder in _upwards(system / _GROUPS / mount, path):
                    yield from _share([*_words(folder / "cpu.cfs_quota_us"), *_words(folder / "cpu.cfs_period_us")])


def _groups(system: Path) -> Iterator[tuple[str, str]]:
    """Yield this process's control groups: which controllers they are of ("": the newer kind), and their paths."""
    try:
        lines = (system / "proc/self/cgroup").read_text(errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        number, _, rest = line.partition(":")
        controllers, found, path = rest.partition(":")
        if found and number.isdecimal():
            yield controllers, path


def _upwards(mount: Path, path: str) -> Iterator[Path]:
    """Yield a group's folder and those above it. In a container the path may be the host's, and the mount our own."""
    parts = [part for part in PurePosixPath(path).parts if part not in {"/", ".."}]
    for length in range(len(parts), -1, -1):
        yield mount.joinpath(*parts[:length])


def _words(file: Path) -> list[str]:
    try:
        return file.read_text(errors="replace").split()
    except OSError:
        return []


def _share(said: list[str]) -> Iterator[float]:
    """Yield how much time of each period is allowed, from `max 100000`, `-1 100000` or `150000 100000`."""
    try:
        quota, period = (int(word) for word in said)
    except ValueError:
        return
    if period > 0:
        yield quota / period
