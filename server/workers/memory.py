"""How a process that scans takes memory: never so much that a hostile file ends the machine instead of one scan.

What one scan has given back is there for the next.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

HEADROOM = 1_200_000_000
"""Bytes that a scan may take beyond a process that is ready. Pictures of 64 megapixels take up to 1.1 GB."""

KEPT = 128_000_000
"""About how many bytes a process keeps when a scan gives them back: the planes of a picture of 12 megapixels."""

# As glibc's `mallopt` names them.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3

# The largest block that glibc gives from what it keeps.
_LARGEST = 32 << 20


def keep_memory(kept: int = KEPT) -> None:
    """Let this process keep what it gives back, up to `kept` bytes, and take it from there again.

    As glibc comes, each plane of a picture is fetched from the system, page by page, and given back: a scan of 12
    megapixels took 70 ms of the processor that way, and 50 ms this way. Other systems are left as they are.
    """
    if sys.platform != "linux":
        return
    tune = getattr(ctypes.CDLL(None), "mallopt", None)
    if tune is not None:
        tune(_MMAP_THRESHOLD, _LARGEST)
        tune(_TRIM_THRESHOLD, kept)


def bound_memory(headroom: int = HEADROOM) -> None:
    """Let this process grow by `headroom` bytes at most; what asks for more then fails or ends the process.

    Only Linux keeps such a limit; elsewhere this does nothing.
    """
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 - not every system has it

        # The first number is the process's address space in pages.
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + headroom
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        # A narrower limit of whoever started this stays.
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
