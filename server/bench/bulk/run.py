"""One go: a new house, a real server with so many workers, all pictures sent at once, and looked at meanwhile."""

from __future__ import annotations

import os
import shutil
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.bench.bulk.intake import Intake, intake
from server.bench.bulk.load import Door, LoadError, look, send, sign_in
from server.bench.bulk.peer import bare
from server.bench.bulk.surroundings import WORKERS, variable
from server.bench.rush.figures import spread
from server.bench.rush.servers import START, Servers, Watch
from server.bench.rush.stage import set_stage
from server.play.scanners import scanning_places
from server.store.tables import Photo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardgen.cards import Game
    from server.bench.rush.figures import Row
    from server.play.house import House

_EACH = 30.0
# Seconds that a picture may take before a go is given up.
_FEW = 20
# Fewer pictures say nothing of a rate.
_LOOK = 0.2


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
            with variable(WORKERS, str(workers)), Servers(folder / "data", 1, folder / "server.log") as servers:
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
