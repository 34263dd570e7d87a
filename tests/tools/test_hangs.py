"""Test runs that hang or are interrupted end with all their processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import await_ends, interruptible
from tests.waiting import until

ROOT = Path(__file__).parents[2]
HANGS = """
import threading

def test_hangs():
    threading.Event().wait()
"""


@pytest.mark.thorough
def test_a_hanging_test_ends_the_run_and_is_named(tmp_path: Path) -> None:
    """With parallel workers, as in `./haggle test`, no other worker runs the same file again."""
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
    output = done.stdout + done.stderr
    assert done.returncode == 1, output
    assert "crashed while running 'test_it.py::test_hangs'" in output
    assert 'test_it.py", line 5 in test_hangs' in output


# Like a server with a worker process, which only the end of the test would stop.
SERVES = """
import os
import subprocess
import threading
from pathlib import Path

def test_serves():
    command = ["sh", "-c", "sleep 600 & echo $!; wait"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    pids = Path(__file__).with_name("pids.new")
    pids.write_text(f"{os.getpid()} {server.pid} {server.stdout.readline()}")
    pids.rename(pids.with_suffix(""))
    threading.Event().wait()
"""
RUN = """
import sys
from pathlib import Path
from tools.checks import run_checks
from tools.paths import Paths
sys.exit(run_checks(Paths(Path(sys.argv[1])), sys.argv[2:]))
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreaper")
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        signal.SIGKILL,
        signal.SIGTERM,
        signal.SIGHUP,
    ],
)
def test_an_interrupted_run_leaves_no_processes(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C, SIGTERM, a hangup and a crash also end processes in sessions that tests have created."""
    (tmp_path / "test_it.py").write_text(SERVES, encoding="utf-8")
    options = ["-c", ROOT / "pyproject.toml", "--rootdir", tmp_path, "-p", "no:cacheprovider", "-n1", tmp_path]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    with interruptible():
        run = subprocess.Popen(
            [sys.executable, "-c", RUN, ROOT, *options], cwd=ROOT, env=environment, start_new_session=True
        )
    until(lambda: (tmp_path / "pids").exists() or run.poll() is not None, 120)
    assert run.poll() is None
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    (pytest_pid,) = [int(pid) for pid in Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()]
    if number == signal.SIGINT:
        # As the terminal does.
        os.killpg(run.pid, number)
    else:
        os.kill(pytest_pid if number == signal.SIGKILL else run.pid, number)
    assert run.wait(60) != 0
    assert await_ends(time.monotonic(), [pytest_pid, *pids]) == []
