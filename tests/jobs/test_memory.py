"""A process that scans takes its memory from the system once, and not for each picture."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PICTURES = 20
PLANE = 12_000_000
_RUN = """
import resource, sys
from server.jobs.memory import keep_memory
if sys.argv[1] == "kept":
    keep_memory()

def pages():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def picture(size):
    # Not of numpy, which asks for pages so large that counting them says little.
    planes = [b"1" * size for _ in range(3)]
    return len(planes)

picture(int(sys.argv[3]))
before = pages()
for _ in range(int(sys.argv[2])):
    picture(int(sys.argv[3]))
print((pages() - before) * resource.getpagesize())
"""


def fetched(how: str, size: int = PLANE) -> int:
    """Return how many bytes a process fetches from the system for as many pictures of three planes, after the first."""
    command = [sys.executable, "-c", _RUN, how, str(PICTURES), str(size)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc alone gives back at once, and can be told not to")
def test_what_a_scan_has_given_back_is_there_for_the_next() -> None:
    """Twenty pictures of 12 megapixels need no more memory from the system than one; without it each does."""
    assert fetched("kept") < PLANE
    assert fetched("as it comes") > PICTURES * PLANE


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="as above")
def test_a_plane_that_is_very_large_is_given_back() -> None:
    """What one picture of 64 megapixels took is not kept for all those after it."""
    assert fetched("kept", 64_000_000) > PICTURES * 64_000_000
