"""`haggle worker` reads pictures beside a server, and ends when it is asked to."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from server.cli import serve, worker
from server.jobs.queue import PhotoState
from server.play.house import now
from server.play.intake import Where, accept
from server.play.scanners import scanning_places
from server.store.tables import Photo
from tests.house import ORGANISER, new_game, new_house
from tests.jobs.scan_jobs import png
from tests.waiting import until
from tests.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.app.house import HouseConfig
    from server.play.house import House
    from tests.cli.conftest import Haggle, Refused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the data folder of a server."""
    return tmp_path / "data"


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    """Give the house of that server, whose clock goes as that of the worker."""
    house = new_house(folder, now)
    yield house
    house.close()


def _state(house: House, photo: str) -> tuple[str, int]:
    with house.database.reading() as session:
        row = session.get_one(Photo, photo)
        return row.state, row.attempts


def _places(house: House) -> int:
    with house.database.reading() as session:
        return scanning_places(session, house.clock())


def test_a_worker_reads_what_comes_and_ends_when_asked(house: House, folder: Path) -> None:
    """It reads pictures that others took in, also those that come later, and takes its sign of life back."""
    game = new_game(house)
    first = accept(house, Where(game), png(1), ORGANISER)
    with WorkerProcess(folder, "--processes", "1", job="obey") as reading:
        until(lambda: _state(house, first.id)[0] == PhotoState.DONE)
        until(lambda: _places(house) == 1)
        second = accept(house, Where(game), png(2), ORGANISER)
        until(lambda: _state(house, second.id)[0] == PhotoState.DONE)
        code, said = reading.stop()
    assert (code, "read by others" in said) == (0, True)
    assert _places(house) == 0


def test_what_is_in_hand_is_put_back(house: House, folder: Path) -> None:
    """Who ends a worker in mid-scan loses no picture and no try."""
    photo = accept(house, Where(new_game(house)), png(1), ORGANISER)
    with WorkerProcess(folder, "--processes", "1", job="slow", lease=600.0) as reading:
        until(lambda: _state(house, photo.id)[0] == PhotoState.SCANNING)
        code, _ = reading.stop(signal.SIGINT)
    assert code == 0
    assert _state(house, photo.id) == (PhotoState.WAITING, 0)


def test_once_ends_with_the_last_picture_also_of_those_that_others_left(house: House, folder: Path) -> None:
    """A worker that was killed leaves pictures under a lease: they are waited for, and read."""
    game = new_game(house)
    left = accept(house, Where(game), png(1), ORGANISER)
    with WorkerProcess(folder, "--processes", "1", job="slow") as reading:
        until(lambda: _state(house, left.id)[0] == PhotoState.SCANNING)
        reading.kill()
    others = [accept(house, Where(game), png(number), ORGANISER) for number in range(2, 6)]
    with WorkerProcess(folder, "--once", "--processes", "2", job="obey") as reading:
        code, said = reading.wait()
    assert (code, said) == (0, "No picture waits any more.\n")
    assert _state(house, left.id) == (PhotoState.DONE, 2)
    assert {_state(house, photo.id) for photo in others} == {(PhotoState.DONE, 1)}


def test_a_folder_without_games_is_refused(tmp_path: Path, refused: Refused) -> None:
    """A typing mistake in the folder's name begins no server there."""
    said = refused("worker", "--data", tmp_path / "nothing")
    assert "name the server's data folder with --data" in said
    assert not (tmp_path / "nothing").exists()


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("words", "variable", "meant"),
    [
        ("worker", "0", None),
        ("worker", "1", 1),
        ("worker", "256", 256),
        ("serve", None, None),
        ("serve", "3", 3),
        ("serve --scanners 0", None, 0),
        ("serve --scanners 0", "3", 0),
    ],
)
def test_a_server_leaves_reading_to_workers_where_asked(
    monkeypatch: pytest.MonkeyPatch, folder: Path, haggle: Haggle, words: str, variable: str | None, meant: int | None
) -> None:
    """By option or variable; where 0 tells servers to leave it, a worker reads with one process a core."""
    seen: list[HouseConfig] = []
    monkeypatch.setattr(serve, "serve_house", lambda config, *_, **__: seen.append(config))
    monkeypatch.setattr(worker, "work", lambda config, **_: seen.append(config))
    if variable is not None:
        monkeypatch.setenv("HAGGLE_SCANNERS", variable)
    assert haggle(*words.split(), "--data", folder).code == 0
    assert [config.scan_workers for config in seen] == [meant]


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *(("HAGGLE_SCANNERS", value) for value in ("-1", "257", "many")),
        ("HAGGLE_REDIS_URL", "redisss://:secret@host/0"),
    ],
)
def test_a_wrong_variable_is_named_without_what_is_secret_in_it(
    monkeypatch: pytest.MonkeyPatch, folder: Path, refused: Refused, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    said = refused("worker", "--data", folder)
    assert variable in said
    assert "secret" not in said
