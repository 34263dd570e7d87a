"""The faults of a soak test, in a seeded random order."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random  # noqa: TID251 - seeded faults need no secure randomness

from tests.engines.flaky_proxy import FlakyProxy
from tests.engines.local_service import LocalService
from tests.processes import descendants
from tests.soak.client import Tally
from tests.soak.environments import Cluster, Single, restart
from tests.soak.machines import Machine, MachineForker

Fault = Callable[[Random], object]
LONGEST = 1.5
"""The longest duration of a fault in seconds."""
JUMP = 7200.0
"""Seconds by which a clock jumps."""


class Faults:
    """The possible faults of `machines` and of their `environment`, by kind."""

    def __init__(self, environment: Single | Cluster, forker: MachineForker, machines: Sequence[Machine]) -> None:
        self._ground, self._all = environment, machines
        self.machines: dict[str, Fault] = {
            "kill a server": partial(_kill, [one for one in machines if one.port]),
            "kill a worker": partial(_kill, [one for one in machines if not one.port]),
            "kill a scan process": lambda chance: _signal(_some(chance, forker.scans), signal.SIGKILL),
            "stop a machine": lambda chance: chance.choice(machines).hold(2 * _while(chance)),
            "stop a scan process": lambda chance: _hold(chance, _some(chance, forker.scans)),
            "clock jumps": self._jump,
        }
        self.environment: dict[str, Fault] = {}
        if environment.engines:
            postgres, redis, s3 = environment.engines["postgres"], environment.engines["redis"], environment.s3
            assert s3
            for name, engine in (("Redis", redis), ("PostgreSQL", postgres)):
                self.environment[f"kill {name}"] = partial(self._kill_engine, engine)
                self.environment[f"stop {name}"] = lambda chance, engine=engine: _hold(chance, _whole(engine.pid))
            # Kill one process of PostgreSQL, which then closes all connections and recovers.
            self.environment["kill a backend"] = lambda chance: _signal(
                _some(chance, descendants(postgres.pid)), signal.SIGKILL
            )
            self.environment["S3 fails"] = partial(_fail, s3)
        if environment.disk.there:
            self.environment["disk full"] = self._fill_disk

    def _jump(self, chance: Random) -> None:
        """Set a wrong clock on one machine."""
        wrong = chance.choice((-JUMP, JUMP))
        machines = [chance.choice(self._all)] if self._ground.engines else self._all
        for one in machines:
            one.set_clock(wrong)
        time.sleep(2 * _while(chance))
        for one in machines:
            one.set_clock(0.0)

    def _kill_engine(self, engine: LocalService, chance: Random) -> None:
        _signal(_whole(engine.pid), signal.SIGKILL)
        time.sleep(_while(chance))
        restart(engine)

    def _fill_disk(self, chance: Random) -> None:
        self._ground.disk.fill()
        time.sleep(2 * _while(chance))
        self._ground.disk.empty()
        # PostgreSQL stops if it cannot write its log, and is restarted.
        for engine in self._ground.engines.values():
            restart(engine)


class FaultThread:
    """A thread that causes one fault after the other; each kind once in every round.

    A seed determines their order and random details. It ends after some rounds or seconds.
    """

    def __init__(
        self, kinds: Mapping[str, Fault], tally: Tally, seed: str, *, rounds: int = 0, seconds: float = 0.0
    ) -> None:
        self.failure: BaseException | None = None
        self._kinds, self._tally, self._chance = kinds, tally, Random(seed)  # noqa: S311 - as above
        self._rounds, self._seconds = rounds, seconds
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def runs(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        end, done = time.monotonic() + self._seconds, 0
        try:
            while self._kinds and (done < self._rounds or time.monotonic() < end):
                for kind in self._chance.sample(list(self._kinds), len(self._kinds)):
                    # A separate generator for each fault: what it uses does not affect the next ones.
                    self._kinds[kind](Random(self._chance.random()))  # noqa: S311 - as above
                    self._tally.count(kind)
                    self._tally.note(kind)
                    time.sleep(_while(self._chance) / 3)
                done += 1
        except BaseException as error:  # noqa: BLE001 - raised in the main thread
            self.failure = error


def _while(chance: Random) -> float:
    return chance.uniform(0, LONGEST)


def _kill(machines: Sequence[Machine], chance: Random) -> None:
    machine = chance.choice(machines)
    machine.stay_down()
    # Sometimes only its first process, as an operator might do.
    machine.kill(alone=chance.random() < 0.3)
    time.sleep(_while(chance) / 2)
    machine.come_up()


def _fail(s3: FlakyProxy, chance: Random) -> None:
    moods: list[Callable[[], None]] = [
        lambda: s3.slow(2.0),
        s3.hang,
        lambda: s3.hang(20_000),
        s3.reset,
        lambda: s3.reset(2_000),
        lambda: s3.answer(500),
        lambda: s3.answer(503, b"<Error><Code>SlowDown</Code></Error>"),
        lambda: s3.answer(403, b"<Error><Code>AccessDenied</Code></Error>"),
        s3.shut,
    ]
    chance.choice(moods)()
    time.sleep(2 * _while(chance))
    s3.forward()


def _some(chance: Random, pids: Sequence[int]) -> list[int]:
    """Return a random process of these, if there is any."""
    return [chance.choice(pids)] if pids else []


def _whole(leader: int) -> list[int]:
    return [leader, *descendants(leader)]


def _signal(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _hold(chance: Random, pids: Sequence[int]) -> None:
    _signal(pids, signal.SIGSTOP)
    time.sleep(_while(chance))
    _signal(pids, signal.SIGCONT)
