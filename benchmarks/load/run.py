"""`haggle bench rush`: the last minutes before a deadline, played against real servers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich import box
from rich.console import Console
from rich.table import Table
from sqlalchemy import func, select

from benchmarks.load.checks import Invariant, invariants, late
from benchmarks.load.plan import REFUSALS, Haste, Record, schedule
from benchmarks.load.servers import Servers, ServersError, Usage, Watch, set_deadline, set_stage
from benchmarks.photos import bench_game, take_photos
from server.app.house import open_house
from server.app.settings import house_config
from server.jobs.cores import usable_cores
from server.jobs.queue import PhotoState
from server.play.refusals import Refusal
from server.store.database import DatabaseError
from server.store.tables import Photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchmarks.load.plan import Call
    from benchmarks.load.servers import Stage
    from server.play.house import House

STARTING = 3.0
"""Seconds from the time that the load process is given to the start, in which it makes its users."""
QUEUE = 300.0
"""Seconds that the queue may take in the end."""
LAST = 60.0
"""Seconds before the deadline that are counted by themselves."""
_ROOT = Path(__file__).parents[2]
_LOCUSTFILE = Path(__file__).with_name("locustfile.py")
_KEPT = Path(tempfile.gettempdir()) / "haggle-rush"


class RushError(Exception):
    """The load process ended without a record; the message says why in one line."""


@dataclass(frozen=True)
class Rush:
    """The parameters. `photos` are each envelope's three files; `desk` how many envelopes the organiser photographs."""

    players: int
    streams: int
    haste: Haste
    seed: str
    photos: Mapping[int, Sequence[Path]]
    desk: int = 20

    def plan(self, stage: Stage, urls: Sequence[str]) -> dict[str, Any]:
        """Return the plan of the load process."""
        visits = schedule(self.players, self.streams, self.haste, self.seed)
        return asdict(self.haste) | {
            "seed": self.seed,
            "urls": list(urls),
            "players": [
                {
                    "visit": asdict(visit),
                    "token": stage.tokens[visit.envelope],
                    "photos": [str(file) for file in self.photos[visit.envelope][:2]],
                }
                for visit in visits
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

    rush: Rush
    record: Record
    invariants: list[Invariant]
    waits: list[float]
    usage: dict[str, Usage] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def held(self) -> bool:
        """Whether every invariant held."""
        return not any(one.broken for one in self.invariants)


class Row(NamedTuple):
    """How long one kind of request took, in seconds, over so many; `refused` of them were to come back later."""

    what: str
    calls: int
    refused: int
    median: float
    p95: float
    p99: float
    most: float


def rush(house: House, stage: Stage, urls: Sequence[str], wanted: Rush, pids: Sequence[int] = ()) -> Outcome:
    """Run the load against the servers of a house; `pids` are theirs, to be watched. RushError."""

    def begin(begun: float) -> None:
        set_deadline(house, stage.game, datetime.fromtimestamp(begun + wanted.haste.seconds, UTC))

    with Watch(pids) if pids else nullcontext() as watch:
        started = time.monotonic()
        record = _load(wanted.plan(stage, urls), begin)
        _await_queue(house, stage.game)
        seconds = time.monotonic() - started
    checked = invariants(house, stage.game, record, wanted.players)
    return Outcome(wanted, record, checked, _waits(house, stage.game), watch.roles if watch else {}, seconds)


def _load(plan: Mapping[str, Any], begin: Callable[[float], None]) -> Record:
    """Run Locust, in a process of its own since it replaces parts of the standard library, and return its record."""
    users = len(plan["players"]) + 1
    options = ["--headless", "--users", str(users), "--spawn-rate", str(users), "--only-summary", "--loglevel", "ERROR"]
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
            raise RushError(f"the load process ended by itself: {lines[-1] if lines else 'it said nothing'}")
        return Record.from_json(files["HAGGLE_RUSH_RECORD"].read_text(encoding="utf-8"))


def _await_queue(house: House, game: str) -> None:
    """Wait until every photograph was read or has failed, and the game was closed."""
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
    """Return the seconds from each photograph's arrival to its reading."""
    with house.database.reading() as session:
        times = session.execute(
            select(Photo.created, Photo.scanned).where(Photo.game == game, Photo.scanned.is_not(None))
        ).all()
    return [(scanned - created).total_seconds() for created, scanned in times if scanned is not None]


def spread(what: str, seconds: Iterable[float], refused: int = 0) -> Row:
    """Return the row of so many times; zeros where there are none."""
    ordered = sorted(seconds)
    at = [ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0 for part in (0.5, 0.95, 0.99, 1)]
    return Row(what, len(ordered), refused, *at)


def rows(calls: Iterable[Call]) -> list[Row]:
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
    busiest = [call for call in record.calls if 0 <= wanted.haste.seconds - call.at <= LAST]
    return {
        "players": wanted.players,
        "streams": wanted.streams,
        "seconds": wanted.haste.seconds,
        "seed": wanted.seed,
        "cores": usable_cores(),
        "held": outcome.held,
        "invariants": [one._asdict() for one in outcome.invariants],
        "calls": [_rounded(row) for row in rows(record.calls)],
        "calls_in_last_minute": len(busiest),
        "picture_to_reading": _rounded(spread("read", outcome.waits)),
        "picture_to_list_on_phone": _rounded(_seen(record)),
        "streams_told": dict(record.streams),
        "retries": dict(record.retried),
        "desk": dict(record.desk),
        "photos": len(outcome.waits),
        "hand_ins": sum(bool(one.receipt) for one in record.promises),
        "late": late(record.promises),
        "scores": sum(one.checks for one in record.promises),
        "usage": {
            role: {"peak_mb": round(used.peak / 1e6, 1), "cpu_seconds": round(used.processor, 1)}
            for role, used in outcome.usage.items()
        },
        "load_cpu_seconds": round(record.processor, 1),
        "run_seconds": round(outcome.seconds, 1),
    }


def _seen(record: Record) -> Row:
    return spread("to the phone's list", (took for one in record.promises for took in one.seconds))


def _rounded(row: Row) -> dict[str, Any]:
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in row._asdict().items()}


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
@click.option("--pictures", type=click.Path(path_type=Path, file_okay=False), default=_KEPT, show_default=True)
@click.option("--megapixels", type=click.Choice(["2", "5", "12"]), default="12", show_default=True)
@click.option("--seed", default="1", show_default=True, help="Decides hands, pictures, and who comes when.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON for programs.")
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
    as_json_: bool,
) -> None:
    """Let many players upload, confirm and hand in at once, most of them in the last minute.

    Pictures are photographs of the players' own cards. They are made before the first run, which takes a few minutes,
    and kept. The variables of haggle serve that name engines count here too: use engines that are there for this. Ends
    with 1 if anything was lost, doubled, refused for good, or went wrong.
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
            house = open_house(house_config(folder))
            stack.callback(house.database.close)
            stage = set_stage(house, game, password_file.read_text().strip() if password_file else "")
            started = None if urls else stack.enter_context(Servers(folder, servers, folder / "servers.log"))
            wanted = Rush(players, players if streams is None else streams, Haste(minutes * 60), seed, files)
            console.print(f"{players} players, {minutes:g} minutes, on {len(urls) or servers} servers")
            outcome = rush(house, stage, started.urls if started else urls, wanted, started.pids if started else ())
            if started:
                started.check()
    except (DatabaseError, Refusal, RushError, ServersError, OSError) as error:
        raise click.ClickException(str(error)) from None
    if as_json_:
        click.echo(json.dumps(as_json(outcome)))
    else:
        _show(outcome)
    if not outcome.held:
        raise SystemExit(1)


def _show(outcome: Outcome) -> None:
    """Print tables for people."""
    console = Console(markup=False, emoji=False, highlight=False)
    told = as_json(outcome)
    title = f"{outcome.rush.players} players, {outcome.rush.haste.seconds / 60:g} minutes, {usable_cores()} cores"
    console.print(times_table(title, rows(outcome.record.calls)))
    console.print(times_table("Pictures", [spread("to the reading", outcome.waits), _seen(outcome.record)]))
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), show_header=False)
    for name in ("hand_ins", "late", "scores", "photos", "calls_in_last_minute", "load_cpu_seconds", "run_seconds"):
        table.add_row(name.replace("_", " "), f"{told[name]:,}")
    for name in ("streams_told", "retries", "desk"):
        table.add_row(name.replace("_", " "), ", ".join(f"{what} {number:,}" for what, number in told[name].items()))
    for role, used in told["usage"].items():
        table.add_row(role, f"{used['peak_mb']:,.0f} MB at most, {used['cpu_seconds']:,.0f} s of the processor")
    console.print(table)
    for one in outcome.invariants:
        console.print(f"{'broken' if one.broken else 'held  '}  {one.says} ({one.over:,})")
        for words in one.broken[:10]:
            console.print(f"        {words}")


def times_table(title: str, found: Iterable[Row]) -> Table:
    """Return times as a table, in milliseconds."""
    table = Table(title=title, box=box.SIMPLE, padding=(0, 1, 0, 0))
    table.add_column("Asked", no_wrap=True)
    for heading in ("Times", "Refused", "Median ms", "95 %", "99 %", "Most"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in found:
        times = (f"{seconds * 1000:,.0f}" for seconds in row[3:])
        table.add_row(row.what, f"{row.calls:,}", str(row.refused or ""), *times)
    return table
