"""As many pictures are read side by side as there are cores for this process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from server.jobs.cores import usable_cores

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
