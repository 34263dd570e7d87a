"""What tests share is made once in a run, however many want it at the same time."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.once import Kept

if TYPE_CHECKING:
    from pathlib import Path


def test_those_who_want_what_is_being_made_wait_for_it(tmp_path: Path) -> None:
    """Four that begin together get the same, and one of them has made it."""
    made = []

    def make() -> str:
        time.sleep(0.2)
        made.append("one")
        return "a picture"

    with ThreadPoolExecutor(4) as others:
        got = list(others.map(lambda _: Kept(tmp_path / "once").once("a key", make), range(4)))
    assert got == ["a picture"] * 4
    assert made == ["one"]
    assert Kept(tmp_path / "once").once("another key", lambda: "another") == "another"


def test_what_failed_is_tried_anew(tmp_path: Path) -> None:
    """A mistake while it is made is told to whoever wanted it, and nothing is kept."""
    kept = Kept(tmp_path / "once")
    with pytest.raises(ZeroDivisionError):
        kept.once("a key", lambda: 1 // 0)
    assert kept.once("a key", lambda: 1) == 1
