"""`haggle worker` reads pictures beside a server, and ends when it is asked to."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from server.cli import serve, worker
from server.jobs.queue import PhotoState
from server.play.intake import Where, accept
from server.play.scanners import scanning_places
from server.store.tables import Photo
from tests.house import ORGANISER, Clock, new_game, new_house
from tests.jobs.scan_jobs import png
from tests.waiting import until
from tests.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.app.house import HouseConfig
    from server.play.house import House

LIMIT = 60.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the data folder of a server."""
    return tmp_path / "data"


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    """Give the house of that server, whose clock goes as that of the worker."""
    from server.play.house import now  # noqa: PLC0415 - the fixture's own

    house = new_house(folder, Clock())
    object.__setattr__(house, "clock", now)
    house.database.info["clock"] = now
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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_is_in_hand_is_put_back(house: House, folder: Path, number: signal.Signals) -> None:
    """Who ends a worker in mid-scan loses no picture and no try."""
    photo = accept(house, Where(new_game(house)), png(1), ORGANISER)
    with WorkerProcess(folder, "--processes", "1", job="slow", lease=600.0) as reading:
        until(lambda: _state(house, photo.id)[0] == PhotoState.SCANNING)
        code, _ = reading.stop(number)
    assert code == 0
    assert _state(house, photo.id) == (PhotoState.WAITING, 0)


def test_once_ends_with_the_last_picture(house: House, folder: Path) -> None:
    """For timers and scripts: all that wait are read, and then it is over."""
    game = new_game(house)
    photos = [accept(house, Where(game), png(number), ORGANISER) for number in range(5)]
    with WorkerProcess(folder, "--once", "--processes", "2", job="obey") as reading:
        code, said = reading.wait()
    assert (code, said) == (0, "No picture waits any more.\n")
    assert {_state(house, photo.id) for photo in photos} == {(PhotoState.DONE, 1)}


def test_once_waits_for_those_that_others_left(house: House, folder: Path) -> None:
    """A worker that was killed leaves pictures under a lease: they are waited for, and read."""
    photo = accept(house, Where(new_game(house)), png(1), ORGANISER)
    with WorkerProcess(folder, "--processes", "1", job="slow") as reading:
        until(lambda: _state(house, photo.id)[0] == PhotoState.SCANNING)
        reading.kill()
    with WorkerProcess(folder, "--once", "--processes", "1", job="obey") as reading:
        code, _ = reading.wait()
    assert (code, _state(house, photo.id)) == (0, (PhotoState.DONE, 2))


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    """A typing mistake in the folder's name begins no server there."""
    done = CliRunner().invoke(worker.command, ["--data", str(tmp_path / "nothing")])
    assert done.exit_code == 1
    assert "name the server's data folder with --data" in done.output
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize(("said", "meant"), [("0", None), ("1", 1), ("256", 256)])
def test_a_worker_shares_the_servers_variables(
    monkeypatch: pytest.MonkeyPatch, folder: Path, house: House, said: str, meant: int | None
) -> None:
    """Where 0 tells servers to leave pictures to workers, a worker reads with one process a core."""
    del house
    seen: list[HouseConfig] = []
    monkeypatch.setattr(worker, "work", lambda config, **_: seen.append(config))
    monkeypatch.setenv("HAGGLE_SCANNERS", said)
    done = CliRunner().invoke(worker.command, ["--data", str(folder)])
    assert done.exit_code == 0, done.output
    assert [config.scan_workers for config in seen] == [meant]


@pytest.mark.parametrize("said", ["-1", "257", "many"])
def test_a_wrong_number_of_processes_is_told(monkeypatch: pytest.MonkeyPatch, folder: Path, said: str) -> None:
    """The message names the variable that says it."""
    monkeypatch.setenv("HAGGLE_SCANNERS", said)
    done = CliRunner().invoke(worker.command, ["--data", str(folder)])
    assert done.exit_code == 1
    assert "HAGGLE_SCANNERS" in done.output


@pytest.mark.parametrize("variable", ["HAGGLE_REDIS_URL"])
def test_a_mistyped_address_is_told_without_its_password(
    folder: Path, house: House, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """One line names the variable; what is secret in it is in no terminal's history."""
    del house
    monkeypatch.setenv(variable, "redisss://:secret@host/0")
    done = CliRunner().invoke(worker.command, ["--data", str(folder)])
    assert done.exit_code == 1
    assert variable in done.output
    assert "secret" not in done.output


@pytest.mark.parametrize(("arguments", "wanted"), [([], None), (["--scanners", "0"], 0), (["--scanners", "3"], 3)])
def test_a_server_leaves_reading_to_workers_where_asked(
    monkeypatch: pytest.MonkeyPatch, folder: Path, arguments: list[str], wanted: int | None
) -> None:
    """It reads itself unless it is told not to, by the option or by the environment."""
    seen: list[HouseConfig] = []
    monkeypatch.setattr(serve, "serve_house", lambda config, *_, **__: seen.append(config))
    told = CliRunner().invoke(serve.command, ["--data", str(folder), *arguments])
    assert told.exit_code == 0, told.output
    if wanted is not None:
        CliRunner().invoke(serve.command, ["--data", str(folder)], env={"HAGGLE_SCANNERS": str(wanted)})
        assert seen.pop().scan_workers == wanted
    assert seen.pop().scan_workers == wanted
