"""Scan workers: their results, and failures, which affect at most one request."""

from __future__ import annotations

import contextlib
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, cast

import pytest
from pebble.pool.process import WORKERS_NAME
from PIL import Image

from scanner import scan_photo
from server.games.photos import scan_pool
from server.games.photos.readings import reading_of
from server.games.photos.scan_pool import ScanError, ScanPool
from tests.pictures import deck_photo
from tests.processes import await_ends
from tests.scan_jobs import RECURSIVE_PDF, obey
from tests.scanner.shots import GAME
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cardgen.cards import PrintedGame
    from tests.conftest import PrintedFolder

needs_limit = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")
LIMIT = 60.0


@pytest.fixture(scope="module")
def pools(printed: PrintedFolder) -> Iterator[Callable[..., ScanPool]]:
    """Return a function that starts pools of workers with the job `obey`, or real ones, and reuses them."""
    made: dict[tuple[object, ...], ScanPool] = {}

    def pool(workers: int = 1, *, real: bool = False) -> ScanPool:
        if (workers, real) not in made:
            job = {} if real else {"job": obey}
            made[workers, real] = ScanPool(printed.game, workers=workers, seconds=100.0, **job)
        return made[workers, real]

    yield pool
    for one in made.values():
        one.close()


def workers() -> set[int]:
    """Return the process ids of this process's scan workers."""
    return {child.pid for child in multiprocessing.active_children() if child.pid and child.name == WORKERS_NAME}


def reason_of(pool: ScanPool, photo: bytes | Path, seconds: float | None = None) -> str:
    """Scan a photograph that cannot be scanned, and return the reason."""
    with pytest.raises(ScanError) as caught:
        pool.scan_for(GAME, photo, seconds=seconds)
    return caught.value.reason


def test_real_workers_read_bytes_and_files_like_the_scanner(
    pools: Callable[..., ScanPool], printed: PrintedFolder, tmp_path: Path
) -> None:
    """Results for storage are the same for files and bytes. Missing files and files of several pages are refused."""
    pool, photo = pools(real=True), deck_photo(printed, {"red": 2, "rule-7": 1})
    assert pool.scan(photo) == scan_photo(photo, printed.game)
    file = tmp_path / "deck.jpg"
    file.write_bytes(photo)
    stored = pool.scan_for(printed.game, file)
    assert len(reading_of(json.loads(stored.reading), "", b"").cards) == 3
    assert pool.scan_for(printed.game, photo) == stored
    assert [reason_of(pool, place) for place in (tmp_path / "gone.jpg", tmp_path)] == ["unopened"] * 2
    pages = io.BytesIO()
    page = Image.new("L", (50, 50), 255)
    page.save(pages, "TIFF", save_all=True, append_images=[page])
    # Only one page would be read, so cards would be missing without notice.
    assert reason_of(pool, pages.getvalue()) == "several-pages"


@pytest.mark.thorough
@needs_limit
def test_a_pdf_that_draws_itself_reaches_the_limit(pools: Callable[..., ScanPool], printed: PrintedFolder) -> None:
    """A form that contains itself twice would use all memory. Only its request fails, and the next photo is scanned."""
    pool = pools(real=True)
    assert reason_of(pool, RECURSIVE_PDF) == "too-many-pixels"
    assert pool.scan(deck_photo(printed, {"red": 2})).cards == {"red": 2}


@pytest.mark.parametrize(
    ("photo", "reason"),
    [
        ("refuse", "truncated"),
        ("memory", "too-many-pixels"),
        pytest.param("take 1.1", "too-many-pixels", marks=needs_limit),
        pytest.param("take and refuse 0.6", "truncated", marks=needs_limit),
        pytest.param("too large for OpenCV", "too-many-pixels", marks=needs_limit),
    ],
)
def test_a_refusal_keeps_the_worker(pools: Callable[..., ScanPool], photo: str, reason: str) -> None:
    """A photograph that cannot be read, or needs too much memory, has a reason, and the worker continues."""
    pool = pools()
    assert pool.scan(b"take 0.5").width == 8
    before = workers()
    assert reason_of(pool, photo.encode()) == reason
    # The memory of the failed scan is free again.
    assert pool.scan(b"take 0.5").width == 8
    assert workers() == before


@pytest.mark.parametrize(("photo", "reason"), [("crash", "crashed"), ("hang", "too-slow"), ("sleep 60", "too-slow")])
def test_a_crash_or_timeout_fails_only_its_request(pools: Callable[..., ScanPool], photo: str, reason: str) -> None:
    pool = pools()
    pool.scan(b"warm")
    began = time.monotonic()
    assert reason_of(pool, photo.encode(), 1.0) == reason
    # Less than the minute of its sleep; the exact time depends on the machine.
    assert time.monotonic() - began < 50
    assert pool.scan(b"again").width == 5


def test_an_unexpected_error_of_a_worker_is_logged(
    pools: Callable[..., ScanPool], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """The log has its type and location, but not its message, which may quote personal data."""
    assert reason_of(pools(), b"mistake") == "crashed"
    (line,) = caplog.messages
    assert "scan_jobs.py" in line
    assert line.endswith("ValueError")
    assert "Zebedee" not in capfd.readouterr().err + line


def test_a_worker_that_is_killed_is_replaced(pools: Callable[..., ScanPool]) -> None:
    """During a scan, its request fails; between two scans, at most one that begins at that moment does."""
    pool = pools()
    pool.scan(b"warm")
    before = workers()

    def kill() -> None:
        for victim in before:
            os.kill(victim, signal.SIGKILL)

    threading.Timer(0.3, kill).start()
    assert reason_of(pool, b"sleep 20") == "crashed"
    assert pool.scan(b"again").width == 5
    before = workers()
    kill()
    with contextlib.suppress(ScanError):
        pool.scan(b"just then")
    assert pool.scan(b"again").width == 5
    assert not before & workers()


def test_a_file_that_cannot_be_read_in_time_has_its_own_reason(
    pools: Callable[..., ScanPool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk or network that hangs is not a slow scan."""
    monkeypatch.setattr(scan_pool, "_READ_SECONDS", 1.0)
    os.mkfifo(tmp_path / "hangs")
    pools().scan(b"warm")
    assert reason_of(pools(), tmp_path / "hangs", 0.5) == "unopened"
    assert pools().scan(b"again").width == 5


def test_other_workers_continue_while_one_crashes_or_hangs(pools: Callable[..., ScanPool]) -> None:
    """A decoder that never returns to Python does not delay other requests."""
    pool = pools(2)
    pool.scan(b"warm")
    for photo, reason in ((b"hang", "too-slow"), (b"crash", "crashed")):
        reasons: list[str] = []
        bad = threading.Thread(target=lambda photo=photo, reasons=reasons: reasons.append(reason_of(pool, photo, 2.0)))
        bad.start()
        slowest = 0.0
        while bad.is_alive():
            began = time.monotonic()
            assert pool.scan(b"quick").width == 5
            slowest = max(slowest, time.monotonic() - began)
        assert reasons == [reason]
        # Less than the three seconds that killing a process takes. A crashed one is replaced meanwhile.
        assert slowest < 2.5 or photo == b"crash"


class SlowGame:
    """Takes a while to be loaded by a worker, which then cannot be ended by SIGTERM; leaves a file in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[object, ...]:
        return load_slowly, (self.folder,)


def load_slowly(folder: Path) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    (folder / str(os.getpid())).touch()
    time.sleep(0.5)


def test_workers_that_are_still_starting_end_without_a_word(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pool = ScanPool(cast("PrintedGame", SlowGame(tmp_path)), workers=2)
    pool.start()
    until(lambda: len(list(tmp_path.iterdir())) == 2)
    pool.close()
    assert await_ends(time.monotonic() + LIMIT, [int(file.name) for file in tmp_path.iterdir()]) == []
    assert capfd.readouterr().err == ""


def test_closing_ends_every_worker(printed: PrintedFolder) -> None:
    """Closing cancels running and waiting scans and starts no others."""
    pool = ScanPool(printed.game, workers=1, job=obey)
    before = workers()
    pool.scan(b"warm")
    pids = workers() - before
    reasons: list[str] = []
    scans = [threading.Thread(target=lambda: reasons.append(reason_of(pool, b"sleep 20"))) for _ in range(2)]
    for scan in scans:
        scan.start()
    time.sleep(0.2)
    pool.close()
    for scan in scans:
        scan.join(LIMIT)
    assert reasons == ["crashed", "crashed"]
    assert pids
    assert await_ends(time.monotonic(), list(pids)) == []
    with pytest.raises(ScanError, match="shutting down"):
        pool.scan(b"late")


def test_workers_end_when_the_server_is_killed(printed: PrintedFolder) -> None:
    """Workers end even if they hang in a decoder."""
    script = (
        "import multiprocessing, os, signal, sys, pathlib, threading, time\n"
        "from server.games.photos.scan_pool import ScanPool\n"
        "from server.printing.game_file import read_game_file\n"
        "from tests.scan_jobs import obey\n"
        "pool = ScanPool(read_game_file(pathlib.Path(sys.argv[1])), workers=2, seconds=3.0, job=obey)\n"
        "pool.start()\n"
        "pool.scan(b'warm')\n"
        "print(*(child.pid for child in multiprocessing.active_children()), flush=True)\n"
        "threading.Thread(target=lambda: pool.scan(b'sleep 3600'), daemon=True).start()\n"
        "time.sleep(1.0)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    command = [sys.executable, "-c", script, printed.folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 2
    assert await_ends(time.monotonic() + LIMIT, pids) == []
