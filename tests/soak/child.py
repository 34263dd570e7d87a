"""One machine of a soak test: a server or a worker, in a forked process with all libraries loaded."""

from __future__ import annotations

import errno
import logging
import mmap
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Mapping
from datetime import datetime, tzinfo
from functools import partial
from multiprocessing import forkserver, reduction
from pathlib import Path
from typing import Any

# Load once for all machines what servers and scan processes import lazily.
import cv2  # noqa: F401
import obstore  # noqa: F401
import psycopg  # noqa: F401
import redis  # noqa: F401

import scanner  # noqa: F401
import server.cli.admin.serve
from server.cli.admin import worker
from server.db import session
from server.games.photos import scan_pool
from server.web_app import server
from server.web_app.settings import AppConfig
from tests.soak.jobs import read_pixels_or_fail
from tests.soak.machines import CLOCK


def run_machine(settings: Mapping[str, Any]) -> None:
    """Run a machine until it is killed or stopped."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(settings["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for file_number, place in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(file_number, place)
    logging.basicConfig(level=logging.WARNING)
    code = 1
    try:
        _shift_clock(Path(settings["clock"]))
        _scan_by_forkserver()
        config = AppConfig(Path(settings["folder"]), **settings["config"])
        if settings["port"]:
            # Skip the check of S3, which starts a new process.
            server.run(partial(server.load_app, config), "127.0.0.1", settings["port"], None)
        else:
            worker.work(config)
        code = 0
    except Exception:  # noqa: BLE001 - logged, as a service would do
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _received(socket: Any, number: int) -> Any:  # noqa: ANN401 - as the library has it
    """Receive a fork request. A sender that is killed meanwhile must not end the fork server."""
    try:
        return _receive(socket, number)
    except EOFError as error:
        raise OSError(errno.ECONNABORTED, "gone") from error


_receive = vars(reduction)["recvfds"]
vars(reduction)["recvfds"] = _received


def _scan_by_forkserver() -> None:
    """Fork scan processes, with all libraries loaded, from the fork server of all machines."""
    # The original would check that the fork server is its own child.
    vars(forkserver._forkserver)["ensure_running"] = lambda: None
    vars(scan_pool)["_SPAWN"] = multiprocessing.get_context("forkserver")
    vars(server)["read_and_convert"] = read_pixels_or_fail


def _shift_clock(file: Path) -> None:
    """Shift this process's clock by the offset in a file."""
    with file.open("r+b") as clock_file:
        wrong = mmap.mmap(clock_file.fileno(), CLOCK.size)
    right = time.time

    def shifted() -> float:
        return right() + float(CLOCK.unpack(wrong[:])[0])

    class Shifted(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # the plain class
            return datetime.fromtimestamp(shifted(), tz)

    time.time = shifted
    vars(session)["datetime"] = Shifted
