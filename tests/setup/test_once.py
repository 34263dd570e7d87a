"""What tests share is made once in a run, however many want it at the same time."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.once import Kept

ROOT = Path(__file__).parents[2]


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


def test_what_was_half_written_is_made_anew(tmp_path: Path) -> None:
    """A process that is killed while it writes leaves nothing that others would take for what they want."""
    folder = tmp_path / "once"
    # A file that grows beyond the limit ends the process, with what has been written until then.
    killed = """
import resource, signal, sys
from pathlib import Path
from tests.once import Kept
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
Kept(Path(sys.argv[1])).once("a key", lambda: bytes(100_000))
"""
    done = subprocess.run([sys.executable, "-c", killed, folder], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGXFSZ
    assert Kept(folder).once("a key", lambda: "a picture") == "a picture"
