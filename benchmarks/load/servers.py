"""Server processes, their memory and CPU time, and a game on them."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import psutil
from sqlalchemy import select

from cardgen.payload import join_token
from server.db.models import Envelope
from server.games.audit import SERVER, Actor
from server.games.lifecycle.commands import change_state
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act
from server.games.printing.import_printed import import_printed_game
from server.games.server_config import reset_password
from server.printing.game_file import save_game

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardgen.cards import PrintedGame
    from server.games.context import AppContext

START, STOP = 90.0, 20.0
"""Seconds within which a server answers, and ends."""
_LIBRARY = " _granian: "
_PERIOD = 0.5
# Roles of processes by their depth in the process tree.
_ROLES = ("starter", "server", "scan workers")
_BENCH = Actor("organiser", "Bench")


class ServersError(Exception):
    """A server did not start; the message is one line."""


class Servers:
    """Several `haggle serve` processes on one data folder. As a context manager they start and end with the block.

    `options` are added to the command, `variables` to the environment.
    """

    def __init__(
        self,
        folder: Path,
        number: int,
        log: Path,
        options: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self._log = log
        self._command = [sys.executable, "-m", "server", "serve", "--data", str(folder), *options]
        self._variables = {**os.environ, **(variables or {})}
        self._ports = [free_port() for _ in range(number)]
        self._processes: list[subprocess.Popen[bytes]] = []
        self._begun = 0
        # Length of the log when all had started.

    @property
    def urls(self) -> list[str]:
        """Their addresses, without a trailing slash."""
        return [f"http://127.0.0.1:{port}" for port in self._ports]

    @property
    def pids(self) -> list[int]:
        """Process ids of their first processes."""
        return [process.pid for process in self._processes]

    def __enter__(self) -> Self:
        try:
            for port in self._ports:
                with self._log.open("ab") as log:
                    command = [*self._command, "--port", str(port)]
                    started = subprocess.Popen(  # noqa: S603 - our own
                        command, stdout=log, stderr=log, start_new_session=True, env=self._variables
                    )
                self._processes.append(started)
                # One after the other, since the first one runs the database migrations.
                self._await(port)
            self._begun = self._log.stat().st_size
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.send_signal(signal.SIGTERM)
        for process in self._processes:
            try:
                process.wait(STOP)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            # Child processes may survive a crash of the first one, whose process group they are in.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)

    def check(self) -> None:
        """Raise ServersError if one has ended, with the last line of the log since the start."""
        if any(process.poll() is not None for process in self._processes):
            said = self._log.read_bytes()[self._begun :].decode(errors="replace").strip().splitlines()
            # Granian only logs that a process has ended.
            ours = [line for line in said if _LIBRARY not in line] or said
            raise ServersError(f"a server has ended: {ours[-1] if ours else 'without output'}")

    def _await(self, port: int) -> None:
        until = time.monotonic() + START
        while time.monotonic() < until and self._processes[-1].poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=START):
                    return
            except OSError:
                time.sleep(0.1)
        self.check()
        raise ServersError(f"a server did not answer within {START:.0f} seconds")


@dataclass
class Usage:
    """Peak memory of the processes of one role in bytes, and their CPU seconds."""

    peak: int = 0
    processor: float = 0.0


class ResourceMonitor:
    """Samples the resources of servers and their child processes while the block runs."""

    def __init__(self, pids: Sequence[int]) -> None:
        self.roles: defaultdict[str, Usage] = defaultdict(Usage)
        self._pids = pids
        self._ended = threading.Event()
        self._seconds: dict[int, float] = {}
        self._thread = threading.Thread(target=self._look_on, daemon=True)

    def __enter__(self) -> Self:
        self._look()
        # Earlier CPU time does not count.
        self.roles.clear()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._look()

    def _look_on(self) -> None:
        while not self._ended.wait(_PERIOD):
            self._look()

    def _look(self) -> None:
        """Sample the memory and CPU time of all processes."""
        level = [psutil.Process(pid) for pid in self._pids if psutil.pid_exists(pid)]
        for role in _ROLES:
            memory, below, usage = 0, [], self.roles[role]
            for process in level:
                with contextlib.suppress(psutil.Error):
                    times = process.cpu_times()
                    seconds = times.user + times.system
                    usage.processor += seconds - self._seconds.get(process.pid, 0.0)
                    self._seconds[process.pid] = seconds
                    memory += process.memory_info().rss
                    below += process.children()
            usage.peak = max(usage.peak, memory)
            level = below


class BenchGame(NamedTuple):
    """An open game: its id, the players' tokens by envelope, and the organisers' password."""

    game: str
    tokens: Mapping[int, str]
    password: str


def open_bench_game(context: AppContext, printed: PrintedGame, password: str = "") -> BenchGame:
    """Import the printed game and open it. Raises DomainError `taken` if it exists.

    Without a password the server gets a new one, which ends all organisers' sessions.
    """
    if not password:
        password = secrets.token_urlsafe(16)
        reset_password(context, password, SERVER)
    with tempfile.TemporaryDirectory() as folder:
        save_game(printed, Path(folder))
        with context.database.writing() as session:
            game = import_printed_game(session, Path(folder), _BENCH, context.clock(), name="Deadline rush")
            game.confirmed = list(game.settings)
            change_state(session, game, Act.OPEN, _BENCH, context.clock())
    with context.database.reading() as session:
        row = load_game(session, printed.game)
        seats = session.execute(select(Envelope.number, Envelope.token_version).where(Envelope.game == row.id))
        tokens = {number: join_token(row.id, row.key, number, version) for number, version in seats}
    return BenchGame(row.id, tokens, password)


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
