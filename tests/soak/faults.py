"""The faults of a soak and their order, which a seed determines."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random  # noqa: TID251 - a fault's moment is no player's fortune

from tests.engines.flaky_proxy import FlakyProxy
from tests.engines.local_service import LocalService
from tests.processes import descendants
from tests.soak.client import Tally
from tests.soak.environments import Cluster, Single, start_again
from tests.soak.machines import Machine, Nursery

Fault = Callable[[Random], object]
LONGEST = 1.5
"""Seconds for which something is away, hangs or is wrong, at most."""
JUMP = 7200.0
"""Seconds by which a clock jumps."""


class Faults:
    """Faults of `machines`, and of the `ground` on which they stand: what can be had here, by kind."""

    def __init__(self, ground: Single | Cluster, nursery: Nursery, machines: Sequence[Machine]) -> None:
        self._ground, self._all = ground, machines
        self.machines: dict[str, Fault] = {
            "kill a server": partial(_kill, [one for one in machines if one.port]),
            "kill a worker": partial(_kill, [one for one in machines if not one.port]),
            "kill a scan process": lambda chance: _signal(_some(chance, nursery.scans), signal.SIGKILL),
            "stop a machine": lambda chance: chance.choice(machines).hold(2 * _while(chance)),
            "stop a scan process": lambda chance: _hold(chance, _some(chance, nursery.scans)),
            "clock jumps": self._jump,
        }
        self.ground: dict[str, Fault] = {}
        if ground.engines:
            postgres, redis, s3 = ground.engines["postgres"], ground.engines["redis"], ground.s3
            assert s3
            for name, engine in (("Redis", redis), ("PostgreSQL", postgres)):
                self.ground[f"kill {name}"] = partial(self._kill_engine, engine)
                self.ground[f"stop {name}"] = lambda chance, engine=engine: _hold(chance, _whole(engine.pid))
            # Kill one of its processes: it then ends all connections, and recovers by itself.
            self.ground["kill a backend"] = lambda chance: _signal(
                _some(chance, descendants(postgres.pid)), signal.SIGKILL
            )
            self.ground["S3 fails"] = partial(_fail, s3)
        if ground.disk.there:
            self.ground["disk full"] = self._fill_disk

    def _jump(self, chance: Random) -> None:
        """Set clocks wrong: of one of several machines, or of the only machine that there is."""
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
        start_again(engine)

    def _fill_disk(self, chance: Random) -> None:
        self._ground.disk.fill()
        time.sleep(2 * _while(chance))
        self._ground.disk.empty()
        # A PostgreSQL that cannot write its log ends, and somebody starts it again.
        for engine in self._ground.engines.values():
            start_again(engine)


class Trouble:
    """A thread that lets faults happen one after the other; in each round every kind comes once.

    A seed decides their order and all else that chance has in them. It ends after so many rounds, or seconds.
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
                    # However many numbers a fault takes, the next one's are the same.
                    self._kinds[kind](Random(self._chance.random()))  # noqa: S311 - as above
                    self._tally.count(kind)
                    self._tally.note(kind)
                    time.sleep(_while(self._chance) / 3)
                done += 1
        except BaseException as error:  # noqa: BLE001 - told in the test's own thread
            self.failure = error


def _while(chance: Random) -> float:
    return chance.uniform(0, LONGEST)


def _kill(machines: Sequence[Machine], chance: Random) -> None:
    machine = chance.choice(machines)
    machine.stay_down()
    # Now and then its first process alone, as whoever reads a list of processes would.
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
    """Return one of these processes, if there is one."""
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
