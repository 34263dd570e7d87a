"""`haggle bench bulk`: hundreds of pictures at once, taken in and read by a real server."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
import httpx
from rich import box
from rich.console import Console
from rich.table import Table
from sqlalchemy import func, select

from benchmarks.bulk_peer import FOLDER, NAME, bare
from benchmarks.bulk_peer import command as peer_command
from benchmarks.load.plan import REFUSALS
from benchmarks.load.run import spread, times_table
from benchmarks.load.servers import START, Servers, ServersError, Watch, set_stage
from benchmarks.photos import bench_game, take_photos, write_copies
from server.app.house import HouseConfig, open_house
from server.jobs.cores import usable_cores
from server.play.actors import SERVER
from server.play.bulk import take_in
from server.play.refusals import Refusal
from server.play.scanners import scanning_places
from server.store.database import DatabaseError
from server.store.folders import pictures_in
from server.store.tables import Photo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.load.run import Row
    from cardgen.cards import Game
    from server.play.house import House


WORKERS = "HAGGLE_SCANNERS"
"""The variable that says to `haggle serve` how many processes scan."""
AT_ONCE = 3
"""Pictures that are sent side by side, as the desk does."""
PAUSE = 0.7
"""Seconds between two looks at everything, as the desk's pages make."""
LOOKS = {
    "game": "",
    "photos, 0": "/photos?limit=0",
    "photos, all": "/photos?limit=1000",
    "queue": "/queue?limit=1",
    "envelopes": "/envelopes",
}
"""What the desk asks of a game while pictures come in."""
_PATIENCE = 120.0
# Seconds that an answer may take.
_MOST = 40_000_000
# Bytes of the largest picture.
_EACH = 30.0
# Seconds that a picture may take before a go is given up.
_FEW = 20
# Fewer pictures that were still to be read say nothing of a rate.
_MEANINGFUL = 100
# Fewer pictures are read before they say anything.
_LOOK = 0.2
_KEPT = Path(tempfile.gettempdir()) / "haggle-bulk"
_SAMPLE = 60
# Pictures that the bare library reads.


class LoadError(Exception):
    """The server did not do what it was asked to; the message says what it said."""


@dataclass(frozen=True)
class Door:
    """The server's address, the game, the cookie of the organiser's session, and a player's token."""

    url: str
    game: str
    cookie: str
    token: str

    def organiser(self) -> httpx.Client:
        """Return an organiser's client."""
        return httpx.Client(base_url=self.url, headers={"Origin": self.url, "Cookie": self.cookie}, timeout=_PATIENCE)

    def player(self) -> httpx.Client:
        """Return a player's client."""
        return httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {self.token}"}, timeout=_PATIENCE)


def sign_in(url: str, password: str) -> str:
    """Return the cookie of an organiser who signs in; LoadError."""
    body = {"name": "Bench", "password": password}
    answer = httpx.post(f"{url}/api/v1/session", json=body, headers={"Origin": url}, timeout=_PATIENCE)
    if not answer.is_success:
        raise LoadError(f"the organiser could not sign in: {answer.status_code} {answer.text}")
    return "; ".join(f"{name}={value}" for name, value in answer.cookies.items())


def send(door: Door, files: Sequence[Path]) -> tuple[float, list[float], float]:
    """Send all pictures; return the seconds that it took in all, those of each, and the time at the end. LoadError."""
    left = deque(enumerate(files, 1))
    seconds = list[float]()

    def some() -> None:
        with door.organiser() as client:
            while left:
                try:
                    place, file = left.popleft()
                except IndexError:
                    return
                answer, took = _sent_one(client, door.game, file, place)
                seconds.append(took)
                if not answer.is_success:
                    left.clear()
                    raise LoadError(f"{file.name} was not taken: {answer.status_code} {answer.text}")

    begun = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for done in [pool.submit(some) for _ in range(AT_ONCE)]:
            done.result()
    return time.perf_counter() - begun, seconds, time.time()


def _sent_one(client: httpx.Client, game: str, file: Path, place: int) -> tuple[httpx.Response, float]:
    """Send one picture, again where the server asks to come back; return the answer and its seconds."""
    photo = {"photo": ("photo.jpg", file.read_bytes(), "image/jpeg")}
    while True:
        begun = time.perf_counter()
        answer = client.post(
            f"/api/v1/games/{game}/photos?batch=bench&place={place}&name={file.name}",
            files=photo,
            headers={"Idempotency-Key": f"bench-{place}"},
        )
        wait = answer.headers.get("Retry-After")
        if answer.status_code not in REFUSALS or not wait:
            return answer, time.perf_counter() - begun
        time.sleep(float(wait))


def look(door: Door, number: int, longest: float) -> dict[str, list[float]]:
    """Look at everything again and again until so many pictures are read; return the seconds by what was asked."""
    until = time.monotonic() + longest
    found: dict[str, list[float]] = {}
    with door.organiser() as desk, door.player() as player:
        while True:
            states = {}
            for client, name, path in (
                *((desk, name, f"/api/v1/games/{door.game}{path}") for name, path in LOOKS.items()),
                (player, "a player", "/api/v1/me"),
                (player, "a player's decks", "/api/v1/me/decks"),
            ):
                begun = time.perf_counter()
                answer = client.get(path)
                found.setdefault(name, []).append(time.perf_counter() - begun)
                if not answer.is_success:
                    raise LoadError(f"{name} was answered {answer.status_code} {answer.text}")
                if name == "photos, 0":
                    states = answer.json()["states"]
            if states["done"] + states["failed"] >= number:
                return found
            if time.monotonic() > until:
                raise LoadError(f"after {longest:.0f} s only {states['done']} of {number} pictures are read")
            time.sleep(PAUSE)


@dataclass(frozen=True)
class Intake:
    """Seconds in which all files are taken in, while nobody reads them."""

    copied: float
    """By a plain copy, each file flushed."""
    commanded: float
    """By `haggle bulk`."""
    sent: float
    """By the server."""
    plain: float
    """By the few lines of Flask in `bulk_peer`, on the same HTTP server."""


def copy_seconds(files: Sequence[Path], folder: Path) -> float:
    """Copy files one after the other, each flushed to the disk, and return how many seconds that took."""
    folder.mkdir()
    begun = time.perf_counter()
    for file in files:
        with (folder / file.name).open("wb") as copy:
            copy.write(file.read_bytes())
            copy.flush()
            os.fsync(copy.fileno())
    return time.perf_counter() - begun


def intake(game: Game, files: Sequence[Path], open_at: Callable[[Path], House], folder: Path) -> Intake:
    """Measure it; files are written to `folder`. LoadError, ServersError, OSError."""
    folder.mkdir()
    return Intake(
        copy_seconds(files, folder / "copy"),
        _by_command(game, files, folder / "command", open_at),
        _by_server(game, files, folder / "server", open_at),
        _plainly(files, folder / "plain"),
    )


def _by_command(game: Game, files: Sequence[Path], folder: Path, open_at: Callable[[Path], House]) -> float:
    house = open_at(folder)
    try:
        stage = set_stage(house, game)
        begun = time.perf_counter()
        for outcome in take_in(house, stage.game, pictures_in(files[0].parent), SERVER, _MOST):
            if not outcome.fresh:
                raise OSError(f"{outcome.file} was not taken: {outcome.message}")
        return time.perf_counter() - begun
    finally:
        house.database.close()


def _by_server(game: Game, files: Sequence[Path], folder: Path, open_at: Callable[[Path], House]) -> float:
    house = open_at(folder)
    try:
        stage = set_stage(house, game)
    finally:
        house.database.close()
    with Servers(folder, 1, folder / "server.log", variables={WORKERS: "0"}) as servers:
        (url,) = servers.urls
        return _sent(Door(url, stage.game, sign_in(url, stage.password), stage.tokens[1]), files)


def _plainly(files: Sequence[Path], folder: Path) -> float:
    folder.mkdir()
    with Servers(folder, 1, folder / "server.log", peer_command, {FOLDER: str(folder)}) as servers:
        return _sent(Door(servers.urls[0], "GAME", "", ""), files)


def _sent(door: Door, files: Sequence[Path]) -> float:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        seconds, _, _ = pool.submit(send, door, files).result()
        return seconds


@dataclass(frozen=True)
class Go:
    """What came of one go. Seconds by the clock, unless they are said to be the processor's; memory in bytes."""

    workers: int
    photos: int
    size: int
    """Bytes of all files."""
    intake: Intake
    """How fast they are taken in while nobody reads."""
    accepted: float
    """Seconds in which the server takes them in while its workers read."""
    uploads: Row
    rate: float
    """Pictures read a second, from the first that was read to the last."""
    rest: int
    """Pictures that were still to be read when all had been taken in."""
    rest_rate: float
    """Of these so many were read a second, while nothing was sent any more; 0 where they are too few to say."""
    processor: float
    """Seconds of the processor that the workers took for one picture."""
    there: int
    """Pictures that the game has in the end."""
    failed: int
    codes: int
    looks: tuple[Row, ...]
    peak_server: int
    peak_workers: int
    """Of all workers together."""
    bare_rate: float
    """Pictures a second that the bare library reads in as many processes."""
    bare_codes: int
    """How many texts that finds in as many of the same pictures as are in `bare_of`."""
    bare_of: int

    @property
    def held(self) -> bool:
        """Whether all that was sent is there, and was read."""
        return self.there == self.photos and not self.failed

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return told | {
            "intake": asdict(self.intake),
            "uploads": self.uploads._asdict(),
            "looks": [row._asdict() for row in self.looks],
        }


def go(
    game: Game, files: Sequence[Path], workers: int, sample: int, open_at: Callable[[Path], House], place: Path
) -> Go:
    """Measure one number of workers. `sample` files are read by the bare library too. LoadError, ServersError.

    `open_at` opens the house of a data folder; folders are made in `place`, and go again.
    """
    size = sum(file.stat().st_size for file in files)
    with TemporaryDirectory(prefix="haggle-bulk-", dir=place) as name:
        folder = Path(name)
        taken = intake(game, files, open_at, folder / "intake")
        shutil.rmtree(folder / "intake")
        os.sync()
        house = open_at(folder / "data")
        try:
            stage = set_stage(house, game)
            variables = {WORKERS: str(workers)}
            with Servers(folder / "data", 1, folder / "server.log", variables=variables) as servers:
                (url,) = servers.urls
                _await_scanners(house, workers)
                door = Door(url, stage.game, sign_in(url, stage.password), stage.tokens[1])
                with Watch(servers.pids) as watch:
                    try:
                        (accepted, uploads, all_in), looks = _load(door, files)
                    finally:
                        # A server that has ended is the reason for whatever else went wrong.
                        servers.check()
            first, last, there, failed, codes = _read(house, stage.game)
            rest = _read_after(house, stage.game, all_in)
        finally:
            house.database.close()
    chosen = files[:sample]
    bare_seconds, bare_codes = bare(chosen, workers)
    scan = watch.roles.get("scan workers")
    return Go(
        workers,
        len(files),
        size,
        taken,
        accepted,
        spread("send", uploads),
        (len(files) - 1) / max(1e-3, last - first),
        rest,
        rest / (last - all_in) if rest >= _FEW else 0.0,
        scan.processor / len(files) if scan else 0.0,
        there,
        failed,
        codes,
        (
            *(spread(name, seconds) for name, seconds in looks.items()),
            spread("all", chain.from_iterable(looks.values())),
        ),
        watch.roles["server"].peak if "server" in watch.roles else 0,
        scan.peak if scan else 0,
        len(chosen) / bare_seconds,
        bare_codes,
        len(chosen),
    )


def _load(door: Door, files: Sequence[Path]) -> tuple[tuple[float, list[float], float], dict[str, list[float]]]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        looking = pool.submit(look, door, len(files), _EACH * len(files))
        sent = pool.submit(send, door, files).result()
        return sent, looking.result()


def _read(house: House, game: str) -> tuple[float, float, int, int, int]:
    """Return when the first and the last picture were read, how many there are, how many failed, and all codes read."""
    with house.database.reading() as session:
        times = select(func.min(Photo.scanned), func.max(Photo.scanned)).where(Photo.game == game)
        first, last = session.execute(times).one()
        if first is None or last is None:
            raise LoadError("no picture was read")
        rows = session.execute(select(Photo.state, Photo.reading).where(Photo.game == game)).all()
    codes = sum(len({code["text"] for code in reading["codes"]}) for _, reading in rows if reading)
    return first.timestamp(), last.timestamp(), len(rows), sum(state == "failed" for state, _ in rows), codes


def _read_after(house: House, game: str, moment: float) -> int:
    """Return how many pictures were read after a moment, in seconds since 1970."""
    later = Photo.scanned > datetime.fromtimestamp(moment, UTC)
    with house.database.reading() as session:
        return session.scalar(select(func.count()).select_from(Photo).where(Photo.game == game, later)) or 0


def _await_scanners(house: House, workers: int) -> None:
    """Wait until so many processes say that they scan; LoadError if others do."""
    until = time.monotonic() + START
    while True:
        with house.database.reading() as session:
            places = scanning_places(session, house.clock())
        if places == workers:
            return
        if places or time.monotonic() > until:
            raise LoadError(f"{places} processes scan, and not {workers}")
        time.sleep(_LOOK)


@click.command(name="bulk")
@click.option("--photos", type=click.IntRange(4, 10_000), default=500, show_default=True, help="Pictures at once.")
@click.option("--workers", "chosen", default="1,2", show_default=True, help="Numbers of scanning processes, each a go.")
@click.option("--hands", type=click.IntRange(1, 60), default=12, show_default=True, help="Different hands in them.")
@click.option("--megapixels", type=click.Choice(["2", "5", "12"]), default="12", show_default=True)
@click.option("--pictures", type=click.Path(path_type=Path, file_okay=False), default=_KEPT, show_default=True)
@click.option("--in", "place", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Disk to write to.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(
    photos: int, chosen: str, hands: int, megapixels: str, pictures: Path, place: Path | None, *, as_json: bool
) -> None:
    """Send many pictures to a real server at once, and look at the game while they are read.

    A few photographs are made and kept; each is sent many times, every time as another file. Beside the server stand a
    plain copy of the files, each flushed to the disk, a few lines of Flask that only keep what is sent, and the bare
    library zxing-cpp in as many processes. Ends with 1 if a picture was lost or not read.
    """
    said = Console(stderr=True, markup=False, emoji=False, highlight=False)
    game = bench_game(hands, "bulk")
    try:
        numbers = [int(number) for number in chosen.split(",")]
    except ValueError:
        raise click.UsageError(f"--workers {chosen}: write numbers such as 1,2") from None
    if not all(1 <= number <= 64 for number in numbers):  # noqa: PLR2004 - as many as anybody has
        raise click.UsageError(f"--workers {chosen}: from 1 to 64")
    if photos < _MEANINGFUL:
        said.print(f"Ratios mean little with {photos} pictures: take {_MEANINGFUL} or more.")
    try:
        with (
            tempfile.TemporaryDirectory(prefix="haggle-bulk-", dir=place) as name,
            said.status("Taking pictures") as now,
        ):
            made = take_photos(
                game, pictures, int(megapixels), lambda done, of: now.update(f"Taking pictures: {done} of {of}")
            )
            files = write_copies([file for three in made.values() for file in three], photos, Path(name) / "in")
            goes = []
            for number in numbers:
                now.update(f"{photos} pictures, {number} scanning")
                open_at = lambda folder: open_house(HouseConfig(folder))  # noqa: E731 - one line says it
                goes.append(go(game, files, number, _SAMPLE, open_at, Path(name)))
    except (DatabaseError, LoadError, OSError, Refusal, ServersError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        for one in goes:
            click.echo(json.dumps(one.as_json()))
    else:
        _show(goes)
    if not all(one.held for one in goes):
        raise SystemExit(1)


def _beside(one: Go, first: Go) -> str:
    return f"x {one.rest_rate / first.rest_rate:.2f}" if one.rest_rate and first.rest_rate else "too few"


def _taken_in(goes: Sequence[Go]) -> list[tuple[str, list[str]]]:
    """Return the rows that tell how fast pictures are taken in, each beside its peer."""

    def rates(seconds: Callable[[Go], float]) -> list[str]:
        return [f"{one.photos / seconds(one):.1f}" for one in goes]

    def ratios(peer: Callable[[Go], float], ours: Callable[[Go], float]) -> list[str]:
        return [f"x {peer(one) / ours(one):.2f}" for one in goes]

    return [
        ("plain copy, pictures a second", rates(lambda one: one.intake.copied)),
        ("taken in by haggle bulk", rates(lambda one: one.intake.commanded)),
        ("  beside the plain copy", ratios(lambda one: one.intake.copied, lambda one: one.intake.commanded)),
        ("a few lines of Flask over HTTP", rates(lambda one: one.intake.plain)),
        ("taken in by the server over HTTP", rates(lambda one: one.intake.sent)),
        ("  beside these lines", ratios(lambda one: one.intake.plain, lambda one: one.intake.sent)),
        ("  beside the plain copy", ratios(lambda one: one.intake.copied, lambda one: one.intake.sent)),
        ("  while it reads", rates(lambda one: one.accepted)),
    ]


def _show(goes: Sequence[Go]) -> None:
    """Print tables for people."""
    console = Console(markup=False, emoji=False, highlight=False)
    first = goes[0]
    title = f"{first.photos} pictures, {first.size / 1e6:,.0f} MB, on {usable_cores()} cores"
    table = Table(title=title, box=box.SIMPLE, padding=(0, 1, 0, 0))
    table.add_column("")
    for one in goes:
        table.add_column(f"{one.workers} scanning", justify="right", no_wrap=True)
    for what, values in (
        *_taken_in(goes),
        ("read, pictures a minute", [f"{one.rate * 60:.1f}" for one in goes]),
        (f"  beside {first.workers} scanning", [f"x {one.rate / first.rate:.2f}" for one in goes]),
        ("read after all were in", [str(one.rest) for one in goes]),
        ("  pictures a minute", [f"{one.rest_rate * 60:.1f}" if one.rest_rate else "too few" for one in goes]),
        (f"  beside {first.workers} scanning", [_beside(one, first) for one in goes]),
        ("seconds of the processor a picture", [f"{one.processor:.2f}" for one in goes]),
        (f"{NAME} alone, pictures a minute", [f"{one.bare_rate * 60:.1f}" for one in goes]),
        ("  ours beside it", [f"x {one.rate / one.bare_rate:.2f}" for one in goes]),
        ("codes a picture, ours", [f"{one.codes / one.photos:.1f}" for one in goes]),
        (f"codes a picture, {NAME}", [f"{one.bare_codes / one.bare_of:.1f}" for one in goes]),
        ("sent, and not there", [str(one.photos - one.there) for one in goes]),
        ("failed", [str(one.failed) for one in goes]),
        ("server, MB at most", [f"{one.peak_server / 1e6:,.0f}" for one in goes]),
        ("workers together, MB at most", [f"{one.peak_workers / 1e6:,.0f}" for one in goes]),
    ):
        table.add_row(what, *values)
    console.print(table)
    for one in goes:
        console.print(times_table(f"Answers meanwhile, {one.workers} scanning", [*one.looks, one.uploads]))
