"""The crowd: processes of their own, so that the load does not share an interpreter with the servers or the bench."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Self

from server.bench.rush.desk import Desk, Work
from server.bench.rush.notes import Notes
from server.bench.rush.player import Player, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection

    from server.bench.rush.plan import Haste

_SPAWN = get_context("spawn")
_ENDING = 30.0


class CrowdError(Exception):
    """A process of the crowd ended before it had told anything."""


@dataclass(frozen=True)
class Part:
    """What one process plays: some seats, or the desk."""

    seats: Sequence[Seat]
    desk: Work | None
    haste: Haste
    seed: str


class Crowd:
    """Processes that wait for the start, play, and tell. `with` ends them whatever happens."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._pipes: list[Connection] = []
        self._processes = []
        for part in parts:
            ours, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(target=_play, args=(theirs, part), name="haggle-crowd", daemon=True)
            self._pipes.append(ours)
            self._processes.append((process, theirs))

    def __enter__(self) -> Self:
        for process, theirs in self._processes:
            process.start()
            theirs.close()
        for ready in self._pipes:
            self._next(ready)
        return self

    def __exit__(self, *_: object) -> None:
        for process, _theirs in self._processes:
            process.kill()
            process.join()
        for pipe in self._pipes:
            pipe.close()

    def play(self, begun: float, longest: float) -> Notes:
        """Start all at a moment of the monotonic clock, wait until they are done, and return what they have noted.

        Those that are not done after `longest` seconds are told to stop. CrowdError.
        """
        for pipe in self._pipes:
            pipe.send(begun)
        for pipe in self._pipes:
            # One that is late is not waited for.
            pipe.poll(max(0.0, begun + longest - time.monotonic()))
        for pipe in self._pipes:
            with contextlib.suppress(BrokenPipeError):
                pipe.send("over")
        notes = Notes()
        for pipe in self._pipes:
            told = self._next(pipe)
            while not isinstance(told, Notes):
                told = self._next(pipe)
            notes.join(told)
        return notes

    @staticmethod
    def _next(pipe: Connection) -> object:
        try:
            return pipe.recv()
        except EOFError:
            raise CrowdError("a process of the crowd ended by itself") from None


def _play(pipe: Connection, part: Part) -> None:
    """Play a part of the crowd: say "ready", hear when it begins, say "done", hear that it is over, and tell."""
    notes, over = Notes(), threading.Event()
    pipe.send("ready")
    begun = float(pipe.recv())
    players = [Player(seat, part.haste, notes, begun, over, part.seed) for seat in part.seats]
    desks = [Desk(part.desk, part.haste, notes, begun, over, part.seed)] if part.desk else []
    threads = [threading.Thread(target=player.play, daemon=True) for player in players]
    threads += [threading.Thread(target=desk.work, daemon=True) for desk in desks]
    time.sleep(max(0.0, begun - time.monotonic()))
    for thread in threads:
        thread.start()
    while not pipe.poll(0.2):
        busy = any(thread.is_alive() for thread in threads)
        if not busy or (all(one.done for one in players) and all(one.done for one in desks)):
            pipe.send("done")
            break
    pipe.recv()
    over.set()
    for thread in threads:
        thread.join(_ENDING)
    notes.promises = [player.promise for player in players]
    notes.processor = time.process_time()
    pipe.send(notes)
