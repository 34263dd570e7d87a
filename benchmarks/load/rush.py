"""`haggle bench rush`: the last minutes before a deadline, played against real servers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from sqlalchemy import func, select

from benchmarks.load.checks import invariants
from benchmarks.load.plan import REFUSALS, Record, Timing, schedule
from benchmarks.load.servers import ResourceMonitor, Servers, ServersError, open_bench_game
from benchmarks.photos import bench_game, take_photos
from benchmarks.tables import printed, spread, times_table
from server.db.models import Photo
from server.db.session import DatabaseError
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game
from server.games.photos.scan_queue import PhotoState
from server.web_app.settings import app_config
from server.web_app.stores import open_context
from server.workers.process_pool import usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchmarks.load.checks import Invariant
    from benchmarks.load.plan import Call
    from benchmarks.load.servers import BenchGame, Usage
    from benchmarks.tables import Times
    from server.games.context import AppContext

STARTING = 3.0
"""Seconds before the start that the load process gets to create its users."""
QUEUE = 300.0
"""Seconds within which the queue must be empty at the end."""
LAST = 60.0
"""Seconds before the deadline that are counted separately."""
_ROOT = Path(__file__).parents[2]
_LOCUSTFILE = Path(__file__).with_name("locustfile.py")
_PHOTOS_FOLDER = Path(tempfile.gettempdir()) / "haggle-rush"


class RushError(Exception):
    """The load process ended without a record; the message says why in one line."""


@dataclass(frozen=True)
class RushSettings:
    """The parameters. `photos` are each envelope's three files; `desk` how many envelopes the organiser photographs."""

    players: int
    streams: int
    timing: Timing
    seed: str
    photos: Mapping[int, Sequence[Path]]
    desk: int = 20

    def plan(self, stage: BenchGame, urls: Sequence[str]) -> dict[str, Any]:
        """Return the plan of the load process."""
        return asdict(self.timing) | {
            "seed": self.seed,
            "urls": list(urls),
            "players": [
                {
                    "visit": asdict(visit),
                    "token": stage.tokens[visit.envelope],
                    "photos": [str(file) for file in self.photos[visit.envelope][: visit.photos]],
                }
                for visit in schedule(self.players, self.streams, self.timing.seconds, self.seed)
            ],
            "organiser": {
                "game": stage.game,
                "password": stage.password,
                "photos": [
                    (number, str(self.photos[number][2])) for number in range(1, min(self.desk, self.players) + 1)
                ],
            },
        }


@dataclass(frozen=True)
class Outcome:
    """The results. `waits` are seconds from a photograph's arrival to its reading."""

    rush: RushSettings
    record: Record
    invariants: list[Invariant]
    waits: list[float]
    usage: Mapping[str, Usage]
    seconds: float

    @property
    def held(self) -> bool:
        """True if every invariant held."""
        return not any(one.broken for one in self.invariants)

    @property
    def seen(self) -> Times:
        """Seconds of each photograph from its arrival to the list on its player's phone."""
        return spread("to the phone's list", (took for one in self.record.promises for took in one.seconds))


def rush(
    context: AppContext, stage: BenchGame, urls: Sequence[str], wanted: RushSettings, pids: Sequence[int] = ()
) -> Outcome:
    """Run the load against servers and monitor the processes in `pids`. Raises RushError."""

    def begin(begun: float) -> None:
        with context.database.writing() as session:
            load_game(session, stage.game).deadline = datetime.fromtimestamp(begun + wanted.timing.seconds, UTC)

    with ResourceMonitor(pids) as monitor:
        started = time.monotonic()
        record = _load(wanted.plan(stage, urls), begin)
        _await_queue(context, stage.game)
        seconds = time.monotonic() - started
    with context.database.reading() as session:
        read = select(Photo.created, Photo.scanned).where(Photo.game == stage.game, Photo.scanned.is_not(None))
        waits = [(scanned - created).total_seconds() for created, scanned in session.execute(read) if scanned]
    checked = invariants(context, stage.game, record, wanted.players)
    return Outcome(wanted, record, checked, waits, monitor.roles if pids else {}, seconds)


def _load(plan: Mapping[str, Any], begin: Callable[[float], None]) -> Record:
    """Run Locust, in a process of its own since it replaces parts of the standard library, and return its record."""
    users = str(len(plan["players"]) + 1)
    options = ["--headless", "--users", users, "--spawn-rate", users, "--only-summary", "--loglevel", "ERROR"]
    command = [sys.executable, "-m", "locust", "--locustfile", str(_LOCUSTFILE), "--exit-code-on-error", "0", *options]
    with tempfile.TemporaryDirectory(prefix="haggle-rush-") as name, tempfile.TemporaryFile() as said:
        files = {"HAGGLE_RUSH_PLAN": Path(name) / "plan.json", "HAGGLE_RUSH_RECORD": Path(name) / "record.json"}
        files["HAGGLE_RUSH_PLAN"].write_text(json.dumps(plan), encoding="utf-8")
        variables = {**os.environ, "PYTHONPATH": str(_ROOT), **{key: str(file) for key, file in files.items()}}
        with subprocess.Popen(  # noqa: S603 - our own
            command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True
        ) as process:
            try:
                if process.stdout and process.stdout.readline() == "ready\n":
                    begun = time.time() + STARTING
                    begin(begun)
                    process.communicate(f"{begun}\n")
            finally:
                process.kill()
        if not files["HAGGLE_RUSH_RECORD"].exists():
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            raise RushError(f"the load process ended: {lines[-1] if lines else 'without output'}")
        return Record.from_json(files["HAGGLE_RUSH_RECORD"].read_text(encoding="utf-8"))


def _await_queue(context: AppContext, game: str) -> None:
    """Wait until every photograph was read or has failed."""
    unread = Photo.state.in_((PhotoState.WAITING, PhotoState.SCANNING))
    waiting = select(func.count()).select_from(Photo).where(Photo.game == game, unread)
    until = time.monotonic() + QUEUE
    while time.monotonic() < until:
        with context.database.reading() as session:
            if not session.scalar(waiting):
                return
        time.sleep(0.2)


def rows(calls: Iterable[Call]) -> list[Times]:
    """Return a row for each kind of request, and one for all."""
    times: defaultdict[str, list[float]] = defaultdict(list)
    refused: Counter[str] = Counter()
    for call in calls:
        for what in (call.what, "all"):
            times[what].append(call.seconds)
            refused[what] += call.status in REFUSALS
    return [spread(what, times[what], refused[what]) for what in sorted(times, key=lambda one: (one == "all", one))]


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome as plain data."""
    wanted, record = outcome.rush, outcome.record
    return {
        "players": wanted.players,
        "streams": wanted.streams,
        "seconds": wanted.timing.seconds,
        "seed": wanted.seed,
        "cores": usable_cores(),
        "held": outcome.held,
        "invariants": [one._asdict() for one in outcome.invariants],
        "calls": [row._asdict() for row in rows(record.calls)],
        "picture_to_reading": spread("to the reading", outcome.waits)._asdict(),
        "picture_to_list_on_phone": outcome.seen._asdict(),
        "streams_told": record.streams,
        "retries": record.retried,
        "desk": record.desk,
        **_numbers(outcome),
        "usage": {
            role: {"peak_mb": round(used.peak / 1e6, 1), "cpu_seconds": round(used.processor, 1)}
            for role, used in outcome.usage.items()
        },
    }


def _numbers(outcome: Outcome) -> dict[str, float]:
    wanted, record = outcome.rush, outcome.record
    return {
        "hand_ins": sum(bool(one.receipt) for one in record.promises),
        "late": sum(bool(one.receipt.get("late")) for one in record.promises),
        "scores": sum(one.checks for one in record.promises),
        "photos": len(outcome.waits),
        "calls_in_last_minute": sum(0 <= wanted.timing.seconds - call.at <= LAST for call in record.calls),
        "load_cpu_seconds": round(record.processor, 1),
        "run_seconds": round(outcome.seconds, 1),
    }


@click.command(name="rush")
@click.option("--players", type=click.IntRange(1, 600), default=150, show_default=True)
@click.option("--minutes", type=click.FloatRange(0.05, 60), default=5.0, show_default=True, help="To the deadline.")
@click.option(
    "--streams",
    type=click.IntRange(0, 600),
    help="Players whose page is open from the start. Default: all; the others open it when they come.",
)
@click.option("--servers", type=click.IntRange(1, 8), default=1, show_default=True, help="Processes that serve.")
@click.option("--server", "urls", multiple=True, metavar="URL", help="Servers that run already; needs --data.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Their data folder. Default: a temporary one. A game is left in it.",
)
@click.option("--password-file", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Their password.")
@click.option("--pictures", type=click.Path(path_type=Path, file_okay=False), default=_PHOTOS_FOLDER, show_default=True)
@click.option("--megapixels", type=click.Choice(["2", "5", "12"]), default="12", show_default=True)
@click.option("--seed", default="1", show_default=True, help="Seed of hands, photos and arrivals.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON for programs.")
def command(
    *,
    players: int,
    minutes: float,
    streams: int | None,
    servers: int,
    urls: tuple[str, ...],
    data: Path | None,
    password_file: Path | None,
    pictures: Path,
    megapixels: str,
    seed: str,
    in_json: bool,
) -> None:
    """Let many players upload, confirm and hand in at once, most of them in the last minute.

    Photos of the players' cards are rendered before the first run, which takes a few minutes, and cached. The variables
    of haggle serve for databases and other services are used here too, so set them to services for tests. Exits with 1
    if anything was lost or duplicated, or an error occurred.
    """
    if urls and (data is None or password_file is None):
        raise click.UsageError("--server needs --data and --password-file of these servers")
    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    game = bench_game(players, seed)
    try:
        with ExitStack() as stack:
            with console.status("Taking pictures") as status:
                files = take_photos(
                    game, pictures, int(megapixels), lambda done, of: status.update(f"Taking pictures: {done} of {of}")
                )
            folder = data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="haggle-")))
            context = open_context(app_config(folder))
            stack.callback(context.database.close)
            stage = open_bench_game(context, game, password_file.read_text().strip() if password_file else "")
            started = None if urls else stack.enter_context(Servers(folder, servers, folder / "servers.log"))
            wanted = RushSettings(players, players if streams is None else streams, Timing(minutes * 60), seed, files)
            console.print(f"{players} players, {minutes:g} minutes, on {len(urls) or servers} servers")
            outcome = rush(context, stage, started.urls if started else urls, wanted, started.pids if started else ())
            if started:
                started.check()
    except (DatabaseError, DomainError, RushError, ServersError, OSError) as error:
        raise click.ClickException(str(error)) from None
    if in_json:
        click.echo(json.dumps(as_json(outcome)))
    else:
        show(outcome)
    if not outcome.held:
        raise SystemExit(1)


def show(outcome: Outcome) -> None:
    """Print tables for people."""
    title = f"{outcome.rush.players} players, {outcome.rush.timing.seconds / 60:g} minutes, {usable_cores()} cores"
    times_table(title, rows(outcome.record.calls))
    times_table("Pictures", [spread("to the reading", outcome.waits), outcome.seen])
    record = outcome.record
    rows_shown = [(name.replace("_", " "), f"{number:,}") for name, number in _numbers(outcome).items()]
    for name, counted in (("streams", record.streams), ("retries", record.retried), ("desk", record.desk)):
        rows_shown.append((name, ", ".join(f"{what} {number:,}" for what, number in counted.items())))
    for role, used in outcome.usage.items():
        rows_shown.append((role, f"{used.peak / 1e6:,.0f} MB at most, {used.processor:,.0f} s of the processor"))
    printed("", ("", ""), rows_shown, words=2)
    for one in outcome.invariants:
        click.echo(f"{'broken' if one.broken else 'held  '}  {one.says} ({one.over:,})")
        for words in one.broken[:10]:
            click.echo(f"        {words}")
