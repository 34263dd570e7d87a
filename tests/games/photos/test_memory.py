"""Reuse of freed memory by scan workers."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PICTURES, PLANE, LARGE = 20, 12_000_000, 64_000_000
_RUN = """
import resource, sys
from server.operating_system import keep_memory
if sys.argv[1] == "kept":
    keep_memory()

def pages():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def picture(size):
    # Without numpy, which requests pages so large that their number says little.
    planes = [b"1" * size for _ in range(3)]
    return len(planes)

picture(int(sys.argv[3]))
before = pages()
for _ in range(int(sys.argv[2])):
    picture(int(sys.argv[3]))
print((pages() - before) * resource.getpagesize())
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only glibc returns memory at once, and can be set not to"
)
@pytest.mark.thorough
def test_freed_memory_is_reused_unless_there_is_very_much() -> None:
    """Twenty pictures of 12 megapixels request no more memory than one; that of 64 megapixels is returned."""

    def fetched(how: str, size: int) -> int:
        """Return the number of bytes that a process requests for pictures of three planes after the first one."""
        command = [sys.executable, "-c", _RUN, how, str(PICTURES), str(size)]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    assert fetched("kept", PLANE) < PLANE
    assert fetched("default", PLANE) > PICTURES * PLANE
    assert fetched("kept", LARGE) > PICTURES * LARGE
