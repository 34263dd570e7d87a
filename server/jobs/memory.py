"""Bounds how much memory a process may take, so that a hostile file ends one scan and not the machine."""

from __future__ import annotations

import sys
from pathlib import Path

HEADROOM = 1_500_000_000
"""Bytes that a scan may take beyond a process that is ready. Pictures of 64 megapixels take up to 1.1 GB."""


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
