"""A test that hangs costs its own time, not the whole run's: the run ends, and tells which one it was and where."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HANGS = """
import threading

def test_hangs():
    threading.Event().wait()
"""


def test_a_test_that_hangs_ends_the_run_and_is_named(tmp_path: Path) -> None:
    """Side by side as `./haggle test` runs them: nobody begins the same file again, to hang in it again."""
    (tmp_path / "test_it.py").write_text(HANGS, encoding="utf-8")
    options = ["-c", ROOT / "pyproject.toml", "--rootdir", tmp_path, "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-n1", "--dist=loadfile", "-ofaulthandler_timeout=1", tmp_path],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "crashed while running 'test_it.py::test_hangs'" in said
    assert 'test_it.py", line 5 in test_hangs' in said
