"""What scanning one photograph takes of the machine's memory, measured in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.scanner.shots import code

STATUS = Path("/proc/self/status")
MEASURE = """
import sys
from pathlib import Path
from scanner import scan_photo

def kilobytes(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))

scan_photo(Path(sys.argv[1]).read_bytes())
before = kilobytes("VmHWM")
scan_photo(Path(sys.argv[2]).read_bytes())
print(kilobytes("VmHWM") - before)
"""
LIMIT = 8 * 3
# Bytes for each pixel: eight times those of the picture in colour.


@pytest.mark.skipif(not STATUS.exists(), reason="the system does not tell a process its peak of memory")
@pytest.mark.parametrize("kind", ["jpg", "heic", "webp", "pdf"])
def test_one_photograph_takes_at_most_eight_times_its_pixels(kind: str, tmp_path: Path) -> None:
    """A picture of 5 megapixels in which nothing is read, so that every pass has its turn, stays within the limit."""
    chance = np.random.default_rng(5)
    pixels = np.kron(chance.integers(60, 200, (240, 320), dtype=np.uint8), np.ones((8, 8), dtype=np.uint8))
    large, small = tmp_path / f"large.{kind}", tmp_path / f"small.{kind}"
    Image.fromarray(pixels).convert("RGB").save(large, resolution=300.0)
    Image.fromarray(np.pad(code("WARM"), 40, constant_values=255)).convert("RGB").save(small)
    ran = subprocess.run(
        [sys.executable, "-c", MEASURE, small, large], capture_output=True, text=True, check=True, timeout=120
    )
    assert int(ran.stdout) * 1024 < LIMIT * pixels.size
