"""What goes wrong in a soak: what each fault does, and in which order they come, which a seed decides."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.processes import descendants
from tests.soak.chance import Chance
from tests.soak.grounds import start_again

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.soak.client import Tally
    from tests.soak.grounds import Festival, Laptop
    from tests.soak.machines import Machine, Nursery

Fault = Callable[[Chance], None]
LONGEST = 1.5
"""Seconds for which something is away, hangs or is wrong, at most."""
JUMP = 7200.0
"""Seconds by which a clock jumps."""


class Faults:
    """Faults of `machines`, and of the `ground` on which they stand: what can be had here, by kind."""

    def __init__(self, ground: Laptop | Festival, nursery: Nursery, machines: Sequence[Machine], tally: Tally) -> None:
        self._ground, self._nursery, self._tally = ground, nursery, tally
        self._all = machines
        self._servers = [one for one in machines if one.port]
        self._workers = [one for one in machines if not one.port]
        self.machines: dict[str, Fault] = {
            "kill a server": self._kill_server,
            "kill a worker": self._kill_worker,
            "kill a scan process": self._kill_scan,
            "stop a machine": self._hold_machine,
            "stop a scan process": self._hold_scan,
            "clock jumps": self._jump,
        }
        self.ground: dict[str, Fault] = {}
        if ground.engines:
            self.ground |= {
                "kill Redis": self._kill_redis,
                "stop Redis": self._hold_redis,
                "kill PostgreSQL": self._kill_postgres,
                "kill a backend": self._kill_backend,
                "stop PostgreSQL": self._hold_postgres,
                "S3 fails": self._fail_s3,
            }
        if ground.disk.there:
            self.ground["disk full"] = self._fill_disk

    def _kill_server(self, chance: Chance) -> None:
        self._kill(chance.one_of(self._servers), chance)

    def _kill_worker(self, chance: Chance) -> None:
        self._kill(chance.one_of(self._workers), chance)

    def _kill(self, machine: Machine, chance: Chance) -> None:
        machine.stay_down()
        # Now and then its first process alone, as whoever reads a list of processes would.
        machine.kill(alone=chance.share() < 0.3)
        time.sleep(chance.share() * LONGEST / 2)
        machine.come_up()

    def _kill_scan(self, chance: Chance) -> None:
        _signal(chance, self._nursery.scans, signal.SIGKILL)

    def _hold_scan(self, chance: Chance) -> None:
        held = _signal(chance, self._nursery.scans, signal.SIGSTOP)
        time.sleep(chance.share() * LONGEST)
        for pid in held:
            _send(pid, signal.SIGCONT)

    def _hold_machine(self, chance: Chance) -> None:
        chance.one_of(self._all).hold(chance.share() * 2 * LONGEST)

    def _jump(self, chance: Chance) -> None:
        """Set clocks wrong: of one of several machines, or of the only machine that there is."""
        wrong = chance.one_of((-JUMP, JUMP))
        machines = [chance.one_of(self._all)] if self._ground.engines else self._all
        for one in machines:
            one.set_clock(wrong)
        time.sleep(chance.share() * 2 * LONGEST)
        for one in machines:
            one.set_clock(0.0)

    def _kill_redis(self, chance: Chance) -> None:
        self._kill_engine("redis", chance)

    def _hold_redis(self, chance: Chance) -> None:
        self._hold_engine("redis", chance)

    def _kill_postgres(self, chance: Chance) -> None:
        self._kill_engine("postgres", chance)

    def _hold_postgres(self, chance: Chance) -> None:
        self._hold_engine("postgres", chance)

    def _kill_backend(self, chance: Chance) -> None:
        """Kill one of its processes: it then ends all connections, and recovers by itself."""
        _signal(chance, descendants(self._ground.engines["postgres"].pid), signal.SIGKILL)

    def _kill_engine(self, name: str, chance: Chance) -> None:
        engine = self._ground.engines[name]
        for pid in (engine.pid, *descendants(engine.pid)):
            _send(pid, signal.SIGKILL)
        time.sleep(chance.share() * LONGEST)
        start_again(engine)

    def _hold_engine(self, name: str, chance: Chance) -> None:
        leader = self._ground.engines[name].pid
        held = [leader, *descendants(leader)]
        for pid in held:
            _send(pid, signal.SIGSTOP)
        time.sleep(chance.share() * LONGEST)
        for pid in held:
            _send(pid, signal.SIGCONT)

    def _fail_s3(self, chance: Chance) -> None:
        s3 = self._ground.s3
        assert s3
        moods: list[Callable[[], None]] = [
            lambda: s3.slow(2.0),
            s3.hang,
            lambda: s3.hang(20_000),
            s3.tear,
            lambda: s3.tear(2_000),
            lambda: s3.answer(500),
            lambda: s3.answer(503, b"<Error><Code>SlowDown</Code></Error>"),
            lambda: s3.answer(403, b"<Error><Code>AccessDenied</Code></Error>"),
            s3.shut,
        ]
        chance.one_of(moods)()
        time.sleep(chance.share() * 2 * LONGEST)
        s3.through()

    def _fill_disk(self, chance: Chance) -> None:
        self._ground.disk.fill()
        time.sleep(chance.share() * 2 * LONGEST)
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
        self._kinds, self._tally = kinds, tally
        self._chance = Chance(seed)
        self._rounds, self._seconds = rounds, seconds
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def runs(self) -> bool:
        """Whether it goes on."""
        return self._thread.is_alive()

    def _run(self) -> None:
        end, done = time.monotonic() + self._seconds, 0
        try:
            while self._kinds and (done < self._rounds or time.monotonic() < end):
                for kind in self._chance.shuffled(self._kinds):
                    self._kinds[kind](self._chance.another())
                    self._tally.count(kind)
                    self._tally.note(kind)
                    time.sleep(self._chance.share() * LONGEST / 3)
                done += 1
        except BaseException as error:  # noqa: BLE001 - told in the test's own thread
            self.failure = error


def _signal(chance: Chance, pids: Sequence[int], number: signal.Signals) -> list[int]:
    """Send a signal to one of these processes; return it, if there was one."""
    chosen = [chance.one_of(pids)] if pids else []
    for pid in chosen:
        _send(pid, number)
    return chosen


def _send(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
