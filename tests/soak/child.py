"""One machine of a soak: a server or a worker, in a process that was forked for it. What it needs is loaded before."""

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

# Loaded once for all machines: what a server and a scan process load by and by.
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
from tests.soak.jobs import read_or_suffer
from tests.soak.machines import CLOCK


def be(settings: Mapping[str, Any]) -> None:
    """Be a machine, until it is ended."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(settings["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for kept, place in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(kept, place)
    logging.basicConfig(level=logging.WARNING)
    code = 1
    try:
        _bend_clock(Path(settings["clock"]))
        _scan_by_forkserver()
        config = AppConfig(Path(settings["folder"]), **settings["config"])
        if settings["port"]:
            # Without the look at S3 before it, which takes a process that begins from nothing.
            server.run(partial(server.load_app, config), "127.0.0.1", settings["port"], None)
        else:
            worker.work(config)
        code = 0
    except Exception:  # noqa: BLE001 - kept in the log, as a service would
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _received(socket: Any, number: int) -> Any:  # noqa: ANN401 - as the library has it
    """Receive what a process sends that wants to be forked; without this one that is killed just then ends them all."""
    try:
        return _receive(socket, number)
    except EOFError as error:
        raise OSError(errno.ECONNABORTED, "gone") from error


_receive = vars(reduction)["recvfds"]
vars(reduction)["recvfds"] = _received


def _scan_by_forkserver() -> None:
    """Let scan processes come, with all libraries loaded, from the one process that was begun for all machines."""
    # It would look whether that one is its own child.
    vars(forkserver._forkserver)["ensure_running"] = lambda: None
    vars(scan_pool)["_SPAWN"] = multiprocessing.get_context("forkserver")
    vars(server)["read_and_convert"] = read_or_suffer


def _bend_clock(file: Path) -> None:
    """Let this process's clock be as wrong as a file says, at any time."""
    with file.open("r+b") as kept:
        wrong = mmap.mmap(kept.fileno(), CLOCK.size)
    right = time.time

    def bent() -> float:
        return right() + float(CLOCK.unpack(wrong[:])[0])

    class Bent(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # the plain class
            return datetime.fromtimestamp(bent(), tz)

    time.time = bent
    vars(session)["datetime"] = Bent
