"""The page on security names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_every_promise_names_a_test_that_exists() -> None:
    """Each row of the promises names at least one test, and each of those is there."""
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    promises = page.split("## What is promised")[1].split("## What is not promised")[0]
    rows = [line for line in promises.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
    there = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert rows
    for row in rows:
        named = set(re.findall(r"`(test_\w+)`", row))
        assert named, row
        assert named <= there, row
