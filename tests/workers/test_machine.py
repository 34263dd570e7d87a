"""How a server uses its machine: the cores for scans, and memory that a scan takes from the system once."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from server.workers.process_pool import usable_cores

if TYPE_CHECKING:
    from pathlib import Path

MACHINE = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@pytest.mark.parametrize(
    ("said", "expected"),
    [("50000 100000\n", 1), ("max 100000\n", MACHINE), ("99900000 100000\n", MACHINE), (None, MACHINE)],
)
def test_the_limit_of_a_container_counts(tmp_path: Path, said: str | None, expected: int) -> None:
    """Rounded up, and never more than the machine has."""
    file = tmp_path / "cpu.max"
    if said is not None:
        file.write_text(said)
    assert usable_cores(file) == expected


PICTURES, PLANE, LARGE = 20, 12_000_000, 64_000_000
_RUN = """
import resource, sys
from server.workers.memory import keep_memory
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


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc alone gives back at once, and can be told not to")
def test_what_a_scan_has_given_back_is_there_for_the_next_unless_it_is_very_large() -> None:
    """Twenty pictures of 12 megapixels take no more memory from the system than one; those of 64 are not kept."""

    def fetched(how: str, size: int) -> int:
        """Return how many bytes a process fetches for as many pictures of three planes, after the first."""
        command = [sys.executable, "-c", _RUN, how, str(PICTURES), str(size)]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    assert fetched("kept", PLANE) < PLANE
    assert fetched("as it comes", PLANE) > PICTURES * PLANE
    assert fetched("kept", LARGE) > PICTURES * LARGE
