"""Soak test: users use a server while its machines and services fail; in the end invariants are checked."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

from server.api.auth import COOKIE, new_session
from server.db.session import now
from server.games.context import AppContext
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from tests.context import Clock, delete_orphan_files, new_game
from tests.server_process import await_answer
from tests.soak import invariants
from tests.soak.client import Tally
from tests.soak.clients import LIMIT, Actor, Bulk, Organiser, Player, retry, seats_of
from tests.soak.environments import Cluster, Single
from tests.soak.faults import Faults, FaultThread
from tests.soak.machines import Machine, MachineForker

SERVERS, WORKERS = 2, 3
PHONES = 3
"""Concurrent players."""
PLAYERS = 60
"""Envelopes of each of their games."""
LEASE = 2.0
CONFIG = {"scan_workers": 2, "scan_seconds": 1.5, "lease": LEASE}


def soak(environment: Single | Cluster, folder: Path, seed: str, *, rounds: int = 0, seconds: float = 0.0) -> Tally:
    """Run for some rounds of faults, or seconds; return the counters. AssertionError if an invariant is violated."""
    began, tally = time.monotonic(), Tally(notes=folder / "notes")
    context = environment.context()
    games = [[new_game(context, players=PLAYERS) for _ in range(max(1, round(seconds / 120)))] for _ in range(PHONES)]
    seats = [[seat for game in mine for seat in seats_of(context, game, PLAYERS)] for mine in games]
    bulk = new_game(context, players=6)
    cookie = _cookie(context, folder)
    others = {seat.game for mine in seats for seat in mine} | {bulk}
    with ExitStack() as stack:
        forker = MachineForker(environment.variables)
        stack.callback(forker.close)
        stack.callback(_no_scans, forker)
        config = {**CONFIG, **environment.config}
        machines = [Machine(forker, folder, f"server-{one}", config, serves=True) for one in range(SERVERS)]
        machines += [Machine(forker, folder, f"worker-{one}", config, serves=False) for one in range(WORKERS)]
        for machine in machines:
            stack.enter_context(machine)
        enough = threading.Event()
        rest = ([machine.port for machine in machines if machine.port], tally, enough)
        players = [Player(mine, *rest) for mine in seats]
        desk, leader = Bulk(context, bulk, cookie, *rest), Organiser(context, cookie, *rest)
        actors: list[Actor] = [*players, desk, leader]
        for port in rest[0]:
            await_answer(port)
        for actor in actors:
            actor.thread.start()
        faults = Faults(environment, forker, machines)
        lanes = [
            FaultThread(kinds, tally, f"{seed}/{name}", rounds=rounds, seconds=seconds)
            for name, kinds in (("machines", faults.machines), ("environment", faults.environment))
        ]
        for lane in lanes:
            lane.start()
        _await(lanes, actors)
        environment.repair()
        tally.note("all is mended")
        enough.set()
        _end(actors)
        tally.note("all have come to an end")
        desk.rescue()
        context.database.close()
        context = environment.context()
        invariants.check_photos(context, actors, tally)
        invariants.check_receipts(context, actors)
        invariants.check_hand_ins(context, players, tally)
        invariants.check_games(context, [leader], others, tally)
        invariants.check_answers([client for actor in actors for client in actor.clients], tally)
        invariants.check_photos(context, actors, Tally())
    delete_orphan_files(AppContext(context.database, context.photos, Clock(now() + timedelta(hours=2))))
    invariants.check_files(context)
    context.database.close()
    assert not tally.wrong, f"{len(tally.wrong)} answers were wrong, such as {tally.wrong[:5]}"
    tally.count("starts", sum(machine.starts for machine in machines))
    tally.count("processor seconds of the machines", forker.used)
    tally.count("seconds", round(time.monotonic() - began))
    tally.count("kills in all", sum(number for what, number in tally.counts.items() if what.startswith("kill ")))
    return tally


def table(tally: Tally) -> str:
    """Format the counters."""
    width = max(map(len, tally.counts))
    return "\n".join(f"{what:{width}}  {number:7}" for what, number in sorted(tally.counts.items()))


def _answers(port: int) -> bool | None:
    with contextlib.suppress(OSError):
        await_answer(port)
        return True
    return None


def _await(lanes: Sequence[FaultThread], actors: Sequence[Actor]) -> None:
    """Wait for the end of the faults; raise exceptions of threads."""
    for lane in lanes:
        while lane.runs:
            for failure in (one.failure for one in actors):
                if failure:
                    raise failure
            time.sleep(0.2)
        if lane.failure:
            raise lane.failure


def _end(actors: Sequence[Actor]) -> None:
    """Let all clients finish."""
    deadline = time.monotonic() + LIMIT
    while any(actor.thread.is_alive() for actor in actors):
        failures = [actor.failure for actor in actors if actor.failure]
        if failures or time.monotonic() > deadline:
            for actor in actors:
                actor.over.set()
            raise failures[0] if failures else AssertionError("somebody does not come to an end")
        time.sleep(0.1)
    for failure in (actor.failure for actor in actors):
        if failure:
            raise failure


def _no_scans(forker: MachineForker) -> None:
    """Check that no scan process outlives its machine."""
    retry(lambda: None if forker.scans else True)


def _cookie(context: AppContext, folder: Path) -> str:
    """Return the session cookie of an organiser."""
    with create_app(AppConfig(folder), context).app_context():
        return f"{COOKIE}={new_session('Olga', 0)}"
