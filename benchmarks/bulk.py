"""`haggle bench bulk`: upload and scanning of hundreds of photos by a real server."""

from __future__ import annotations

import json
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import click
import cv2
import httpx
import numpy as np
import zxingcpp
from rich.console import Console
from sqlalchemy import func, select

from benchmarks.load.plan import REFUSALS
from benchmarks.load.servers import START, ResourceMonitor, Servers, ServersError, open_bench_game
from benchmarks.photos import bench_game, take_photos, write_copies
from benchmarks.tables import printed, spread, times_table
from server.db.models import Photo
from server.db.session import DatabaseError
from server.games.errors import DomainError
from server.games.photos.scan_pool import ScanError, ScanPool, read_and_convert
from server.games.photos.scan_service import count_scan_slots
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from server.workers.process_pool import usable_cores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.load.servers import BenchGame
    from benchmarks.tables import Times
    from cardgen.cards import PrintedGame
    from server.games.context import AppContext

AT_ONCE = 3
"""Concurrent uploads, as in the organiser's page."""
PAUSE = 0.7
"""Seconds between two rounds of requests, as in the organiser's page."""
LOOKS = {
    "game": "",
    "photos, 0": "/photos?limit=0",
    "photos, all": "/photos?limit=1000",
    "queue": "/queue?limit=1",
    "envelopes": "/envelopes",
}
"""Requests of the organiser's page during uploads."""

# Timeout of a request in seconds.
_PATIENCE = 120.0

# Seconds for each photo after which a run is aborted.
_EACH = 30.0

_PHOTOS_FOLDER = Path(tempfile.gettempdir()) / "haggle-bulk"

# Number of photos read by the library alone.
_SAMPLE = 60


class LoadError(Exception):
    """A request failed; the message contains the response."""


def desk(url: str, password: str) -> httpx.Client:
    """Sign in as an organiser; return the client. Raises LoadError."""
    client = httpx.Client(base_url=url, headers={"Origin": url}, timeout=_PATIENCE)
    _checked(client.post("/api/v1/session", json={"name": "Bench", "password": password}))
    return client


def _checked(answer: httpx.Response) -> httpx.Response:
    if not answer.is_success:
        raise LoadError(f"{answer.request.method} {answer.url.path}: {answer.status_code} {answer.text}")
    return answer


def send(url: str, stage: BenchGame, files: Sequence[Path]) -> tuple[float, list[float]]:
    """Upload all photos; return the seconds in total and for each. Raises LoadError."""

    def send_one(client: httpx.Client, place: int, file: Path) -> float:
        path = f"/api/v1/games/{stage.game}/photos?batch=bench&place={place}&name={file.name}"
        photo = {"photo": ("photo.jpg", file.read_bytes(), "image/jpeg")}
        while True:
            begun = time.perf_counter()
            answer = client.post(path, files=photo, headers={"Idempotency-Key": f"bench-{place}"})
            wait = answer.headers.get("Retry-After")
            if answer.status_code not in REFUSALS or not wait:
                _checked(answer)
                return time.perf_counter() - begun
            time.sleep(float(wait))

    with closing(desk(url, stage.password)) as client, ThreadPoolExecutor(AT_ONCE) as pool:
        begun = time.perf_counter()
        seconds = list(pool.map(partial(send_one, client), range(1, len(files) + 1), files))
        return time.perf_counter() - begun, seconds


def look(url: str, stage: BenchGame, number: int) -> dict[str, list[float]]:
    """Repeat the requests of the organiser's page until all photos are scanned; return their seconds by request."""
    until = time.monotonic() + _EACH * number
    found: dict[str, list[float]] = {}
    token = {"Authorization": f"Bearer {stage.tokens[1]}"}
    with (
        closing(desk(url, stage.password)) as client,
        httpx.Client(base_url=url, headers=token, timeout=_PATIENCE) as player,
    ):
        requests = [(client, name, f"/api/v1/games/{stage.game}{path}") for name, path in LOOKS.items()]
        requests += [(player, "a player", "/api/v1/me"), (player, "a player's decks", "/api/v1/me/decks")]
        while True:
            states = {}
            for who, name, path in requests:
                begun = time.perf_counter()
                answer = _checked(who.get(path))
                found.setdefault(name, []).append(time.perf_counter() - begun)
                if name == "photos, 0":
                    states = answer.json()["states"]
            if states["done"] + states["failed"] >= number:
                return found
            if time.monotonic() > until:
                raise LoadError(f"only {states['done']} of {number} pictures are read")
            time.sleep(PAUSE)


@dataclass(frozen=True)
class Run:
    """The results of one run. Seconds are wall-clock time unless stated otherwise; memory is in bytes."""

    workers: int
    photos: int
    size: int
    """Total size of all files."""
    accepted: float
    """Seconds of all uploads while workers scan."""
    rate: float
    """Photos scanned per second, from the first scan to the last."""
    processor: float
    """CPU seconds of the workers for each photo."""
    there: int
    """Photos of the game in the end."""
    failed: int
    codes: int
    """Sum of the number of different texts in each photo."""
    peak_server: int
    peak_workers: int
    """Total memory of all workers."""
    pool_rate: float
    """Photos per second that the same number of workers scan without a server."""
    bare_rate: float
    """Photos per second that the library alone reads in the same number of processes."""
    bare_codes: float
    """Different texts that it finds in each photo."""
    answers: tuple[Times, ...]

    @property
    def held(self) -> bool:
        """True if all uploaded photos exist and were scanned."""
        return self.there == self.photos and not self.failed


def run(game: PrintedGame, files: Sequence[Path], workers: int, folder: Path) -> Run:
    """Measure one number of workers on a server in a new folder.

    Raises LoadError, ServersError, DatabaseError and DomainError.
    """
    context = open_context(AppConfig(folder))
    try:
        stage = open_bench_game(context, game)
        variables = {"HAGGLE_SCANNERS": str(workers)}
        with Servers(folder, 1, folder / "server.log", variables=variables) as servers:
            (url,) = servers.urls
            _await_scanners(context, workers)
            with ResourceMonitor(servers.pids) as monitor:
                try:
                    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                        sending = pool.submit(send, url, stage, files)
                        looks = look(url, stage, len(files))
                        accepted, uploads = sending.result()
                finally:
                    # If a server has ended, report that instead of resulting errors.
                    servers.check()
        with context.database.reading() as session:
            here = Photo.game == stage.game
            first, last = session.execute(select(func.min(Photo.scanned), func.max(Photo.scanned)).where(here)).one()
            rows = session.execute(select(Photo.state, Photo.scan_result).where(here)).all()
    finally:
        context.database.close()
    if first is None or last is None:
        raise LoadError("no picture was read")
    pool_rate = scan_without_server(game, files[:_SAMPLE], workers)
    bare_rate, bare_codes = bare(files[:_SAMPLE], workers)
    scanning, server = monitor.roles["scan workers"], monitor.roles["server"]
    return Run(
        workers=workers,
        photos=len(files),
        size=sum(file.stat().st_size for file in files),
        accepted=accepted,
        rate=(len(files) - 1) / max(1e-3, (last - first).total_seconds()),
        processor=scanning.processor / len(files),
        there=len(rows),
        failed=sum(state == "failed" for state, _ in rows),
        codes=sum(len({code["text"] for code in reading["codes"]}) for _, reading in rows if reading),
        peak_server=server.peak,
        peak_workers=scanning.peak,
        pool_rate=pool_rate,
        bare_rate=bare_rate,
        bare_codes=bare_codes,
        answers=_answers(uploads, looks),
    )


def _answers(uploads: Sequence[float], looks: Mapping[str, Sequence[float]]) -> tuple[Times, ...]:
    rows = [spread(name, seconds) for name, seconds in looks.items()]
    return (*rows, spread("all", chain.from_iterable(looks.values())), spread("send", uploads))


def _await_scanners(context: AppContext, workers: int) -> None:
    """Wait until a number of processes can scan."""
    until = time.monotonic() + START
    while True:
        with context.database.reading() as session:
            slots = count_scan_slots(session, context.clock())
        if slots == workers:
            return
        if time.monotonic() > until:
            raise LoadError(f"{slots} scan slots instead of {workers}")
        time.sleep(0.2)


def scan_without_server(game: PrintedGame, files: Sequence[Path], workers: int) -> float:
    """Return how many files per second the server's scan workers read when nothing else runs. Raises LoadError."""
    pool = ScanPool(None, workers=workers, job=read_and_convert)
    scan = partial(pool.scan_for, game)
    try:
        with ThreadPoolExecutor(workers + 1) as threads:
            # Let processes load their libraries before the measurement.
            list(threads.map(scan, [files[0]] * 4 * workers))
            begun = time.perf_counter()
            list(threads.map(scan, files))
            return len(files) / (time.perf_counter() - begun)
    except ScanError as error:
        raise LoadError(str(error)) from None
    finally:
        pool.close()


def bare(files: Sequence[Path], workers: int) -> tuple[float, float]:
    """Return how many files per second zxing-cpp alone reads in several processes, and the texts in each."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        # Let processes load their libraries before the measurement.
        list(pool.map(_texts, [files[0]] * workers))
        begun = time.perf_counter()
        texts = sum(pool.map(_texts, files))
        return len(files) / (time.perf_counter() - begun), texts / len(files)


def _texts(file: Path) -> int:
    cv2.setNumThreads(1)
    pixels = cv2.imdecode(np.frombuffer(file.read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
    if pixels is None:
        raise LoadError(f"{file} is not a picture")
    codes = zxingcpp.read_barcodes(pixels, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
    return len({one.text for one in codes})


def _numbers(_context: click.Context, _parameter: click.Parameter, value: str) -> list[int]:
    parts = value.split(",")
    if not all(part.isascii() and part.isdigit() and 1 <= int(part) <= 64 for part in parts):  # noqa: PLR2004 - cores
        raise click.BadParameter("write numbers from 1 to 64, such as 1,2")
    return [int(part) for part in parts]


@click.command(name="bulk")
@click.option("--photos", type=click.IntRange(4, 10_000), default=500, show_default=True, help="Pictures at once.")
@click.option("--workers", default="1,2", show_default=True, callback=_numbers, help="Numbers of scanning processes.")
@click.option("--hands", type=click.IntRange(1, 60), default=12, show_default=True, help="Different hands in them.")
@click.option("--megapixels", type=click.Choice(["2", "5", "12"]), default="12", show_default=True)
@click.option("--pictures", type=click.Path(path_type=Path, file_okay=False), default=_PHOTOS_FOLDER, show_default=True)
@click.option("--in", "place", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Disk to write to.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line for each number of processes.")
def command(
    *, photos: int, workers: list[int], hands: int, megapixels: str, pictures: Path, place: Path | None, as_json: bool
) -> None:
    """Upload many photos to a real server at once, and use the organiser's page while they are scanned.

    A few photos are rendered and cached; each is uploaded many times as different files. For comparison, zxing-cpp
    alone reads them in the same number of processes. Exits with 1 if a photo was lost or not scanned.
    """
    game = bench_game(hands, "bulk")
    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    runs: list[Run] = []
    try:
        with tempfile.TemporaryDirectory(prefix="haggle-bulk-", dir=place) as name, console.status("") as now:
            made = take_photos(
                game, pictures, int(megapixels), lambda done, of: now.update(f"Taking pictures: {done} of {of}")
            )
            files = write_copies([file for three in made.values() for file in three], photos, Path(name) / "in")
            for number in workers:
                now.update(f"{photos} pictures, {number} scanning")
                runs.append(run(game, files, number, Path(name) / f"{len(runs)}"))
    except (DatabaseError, LoadError, OSError, DomainError, ServersError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        for one in runs:
            click.echo(json.dumps(asdict(one) | {"answers": [row._asdict() for row in one.answers]}))
    else:
        _show(runs)
    if not all(one.held for one in runs):
        raise SystemExit(1)


def _show(runs: Sequence[Run]) -> None:
    """Print tables."""
    first = runs[0]
    title = f"{first.photos} pictures, {first.size / 1e6:,.0f} MB, on {usable_cores()} cores"
    rows: dict[str, list[object]] = {
        "taken in while it reads, pictures a second": [f"{one.photos / one.accepted:.1f}" for one in runs],
        "read, pictures a minute": [f"{one.rate * 60:.1f}" for one in runs],
        f"  beside {first.workers} scanning": [f"x {one.rate / first.rate:.2f}" for one in runs],
        "the workers without a server, pictures a minute": [f"{one.pool_rate * 60:.1f}" for one in runs],
        f"  beside {first.workers} scanning ": [f"x {one.pool_rate / first.pool_rate:.2f}" for one in runs],
        "zxing-cpp alone, pictures a minute": [f"{one.bare_rate * 60:.1f}" for one in runs],
        "  ours beside it": [f"x {one.rate / one.bare_rate:.2f}" for one in runs],
        "seconds of the processor a picture": [f"{one.processor:.2f}" for one in runs],
        "codes a picture, ours": [f"{one.codes / one.photos:.1f}" for one in runs],
        "codes a picture, zxing-cpp": [f"{one.bare_codes:.1f}" for one in runs],
        "sent, and not there": [one.photos - one.there for one in runs],
        "failed": [one.failed for one in runs],
        "server, MB at most": [f"{one.peak_server / 1e6:,.0f}" for one in runs],
        "workers together, MB at most": [f"{one.peak_workers / 1e6:,.0f}" for one in runs],
    }
    heads = ["", *(f"{one.workers} scanning" for one in runs)]
    printed(title, heads, [[what, *values] for what, values in rows.items()])
    for one in runs:
        times_table(f"Answers meanwhile, {one.workers} scanning", one.answers)
