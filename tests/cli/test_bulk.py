"""`haggle bulk`: import and scan of a folder of photos, with interruptions and errors."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scanner.image.load import pictures_in
from server.cli.admin import bulk as bulk_reading
from server.db.models import Photo
from server.games.lifecycle.states import State
from server.games.photos import upload
from server.games.photos.scan_service import ScanService, count_scan_slots
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import Clock, new_context, new_game
from tests.fake_scan_pool import FakeScanPool, picture
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
# One second for each photo, so that a signal interrupts the command even if it arrives late.
_SLOW = """
import sys
from server.cli.admin import bulk
from server.cli.main import main
from tests import fake_scan_pool
fake_scan_pool.SCAN_SECONDS = 1.0
bulk.ScanPool = fake_scan_pool.FakeScanPool
main(sys.argv[1:])
"""
# A disk with room for five photos.
_FULL = """
import errno, os, sys
from server.cli.admin import bulk
from server.cli.main import main
from server.storage.photo_store import PhotoStore
from tests import fake_scan_pool
bulk.ScanPool = fake_scan_pool.FakeScanPool
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
    """Fake scans: scan results are encoded in the pixels, and no worker processes are needed."""
    monkeypatch.setattr(bulk_reading, "ScanPool", FakeScanPool)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data folder, in which `context` has a database."""
    return tmp_path / "data"


@pytest.fixture
def context(data: Path) -> Iterator[AppContext]:
    """Provide the application context of the data folder."""
    context = new_context(data, Clock())
    yield context
    context.database.close()


@pytest.fixture
def game(context: AppContext) -> str:
    """Return a closed game of six envelopes."""
    return new_game(context, State.CLOSED, players=PLAYERS)


def lay_out(context: AppContext, game: str, folder: Path, copies: int = 1) -> dict[str, list[str]]:
    """Write a photo of each envelope into a folder, and more into a subfolder; return the cards by file."""
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
    """Run the command with --json; return its exit code, its JSON and its errors."""

    def run(folder: Path, *options: object) -> tuple[int, dict[str, Any], str]:
        output = haggle("bulk", folder, "--game", game, "--data", data, "--json", *options)
        return output.code, output.document if output.out else {}, output.err

    return run


def rows(context: AppContext, game: str) -> list[Photo]:
    """Return the rows of a game's photos in the order of their import."""
    with context.database.reading() as session:
        return list(session.scalars(select(Photo).where(Photo.game == game).order_by(Photo.created, Photo.place)))


def test_a_folder_is_imported_once(bulk: Bulk, context: AppContext, game: str, tmp_path: Path) -> None:
    """In natural order with subfolders; existing photos are skipped, even with another name or folder."""
    folder = tmp_path / "in"
    files = lay_out(context, game, folder, copies=2)
    (folder / "notes.txt").write_text("no picture")
    (folder / "._IMG_1.png").write_bytes(b"a Mac's own")
    code, report, output = bulk(folder)
    assert code == 0, output
    assert (report["files"], report["taken"], report["known"], report["read"]) == (12, 12, 0, 12)
    assert (report["others"], report["refused"], report["failed"], report["waiting"]) == (2, [], [], 0)
    assert [(one["envelope"], one["cards"], one["pictures"]) for one in report["envelopes"]] == [
        (number, len(dealt(context, game, number)), 2) for number in range(1, PLAYERS + 1)
    ]
    ordered = [Path(name).name for name in pictures_in(folder).pictures]
    assert [row.name for row in rows(context, game)] == ordered
    assert len(files) == len(ordered)
    before = [(row.id, row.attempts) for row in rows(context, game)]
    code, report, _ = bulk(folder)
    assert (code, report["taken"], report["known"], report["read"]) == (0, 0, 12, 12)
    assert [(row.id, row.attempts) for row in rows(context, game)] == before
    shutil.copytree(folder, tmp_path / "copy")
    for name in ("new.png", "same.png"):
        (tmp_path / "copy" / name).write_bytes(picture({"cards": [], "labels": [1]}))
    code, report, _ = bulk(tmp_path / "copy")
    assert (code, report["taken"], report["known"]) == (0, 1, 13)
    assert len(rows(context, game)) == 13


def test_invalid_files_do_not_stop_the_import(bulk: Bulk, context: AppContext, game: str, tmp_path: Path) -> None:
    """Each is reported by name: not an image, empty, too large, a pipe, a broken link, a scan that crashes."""
    folder = tmp_path / "in"
    lay_out(context, game, folder)
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


def test_the_text_output_has_a_table(
    haggle: Haggle, context: AppContext, data: Path, game: str, tmp_path: Path
) -> None:
    """It has envelopes with cards, photos without an envelope, and the number of open issues."""
    lay_out(context, game, tmp_path / "in")
    (tmp_path / "in" / "lost.png").write_bytes(picture({"cards": dealt(context, game, 1)[:2], "labels": []}))
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
        # Photos that were being scanned wait until their leases expire.
        pytest.param(signal.SIGKILL, id="kill", marks=pytest.mark.thorough),
    ],
)
def test_an_interrupted_import_continues(
    bulk: Bulk, context: AppContext, data: Path, game: str, tmp_path: Path, number: signal.Signals
) -> None:
    """In the end each photo is imported and scanned once."""
    files = lay_out(context, game, tmp_path / "in", copies=4)
    command = [sys.executable, "-c", _SLOW, "bulk", str(tmp_path / "in"), "--game", game, "--data", str(data)]
    with interruptible():
        run = subprocess.Popen([*command, "--workers", "2", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with run:
        until(lambda: run.poll() is not None or sum(row.state == "done" for row in rows(context, game)) >= 3, LIMIT)
        run.send_signal(number)
        out, output = run.communicate(timeout=LIMIT)
    done = {row.id: row.attempts for row in rows(context, game) if row.state == "done"}
    assert len(done) < len(files)
    if number == signal.SIGINT:
        assert run.returncode == 130
        assert "to continue" in output.decode()
        assert json.loads(out)["stopped"] is True
        assert {row.state for row in rows(context, game)} <= {"done", "waiting"}
    code, report, _ = bulk(tmp_path / "in")
    assert (code, report["read"], report["waiting"]) == (0, len(files), 0)
    after = {row.id: row for row in rows(context, game)}
    assert sorted(row.digest for row in after.values()) == sorted(
        upload.file_digest(file.read_bytes()) for file in (tmp_path / "in").rglob("*.png")
    )
    assert {photo: after[photo].attempts for photo in done} == done


def test_a_full_disk_ends_the_import_without_loss(
    bulk: Bulk, context: AppContext, data: Path, game: str, tmp_path: Path
) -> None:
    """Imported photos are scanned, and the remaining files counted; with room again the command continues."""
    lay_out(context, game, tmp_path / "in", copies=4)
    command = [sys.executable, "-c", _FULL, "bulk", str(tmp_path / "in"), "--game", game, "--data", str(data), "--json"]
    # In a separate process, so that only the command handles the log.
    run = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    body, lines = json.loads(run.stdout), run.stderr.splitlines()
    assert run.returncode == 1, run.stderr
    assert body["read"] == body["taken"] <= 5
    assert body["left"] == 24 - body["taken"]
    full = f"haggle: The server's disk is full: make room. Not taken: {body['left']} of 24 pictures."
    assert lines[-2:] == [full, "Run the same command again to continue."]
    assert lines[0].startswith("24 pictures in ")
    # All other lines show the progress.
    beside = [line for line in lines[1:-2] if not line.startswith("Reading here")]
    assert all(line.startswith(f"taken in: {body['taken']} of {body['taken']}; read: ") for line in beside), lines
    code, body, _ = bulk(tmp_path / "in")
    assert (code, body["read"]) == (0, body["files"])


def test_invalid_arguments_are_one_line(
    haggle: Haggle, context: AppContext, data: Path, game: str, tmp_path: Path
) -> None:
    """Unknown game, game not yet open, no photos, no such folder, no data folder."""
    lay_out(context, game, tmp_path / "in")
    (tmp_path / "empty").mkdir()
    draft = new_game(context, State.DRAFT)
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
    assert rows(context, game) == []


def test_an_unreadable_folder_is_reported(
    bulk: Bulk, context: AppContext, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its photos are missing, so the exit code is 1."""
    lay_out(context, game, tmp_path / "in")
    scandir = os.scandir

    def shut(path: str) -> Any:  # noqa: ANN401 - what the system's function returns
        if str(path).endswith("more"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", shut)
    code, report, output = bulk(tmp_path / "in")
    assert (code, report["read"]) == (1, PLAYERS)
    assert "more: Permission denied" in output


def test_scanning_is_left_to_a_running_server(
    bulk: Bulk, context: AppContext, data: Path, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a server or --workers 0 the command starts no scan processes."""
    monkeypatch.setattr(bulk_reading, "ScanPool", None)
    lay_out(context, game, tmp_path / "in")
    # Like another process, with the machine's clock, which the command uses too.
    other = open_context(AppConfig(data))
    service = ScanService(other, FakeScanPool(None), lease=5.0, poll=0.05)  # type: ignore[arg-type]  # a fake pool
    service.start()

    def is_scanning() -> bool:
        with other.database.reading() as session:
            return count_scan_slots(session, other.clock()) > 0

    try:
        until(is_scanning, LIMIT)
        for options in ((), ("--workers", "0")):
            code, report, output = bulk(tmp_path / "in", *options)
            assert (code, report["read"]) == (0, PLAYERS), output
    finally:
        service.close()
        other.database.close()


def test_file_names_with_odd_bytes_are_escaped(
    haggle: Haggle, bulk: Bulk, context: AppContext, data: Path, game: str, tmp_path: Path
) -> None:
    """Invalid UTF-8, line feeds and escapes are escaped in text and JSON, but stored unchanged."""
    folder = tmp_path / "in\x1b[2J"
    folder.mkdir()
    lost = picture({"cards": dealt(context, game, 1)[:2], "labels": []})
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
