"""How fast pictures are taken in while nobody reads them: by the command, over HTTP, and by a few lines of Flask."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING

from server.bench.bulk import plain
from server.bench.bulk.load import Door, send, sign_in
from server.bench.bulk.pictures import copy_seconds
from server.bench.bulk.surroundings import WORKERS, variable
from server.bench.rush.servers import Servers
from server.bench.rush.stage import set_stage
from server.play.actors import SERVER
from server.play.bulk import take_in
from server.store.folders import pictures_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cardgen.cards import Game
    from server.play.house import House

_MOST = 40_000_000


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
    """By the few lines of `plain`, over the same server beneath."""


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
    with variable(WORKERS, "0"), Servers(folder, 1, folder / "server.log") as servers:
        (url,) = servers.urls
        return _sent(Door(url, stage.game, sign_in(url, stage.password), stage.tokens[1]), files)


def _plainly(files: Sequence[Path], folder: Path) -> float:
    folder.mkdir()
    with variable(plain.FOLDER, str(folder)), Servers(folder, 1, folder / "server.log", plain.command) as servers:
        return _sent(Door(servers.urls[0], "GAME", "", ""), files)


def _sent(door: Door, files: Sequence[Path]) -> float:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        seconds, _, _ = pool.submit(send, door, files).result()
        return seconds
