"""`haggle worker`: scanning for a server, shutdown, and settings."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from server.cli.admin import serve, worker
from server.db.models import Photo
from server.db.session import now
from server.games.photos.scan_queue import PhotoState
from server.games.photos.scan_service import count_scan_slots
from server.games.photos.upload import PhotoTarget, accept
from tests.context import ORGANISER, new_context, new_game
from tests.scan_jobs import png
from tests.waiting import until
from tests.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.games.context import AppContext
    from server.web_app.settings import AppConfig
    from tests.cli.conftest import Haggle, Refused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the data folder of a server."""
    return tmp_path / "data"


@pytest.fixture
def context(folder: Path) -> Iterator[AppContext]:
    """Provide the context of that server, with the real clock, which the worker uses too."""
    context = new_context(folder, now)
    yield context
    context.close()


def _state(context: AppContext, photo: str) -> tuple[str, int]:
    with context.database.reading() as session:
        row = session.get_one(Photo, photo)
        return row.state, row.attempts


def _slots(context: AppContext) -> int:
    with context.database.reading() as session:
        return count_scan_slots(session, context.clock())


def test_a_worker_scans_new_photos_until_it_is_stopped(context: AppContext, folder: Path) -> None:
    """It scans photos from other processes, and deletes its heartbeat at the end."""
    game = new_game(context)
    first = accept(context, PhotoTarget(game), png(1), ORGANISER)
    with WorkerProcess(folder, "--processes", "1", job="obey") as reading:
        until(lambda: _state(context, first.id)[0] == PhotoState.DONE)
        until(lambda: _slots(context) == 1)
        second = accept(context, PhotoTarget(game), png(2), ORGANISER)
        until(lambda: _state(context, second.id)[0] == PhotoState.DONE)
        code, output = reading.stop()
    assert (code, "read what is unfinished" in output) == (0, True)
    assert _slots(context) == 0


def test_an_interrupted_scan_returns_to_the_queue(context: AppContext, folder: Path) -> None:
    """Neither a photo nor an attempt is lost."""
    photo = accept(context, PhotoTarget(new_game(context)), png(1), ORGANISER)
    with WorkerProcess(folder, "--processes", "1", job="slow", lease=600.0) as reading:
        until(lambda: _state(context, photo.id)[0] == PhotoState.SCANNING)
        code, _ = reading.stop(signal.SIGINT)
    assert code == 0
    assert _state(context, photo.id) == (PhotoState.WAITING, 0)


def test_once_ends_after_the_last_waiting_photo(context: AppContext, folder: Path) -> None:
    """It waits for the leases of a killed worker and scans its photos."""
    game = new_game(context)
    left = accept(context, PhotoTarget(game), png(1), ORGANISER)
    with WorkerProcess(folder, "--processes", "1", job="slow") as reading:
        until(lambda: _state(context, left.id)[0] == PhotoState.SCANNING)
        reading.kill()
    others = [accept(context, PhotoTarget(game), png(number), ORGANISER) for number in range(2, 6)]
    with WorkerProcess(folder, "--once", "--processes", "1", job="obey") as reading:
        code, output = reading.wait()
    assert (code, output) == (0, "No pictures are waiting.\n")
    assert _state(context, left.id) == (PhotoState.DONE, 2)
    assert {_state(context, photo.id) for photo in others} == {(PhotoState.DONE, 1)}


def test_a_folder_without_games_is_refused(tmp_path: Path, refused: Refused) -> None:
    """A typo in the folder's name does not create a data folder."""
    output = refused("worker", "--data", tmp_path / "nothing")
    assert "name the server's data folder with --data" in output
    assert not (tmp_path / "nothing").exists()


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("words", "variable", "expected"),
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
def test_servers_can_leave_scanning_to_workers(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    haggle: Haggle,
    words: str,
    variable: str | None,
    expected: int | None,
) -> None:
    """By option or variable. If it is 0 for servers, a worker starts one process for each core."""
    seen: list[AppConfig] = []
    monkeypatch.setattr(serve, "serve_app", lambda config, *_, **__: seen.append(config))
    monkeypatch.setattr(worker, "work", lambda config, **_: seen.append(config))
    if variable is not None:
        monkeypatch.setenv("HAGGLE_SCANNERS", variable)
    assert haggle(*words.split(), "--data", folder).code == 0
    assert [config.scan_workers for config in seen] == [expected]


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *(("HAGGLE_SCANNERS", value) for value in ("-1", "257", "many")),
        ("HAGGLE_REDIS_URL", "redisss://:secret@host/0"),
    ],
)
def test_invalid_variables_are_reported_without_secrets(
    monkeypatch: pytest.MonkeyPatch, folder: Path, refused: Refused, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    output = refused("worker", "--data", folder)
    assert variable in output
    assert "secret" not in output
