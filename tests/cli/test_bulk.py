"""`haggle bulk` as its user types it: a folder of pictures goes in, once, however often it is stopped."""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console
from sqlalchemy import select

from scanner.image.folder import pictures_in
from server.cli.admin import bulk as bulk_reading
from server.cli.admin.bulk import _Bar, said_once
from server.db.models import Photo
from server.games.lifecycle.states import State
from server.games.photos import upload
from server.games.photos.scan_service import ScanService, scanning_places
from server.games.review.progress import Progress
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import Clock, new_context, new_game
from tests.killable import FakeScanPool, picture
from tests.players import dealt
from tests.processes import interruptible
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from server.games.context import AppContext
    from tests.cli.conftest import Haggle

    Bulk = Callable[..., tuple[int, dict[str, Any], str]]

PLAYERS = 6
LIMIT = 120.0
# A second a picture, so that a stop meets the command in the middle of its work, also where this is seen late.
_SLOW = """
import sys
from server.cli.admin import bulk
from server.cli.main import main
from tests import killable
killable.SCAN_SECONDS = 1.0
bulk.ScanPool = killable.FakeScanPool
main(sys.argv[1:])
"""
# As on a disk with room for five pictures.
_FULL = """
import errno, os, sys
from server.cli.admin import bulk
from server.cli.main import main
from server.storage.photo_store import PhotoStore
from tests import killable
bulk.ScanPool = killable.FakeScanPool
bulk.PATIENCE = 0.0
put, room = PhotoStore.put, [5]
def some(*what):
    room[0] -= 1
    if room[0] < 0:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    put(*what)
PhotoStore.put = some
main(sys.argv[1:])
"""


@pytest.fixture(autouse=True)
def _made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read pictures from their pixels, without waiting for other processes."""
    monkeypatch.setattr(bulk_reading, "ScanPool", FakeScanPool)
    monkeypatch.setattr(bulk_reading, "PATIENCE", 0.0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data folder; commands open what `hall` made there."""
    return tmp_path / "data"


@pytest.fixture
def hall(data: Path) -> Iterator[AppContext]:
    """Give the server of the data folder."""
    context = new_context(data, Clock())
    yield context
    context.database.close()


@pytest.fixture
def game(hall: AppContext) -> str:
    """Return a closed game of six envelopes."""
    return new_game(hall, State.CLOSED, players=PLAYERS)


def lay_out(context: AppContext, game: str, folder: Path, copies: int = 1) -> dict[str, list[str]]:
    """Write a picture of each envelope into a folder, some more into one below; return the cards by file."""
    files = {}
    (folder / "more").mkdir(parents=True)
    for number in range(1, PLAYERS + 1):
        hand = dealt(context, game, number)
        for copy in range(copies):
            name = f"{'more/' if copy % 2 else ''}IMG_{number}_{copy}.png"
            (folder / name).write_bytes(picture({"cards": hand, "labels": [number], "copy": copy}))
            files[name] = hand
    return files


@pytest.fixture
def bulk(haggle: Haggle, game: str, data: Path) -> Bulk:
    """Call the command on a folder for JSON; return its exit code, what it printed, and what it said beside."""

    def run(folder: Path, *options: object) -> tuple[int, dict[str, Any], str]:
        output = haggle("bulk", folder, "--game", game, "--data", data, "--json", *options)
        return output.code, output.document if output.out else {}, output.err

    return run


def rows(context: AppContext, game: str) -> list[Photo]:
    """Return the rows of a game's pictures, in the order in which they came."""
    with context.database.reading() as session:
        return list(session.scalars(select(Photo).where(Photo.game == game).order_by(Photo.created, Photo.place)))


def test_a_folder_goes_in_and_is_read_and_nothing_twice(
    bulk: Bulk, hall: AppContext, game: str, tmp_path: Path
) -> None:
    """In natural order, those in folders below too; what is there is skipped, also under another name or folder."""
    folder = tmp_path / "in"
    files = lay_out(hall, game, folder, copies=2)
    (folder / "notes.txt").write_text("no picture")
    (folder / "._IMG_1.png").write_bytes(b"a Mac's own")
    code, report, output = bulk(folder)
    assert code == 0, output
    assert (report["files"], report["taken"], report["known"], report["read"]) == (12, 12, 0, 12)
    assert (report["others"], report["refused"], report["failed"], report["waiting"]) == (2, [], [], 0)
    assert [(one["envelope"], one["cards"], one["pictures"]) for one in report["envelopes"]] == [
        (number, len(dealt(hall, game, number)), 2) for number in range(1, PLAYERS + 1)
    ]
    ordered = [Path(name).name for name in pictures_in(folder).pictures]
    assert [row.name for row in rows(hall, game)] == ordered
    assert len(files) == len(ordered)
    before = [(row.id, row.attempts) for row in rows(hall, game)]
    code, report, _ = bulk(folder)
    assert (code, report["taken"], report["known"], report["read"]) == (0, 0, 12, 12)
    assert [(row.id, row.attempts) for row in rows(hall, game)] == before
    shutil.copytree(folder, tmp_path / "copy")
    for name in ("new.png", "same.png"):
        (tmp_path / "copy" / name).write_bytes(picture({"cards": [], "labels": [1]}))
    code, report, _ = bulk(tmp_path / "copy")
    assert (code, report["taken"], report["known"]) == (0, 1, 13)
    assert len(rows(hall, game)) == 13


def test_what_cannot_be_taken_is_reported_in_a_line_and_the_others_go_on(
    bulk: Bulk, hall: AppContext, game: str, tmp_path: Path
) -> None:
    """No picture, an empty file, one too large, a pipe, a broken link, a scan that dies: each by name, and code 1."""
    folder = tmp_path / "in"
    lay_out(hall, game, folder)
    (folder / "bad-1.jpg").write_bytes(b"no picture")
    (folder / "bad-2.jpg").touch()
    (folder / "bad-3.jpg").write_bytes(bytes(40_000_001))
    os.mkfifo(folder / "bad-4.jpg")
    (folder / "bad-5.jpg").symlink_to(folder / "gone.jpg")
    (folder / "died.png").write_bytes(picture({"cards": ["no card"], "labels": []}))
    code, report, output = bulk(folder)
    assert (code, report["read"]) == (1, PLAYERS)
    reasons = ["not-a-picture", "empty", "too-many-bytes", "unreadable", "unreadable"]
    assert [(one["file"], one["reason"]) for one in report["refused"]] == [
        (f"bad-{number}.jpg", reason) for number, reason in enumerate(reasons, 1)
    ]
    assert [(one["file"], one["reason"]) for one in report["failed"]] == [("died.png", "crashed")]
    for one in (*report["refused"], *report["failed"]):
        assert len([line for line in output.splitlines() if line.startswith(f"{one['file']}: not ")]) == 1, output
    assert "Traceback" not in output


def test_people_get_a_table_and_lines(haggle: Haggle, hall: AppContext, data: Path, game: str, tmp_path: Path) -> None:
    """Envelopes in order with cards, pictures that name no envelope, and what is left to settle."""
    lay_out(hall, game, tmp_path / "in")
    (tmp_path / "in" / "lost.png").write_bytes(picture({"cards": dealt(hall, game, 1)[:2], "labels": []}))
    output = haggle("bulk", tmp_path / "in", "--game", game.lower(), "--data", data)
    assert output.code == 0, output.err
    assert "envelope" in output.out
    assert "1 picture without an owner: lost.png" in output.out
    assert f"{PLAYERS + 1} pictures in" in output.err
    assert f"taken in: {PLAYERS + 1} of {PLAYERS + 1}; read: {PLAYERS + 1}" in output.err


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(signal.SIGINT, id="ctrl-c"),
        # The pictures that were being read wait for the end of their leases.
        pytest.param(signal.SIGKILL, id="kill", marks=pytest.mark.thorough),
    ],
)
def test_stopped_in_mid_work_it_goes_on(
    bulk: Bulk, hall: AppContext, data: Path, game: str, tmp_path: Path, number: signal.Signals
) -> None:
    """At the end each picture is there once and was read, and nothing that was read is read again."""
    files = lay_out(hall, game, tmp_path / "in", copies=4)
    command = [sys.executable, "-c", _SLOW, "bulk", str(tmp_path / "in"), "--game", game, "--data", str(data)]
    with interruptible():
        run = subprocess.Popen([*command, "--workers", "2", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with run:
        until(lambda: run.poll() is not None or sum(row.state == "done" for row in rows(hall, game)) >= 3, LIMIT)
        run.send_signal(number)
        out, output = run.communicate(timeout=LIMIT)
    done = {row.id: row.attempts for row in rows(hall, game) if row.state == "done"}
    assert len(done) < len(files)
    if number == signal.SIGINT:
        assert run.returncode == 130
        assert "to continue" in output.decode()
        assert json.loads(out)["stopped"] is True
        assert {row.state for row in rows(hall, game)} <= {"done", "waiting"}
    code, report, _ = bulk(tmp_path / "in")
    assert (code, report["read"], report["waiting"]) == (0, len(files), 0)
    after = {row.id: row for row in rows(hall, game)}
    assert sorted(row.digest for row in after.values()) == sorted(
        upload.file_digest(file.read_bytes()) for file in (tmp_path / "in").rglob("*.png")
    )
    assert {photo: after[photo].attempts for photo in done} == done


def test_a_full_disk_ends_it_in_a_line_and_keeps_what_is_in(
    bulk: Bulk, hall: AppContext, data: Path, game: str, tmp_path: Path
) -> None:
    """What came in before is read; how many files are left is told; with room again the same command goes on."""
    lay_out(hall, game, tmp_path / "in", copies=4)
    command = [sys.executable, "-c", _FULL, "bulk", str(tmp_path / "in"), "--game", game, "--data", str(data), "--json"]
    # In a process of its own, where nobody but the command hears the log.
    run = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    body, lines = json.loads(run.stdout), run.stderr.splitlines()
    assert run.returncode == 1, run.stderr
    assert body["read"] == body["taken"] <= 5
    assert body["left"] == 24 - body["taken"]
    full = f"haggle: The server's disk is full: make room. Not taken: {body['left']} of 24 pictures."
    assert lines[-2:] == [full, "Run the same command again to continue."]
    assert lines[0].startswith("24 pictures in ")
    # Beside these, only how far it is, of what was taken alone.
    beside = [line for line in lines[1:-2] if not line.startswith("Reading here")]
    assert all(line.startswith(f"taken in: {body['taken']} of {body['taken']}; read: ") for line in beside), lines
    code, body, _ = bulk(tmp_path / "in")
    assert (code, body["read"]) == (0, body["files"])


def test_what_cannot_begin_is_said_in_a_line(
    haggle: Haggle, hall: AppContext, data: Path, game: str, tmp_path: Path
) -> None:
    """No such game, a game that is not played yet, no pictures, no such folder, no server's games."""
    lay_out(hall, game, tmp_path / "in")
    (tmp_path / "empty").mkdir()
    draft = new_game(hall, State.DRAFT)
    for folder, of, where, word in (
        ("in", "ZZZZ", data, "no such game"),
        ("in", draft, data, "it is draft"),
        ("empty", game, data, "no pictures"),
        ("gone", game, data, "does not exist"),
        ("in", game, tmp_path / "elsewhere", "haggle.db"),
    ):
        output = haggle("bulk", tmp_path / folder, "--game", of, "--data", where, "--json")
        last = output.err.splitlines()[-1]
        assert (output.code, word in last, last.startswith("haggle: ")) == (2, True, True), output
    assert rows(hall, game) == []


def test_a_folder_that_is_shut_is_reported(
    bulk: Bulk, hall: AppContext, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pictures are not there to be taken, so the exit code tells of it."""
    lay_out(hall, game, tmp_path / "in")
    scandir = os.scandir

    def shut(path: str) -> Any:  # noqa: ANN401 - what the system's function returns
        if str(path).endswith("more"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", shut)
    code, report, output = bulk(tmp_path / "in")
    assert (code, report["read"]) == (1, PLAYERS)
    assert "more: Permission denied" in output


def test_others_are_let_read(
    bulk: Bulk, hall: AppContext, data: Path, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a server reads, no process is begun here; with --workers 0 none is even where nobody reads."""
    monkeypatch.setattr(bulk_reading, "PATIENCE", 30.0)
    monkeypatch.setattr(bulk_reading, "ScanPool", None)
    lay_out(hall, game, tmp_path / "in")
    # As another process: with the time of the machine, which the command has too.
    other = open_context(AppConfig(data))
    service = ScanService(other, FakeScanPool(None), lease=5.0, poll=0.05)  # type: ignore[arg-type]  # in place of a pool
    service.start()

    def somebody_reads() -> bool:
        with other.database.reading() as session:
            return scanning_places(session, other.clock()) > 0

    try:
        until(somebody_reads, LIMIT)
        for options in ((), ("--workers", "0")):
            code, report, output = bulk(tmp_path / "in", *options)
            assert (code, report["read"]) == (0, PLAYERS), output
    finally:
        service.close()
        other.database.close()


def test_names_that_no_program_can_print_lose_nothing(
    haggle: Haggle, bulk: Bulk, hall: AppContext, data: Path, game: str, tmp_path: Path
) -> None:
    """Bytes that are no UTF-8, line feeds and escapes go out as marks, for people and for programs; in as they are."""
    folder = tmp_path / "in\x1b[2J"
    folder.mkdir()
    lost = picture({"cards": dealt(hall, game, 1)[:2], "labels": []})
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/Stra\xdfe.png")).write_bytes(lost)
    except OSError:
        pytest.skip("this disk keeps no such names")
    (folder / "a\n\x1b[31mb.png").write_bytes(b"no picture")
    output = haggle("bulk", folder, "--game", game, "--data", data)
    assert output.code == 1
    assert "1 picture without an owner: Stra\ufffde.png\n" in output.out
    assert "\na\ufffd\ufffd[31mb.png: not taken. " in output.err
    assert "\x1b" not in output.out + output.err
    code, report, _ = bulk(folder)
    assert (code, report["known"], report["nobody"]) == (1, 1, ["Stra\ufffde.png"])
    assert [one["file"] for one in report["refused"]] == ["a\ufffd\ufffd[31mb.png"]
    assert report["folder"] == f"{tmp_path}/in\ufffd[2J"


def test_the_log_is_said_once_and_not_what_outcomes_say() -> None:
    """What goes wrong with reading is told in a line, however often; nothing after the end."""
    output: list[str] = []
    with said_once(output.append):
        for name in ("server.games.photos.scan_service", "server.games.photos.scan_service", upload.__name__):
            logging.getLogger(name).error("a photograph has to wait: %s", "No space left")
        logging.getLogger("server.games.photos.scan_service").error("photograph %s", 1, exc_info=ValueError("three"))
    logging.getLogger("server.games.photos.scan_service").error("later")
    assert output == ["a photograph has to wait: No space left", "photograph 1: ValueError('three')"]


def test_the_bars_end_where_all_that_was_taken_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody watches there are two; files that were not taken, or not come to, are not awaited."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = io.StringIO()
    with _Bar(Console(file=shown, force_terminal=True, width=100, markup=False), 400) as bar:
        bar.update(0, Progress())
        bar.say("a.jpg: not taken. This is no picture.")
        bar.update(4, Progress(waiting=2, done=1, doubts=1, read=1))
        bar.end(4)
        bar.update(4, Progress(done=2, failed=1, doubts=3, read=3))
    for words in ("a.jpg: not taken. This is no picture.", "4/4", "3/3", "3 in doubt, 1 failed"):
        assert words in shown.getvalue()
