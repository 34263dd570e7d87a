"""The number of cores that this process may use."""

from __future__ import annotations

import math
import os
from pathlib import Path

_LIMIT = Path("/sys/fs/cgroup/cpu.max")


def usable_cores(limit: Path = _LIMIT) -> int:
    """Return how many cores this process may run on, at most as many as its container's `limit` on Linux."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = (int(word) for word in limit.read_text("ascii").split())
    except (OSError, ValueError):
        # There is no such file outside of containers, and it begins with "max" where there is no limit.
        return cores
    return max(1, min(cores, math.ceil(quota / period)))
