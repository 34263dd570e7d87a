"""Runs a rush: sets the stage, lets the crowd loose, waits for the queue, and says what came of it."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.bench.rush.crowd import Crowd, Part
from server.bench.rush.desk import Work
from server.bench.rush.laws import Law, laws
from server.bench.rush.plan import schedule
from server.bench.rush.player import Seat
from server.bench.rush.servers import Usage, Watch
from server.bench.rush.stage import set_deadline
from server.jobs.cores import usable_cores
from server.jobs.queue import PhotoState
from server.store.tables import Photo

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from server.bench.rush.notes import Notes
    from server.bench.rush.plan import Haste
    from server.bench.rush.stage import Stage
    from server.play.house import House

STARTING = 2.0
"""Seconds from the word to the start, for all processes to hear it."""
QUEUE = 300.0
"""Seconds that the queue may take in the end."""


@dataclass(frozen=True)
class Rush:
    """What is asked for. `pictures` are each envelope's three files; `desk` how many envelopes the organiser takes.

    The crowd has `processes` of its own, the desk one more.
    """

    players: int
    streams: int
    haste: Haste
    seed: str
    pictures: Mapping[int, tuple[Path, Path, Path]]
    desk: int = 20
    processes: int = 4


@dataclass(frozen=True)
class Outcome:
    """What came of it. `waits` are seconds from a picture's arrival to its reading; `queue` the longest queue seen."""

    rush: Rush
    notes: Notes
    laws: list[Law]
    waits: list[float]
    usage: dict[str, Usage] = field(default_factory=dict)
    seconds: float = 0.0
    cores: int = field(default_factory=usable_cores)

    @property
    def held(self) -> bool:
        """Whether every law held."""
        return not any(law.broken for law in self.laws)


def rush(house: House, stage: Stage, urls: Sequence[str], wanted: Rush, pids: Sequence[int] = ()) -> Outcome:
    """Let the crowd loose on servers of a house; `pids` are theirs, to be watched. CrowdError."""
    plans = schedule(wanted.players, wanted.streams, wanted.haste, wanted.seed)
    seats = [Seat(plan, stage.tokens[plan.envelope], wanted.pictures[plan.envelope][:2], urls) for plan in plans]
    taken = [(number, wanted.pictures[number][2]) for number in range(1, min(wanted.desk, wanted.players) + 1)]
    number = min(wanted.processes, wanted.players)
    parts = [Part(seats[start::number], None, wanted.haste, wanted.seed) for start in range(number)]
    parts.append(Part([], Work(stage.game, stage.password, taken, urls[0]), wanted.haste, wanted.seed))
    with Crowd(parts) as crowd, Watch(pids) if pids else nullcontext() as watch:
        begun = time.monotonic() + STARTING
        set_deadline(house, stage.game, house.clock() + timedelta(seconds=STARTING + wanted.haste.seconds))
        notes = crowd.play(begun, wanted.haste.seconds + wanted.haste.grace)
        _await_queue(house, stage.game)
        seconds = time.monotonic() - begun
    return Outcome(
        wanted,
        notes,
        laws(house, stage.game, notes, wanted.players),
        _waits(house, stage.game),
        watch.roles if watch else {},
        seconds,
    )


def _await_queue(house: House, game: str) -> None:
    """Wait until every picture was read or has failed, and the game was closed."""
    waiting = (
        select(func.count())
        .select_from(Photo)
        .where(Photo.game == game, Photo.state.in_((PhotoState.WAITING, PhotoState.SCANNING)))
    )
    until = time.monotonic() + QUEUE
    while time.monotonic() < until:
        with house.database.reading() as session:
            if not session.scalar(waiting):
                return
        time.sleep(0.2)


def _waits(house: House, game: str) -> list[float]:
    """Return the seconds from each picture's arrival to its reading."""
    with house.database.reading() as session:
        times = session.execute(
            select(Photo.created, Photo.scanned).where(Photo.game == game, Photo.scanned.is_not(None))
        ).all()
    return [(scanned - created).total_seconds() for created, scanned in times if scanned is not None]
