"""Memory settings of scan workers: an upper limit, and reuse of freed memory for the next scan."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

HEADROOM = 1_200_000_000
"""Bytes that a scan may allocate. Photographs of 64 megapixels need up to 1.1 GB."""
KEPT = 128_000_000
"""Bytes that a process keeps after a scan, enough for a photograph of 12 megapixels."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's `mallopt`."""
_LARGEST = 32 << 20
"""Size of the largest block that glibc takes from kept memory."""


def keep_memory(kept: int = KEPT) -> None:
    """Let this process keep and reuse up to `kept` bytes of freed memory.

    By default, glibc requests each large block from the system and returns it. This has no effect on other systems.
    """
    if sys.platform != "linux":
        return
    tune = getattr(ctypes.CDLL(None), "mallopt", None)
    if tune is not None:
        tune(_MMAP_THRESHOLD, _LARGEST)
        tune(_TRIM_THRESHOLD, kept)


def bound_memory(headroom: int = HEADROOM) -> None:
    """Limit the growth of this process to `headroom` bytes. Beyond that, allocations fail or end the process.

    This has no effect on systems other than Linux.
    """
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 - not every system has it

        # The first number is the size of the address space in pages.
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + headroom
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        # Keep a lower limit of the parent process.
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
