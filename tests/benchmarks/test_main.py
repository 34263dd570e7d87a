"""`haggle bench` where the benchmarks are, and where they are not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.__main__ import COMMANDS
from server.cli.main import main

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[2]


def test_each_benchmark_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    """The list names all, and each describes its options."""
    for arguments in ([], *([name] for name in COMMANDS)):
        main(["bench", *arguments, "--help"])
        said = capsys.readouterr().out
        assert "--help" in said
        assert arguments or all(f"  {name} " in said for name in COMMANDS)


def test_an_installed_server_says_that_it_has_none(tmp_path: Path) -> None:
    """Exit code 2 and one line that says where they are."""
    for package in ("cardgen", "scanner", "server"):
        (tmp_path / package).symlink_to(ROOT / package)
    command = [sys.executable, "-m", "server", "bench", "rush", "--players", "3"]
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "haggle: the benchmarks are not installed here: run ./haggle bench in a checkout of Haggle\n"
    )
