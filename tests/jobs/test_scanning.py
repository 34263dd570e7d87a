"""Scan workers: what they answer, and that whatever happens to one of them costs one request at most."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pebble.pool.process import WORKERS_NAME
from PIL import Image

from scanner import scan_photo
from server.jobs import scanning
from server.jobs.readings import reading_of
from server.jobs.scanning import ScanError, ScanPool
from tests.jobs.scan_jobs import RECURSIVE_PDF, obey
from tests.pictures import deck_photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import PrintedFolder


needs_limit = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")


@pytest.fixture
def pool_of(printed: PrintedFolder) -> Iterator[Callable[..., ScanPool]]:
    """Make pools of obedient workers, and end them after the test."""
    pools = []

    def make(**options: float) -> ScanPool:
        pools.append(ScanPool(printed.game, **{"workers": 1, "job": obey} | options))
        pools[-1].start()
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()


def test_a_worker_sees_what_the_scanner_sees(printed: PrintedFolder) -> None:
    """A photograph scanned in a worker gives the result of scanning it right here."""
    photo = deck_photo(printed, {"red": 2, "rule-7": 1})
    pool = ScanPool(printed.game, workers=1)
    try:
        assert pool.scan(photo) == scan_photo(photo, printed.game)
    finally:
        pool.close()


def test_a_worker_reads_a_file_that_it_is_shown(printed: PrintedFolder, tmp_path: Path) -> None:
    """It answers what is to be kept, as if it had been sent the file's bytes; and says that it could not open it."""
    file = tmp_path / "deck.jpg"
    file.write_bytes(deck_photo(printed, {"red": 2, "rule-7": 1}))
    pool = ScanPool(None, workers=1)
    try:
        kept = pool.scan_for(printed.game, file)
        assert len(reading_of(json.loads(kept.reading), "", b"").cards) == 3
        assert pool.scan_for(printed.game, file.read_bytes()) == kept
        for place in (tmp_path / "gone.jpg", tmp_path):
            with pytest.raises(ScanError) as caught:
                pool.scan_for(printed.game, place)
            assert caught.value.reason == "unopened"
    finally:
        pool.close()


def test_a_file_of_several_pages_is_refused_in_words(printed: PrintedFolder) -> None:
    """Only one page would be read, so cards would be lost without a word."""
    pages = io.BytesIO()
    page = Image.new("L", (50, 50), 255)
    page.save(pages, "TIFF", save_all=True, append_images=[page])
    pool = ScanPool(printed.game, workers=1)
    try:
        with pytest.raises(ScanError, match="2 pages") as caught:
            pool.scan(pages.getvalue())
        assert caught.value.reason == "several-pages"
    finally:
        pool.close()


def test_a_worker_killed_in_mid_scan_costs_that_request_alone(pool_of: Callable[..., ScanPool]) -> None:
    """The request whose worker is killed is told so, and the next one is answered."""
    pool = pool_of()
    assert pool.scan(b"warm").width == 4
    (victim,) = workers()
    threading.Timer(0.3, os.kill, [victim, signal.SIGKILL]).start()
    with pytest.raises(ScanError) as caught:
        pool.scan(b"sleep 20")
    assert caught.value.reason == "crashed"
    assert pool.scan(b"again").width == 5
    assert victim not in workers()


def test_a_crash_leaves_other_scans_alone(pool_of: Callable[..., ScanPool]) -> None:
    """While one worker's decoder crashes, another worker finishes its scan."""
    pool = pool_of(workers=2)
    answers: list[int] = []
    other = threading.Thread(target=lambda: answers.append(pool.scan(b"sleep 1.5").width))
    other.start()
    time.sleep(0.2)
    with pytest.raises(ScanError) as caught:
        pool.scan(b"crash")
    other.join()
    assert caught.value.reason == "crashed"
    assert answers == [9]


def test_a_worker_killed_while_idle_costs_one_scan_at_most(pool_of: Callable[..., ScanPool]) -> None:
    """A worker that died between two scans is replaced, be it at the cost of the scan that comes just then."""
    pool = pool_of()
    pool.scan(b"warm")
    (victim,) = workers()
    os.kill(victim, signal.SIGKILL)
    try:
        pool.scan(b"just then")
    except ScanError as error:
        assert error.reason == "crashed"  # noqa: PT017 - both outcomes are right
    assert pool.scan(b"again").width == 5
    assert victim not in workers()


def test_a_hanging_worker_is_ended(pool_of: Callable[..., ScanPool]) -> None:
    """A scan that takes longer than it may is given up, and the next one is answered."""
    pool = pool_of(seconds=2.0)
    pool.scan(b"warm")
    began = time.monotonic()
    with pytest.raises(ScanError) as caught:
        pool.scan(b"sleep 60")
    assert caught.value.reason == "too-slow"
    # Not after the minute that it would sleep: how much sooner is the machine's affair.
    assert 1.9 < time.monotonic() - began < 50
    assert pool.scan(b"again").width == 5


def test_one_scan_may_have_less_time_than_the_others(pool_of: Callable[..., ScanPool], printed: PrintedFolder) -> None:
    """A limit of its own ends one scan earlier, and never gives it more than the pool allows."""
    pool = pool_of(seconds=3.0)
    pool.scan(b"warm")
    for seconds in (0.5, 100.0):
        with pytest.raises(ScanError) as caught:
            pool.scan_for(printed.game, b"sleep 60", seconds=seconds)
        assert caught.value.reason == "too-slow"
    assert pool.scan(b"sleep 1").width == 7


def test_a_file_that_cannot_be_read_in_time_is_no_slow_scan(
    pool_of: Callable[..., ScanPool], printed: PrintedFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture is not to blame for a disk or network that hangs."""
    monkeypatch.setattr(scanning, "_READING", 1.0)
    os.mkfifo(tmp_path / "hangs")
    pool = pool_of(seconds=1.0)
    pool.scan(b"warm")
    with pytest.raises(ScanError) as caught:
        pool.scan_for(printed.game, tmp_path / "hangs")
    assert caught.value.reason == "unopened"
    assert pool.scan(b"again").width == 5


def test_others_go_on_while_a_hanging_worker_is_ended(pool_of: Callable[..., ScanPool]) -> None:
    """A decoder that never returns to Python keeps nobody else waiting while it is ended."""
    pool = pool_of(workers=2, seconds=2.0)
    pool.scan(b"warm")

    def hang() -> None:
        with pytest.raises(ScanError):
            pool.scan(b"hang")

    hanging = threading.Thread(target=hang)
    hanging.start()
    slowest = 0.0
    while hanging.is_alive():
        began = time.monotonic()
        pool.scan(b"quick")
        slowest = max(slowest, time.monotonic() - began)
    # Not the three seconds that ending a process takes which does not listen.
    assert slowest < 2.5


@pytest.mark.parametrize(("photo", "reason"), [(b"refuse", "truncated"), (b"memory", "too-many-pixels")])
def test_a_refusal_keeps_the_worker(pool_of: Callable[..., ScanPool], photo: bytes, reason: str) -> None:
    """A photograph that cannot be read says why, and the same worker goes on."""
    pool = pool_of()
    pool.scan(b"warm")
    before = workers()
    with pytest.raises(ScanError) as caught:
        pool.scan(photo)
    assert caught.value.reason == reason
    assert pool.scan(b"again").width == 5
    assert workers() == before


@needs_limit
@pytest.mark.parametrize("photo", [b"take 1.1", b"too large for OpenCV"])
def test_memory_is_bounded(pool_of: Callable[..., ScanPool], photo: bytes) -> None:
    """A scan that asks for more than a worker may take is refused in words, and the same worker goes on."""
    pool = pool_of()
    assert pool.scan(b"take 0.5").width == 8
    before = workers()
    with pytest.raises(ScanError, match="too much memory") as caught:
        pool.scan(photo)
    assert caught.value.reason == "too-many-pixels"
    assert pool.scan(b"again").width == 5
    assert workers() == before


@needs_limit
def test_a_pdf_that_draws_itself_meets_the_limit(printed: PrintedFolder) -> None:
    """A form that uses itself twice would fill all memory; it costs one request, soon, and the next photo is read."""
    pool = ScanPool(printed.game, workers=1, seconds=100.0)
    try:
        pool.scan(deck_photo(printed, {"red": 1}))
        with pytest.raises(ScanError) as caught:
            pool.scan(RECURSIVE_PDF)
        assert caught.value.reason == "too-many-pixels"
        assert pool.scan(deck_photo(printed, {"red": 2})).cards == {"red": 2}
    finally:
        pool.close()


def test_waiting_for_a_worker_ends(pool_of: Callable[..., ScanPool]) -> None:
    """A photograph that no worker takes in time is turned away as busy."""
    pool = pool_of(patience=0.2)
    pool.scan(b"warm")
    first = threading.Thread(target=pool.scan, args=[b"sleep 1"])
    first.start()
    time.sleep(0.2)
    with pytest.raises(ScanError) as caught:
        pool.scan(b"second")
    first.join()
    assert caught.value.reason == "busy"


def test_closing_ends_every_worker(pool_of: Callable[..., ScanPool]) -> None:
    """After closing no worker runs, a scan in hand is told, and none starts again."""
    pool = pool_of(workers=2)
    pool.scan(b"warm")
    pids = workers()
    reasons: list[str] = []

    def scan() -> None:
        with pytest.raises(ScanError) as caught:
            pool.scan(b"sleep 30")
        reasons.append(caught.value.reason)

    scanning = threading.Thread(target=scan)
    scanning.start()
    time.sleep(0.3)
    pool.close()
    scanning.join(60)
    assert len(pids) == 2
    assert reasons == ["crashed"]
    assert not any(_runs(pid) for pid in pids)
    with pytest.raises(ScanError, match="shutting down"):
        pool.scan(b"late")


@pytest.mark.parametrize("hanging", ["", "pool.scan(b'sleep 3600')"])
def test_workers_end_when_the_server_is_killed(printed: PrintedFolder, hanging: str) -> None:
    """A server that is killed without warning leaves no worker behind, not even one that hangs in a decoder."""
    script = (
        "import multiprocessing, os, signal, sys, pathlib, threading, time\n"
        "from server.jobs.scanning import ScanPool\n"
        "from server.store.games import load_game\n"
        "from tests.jobs.scan_jobs import obey\n"
        "pool = ScanPool(load_game(pathlib.Path(sys.argv[1])), workers=2, seconds=3.0, job=obey)\n"
        "pool.start()\n"
        "pool.scan(b'warm')\n"
        "print(*(child.pid for child in multiprocessing.active_children()), flush=True)\n"
        f"threading.Thread(target=lambda: {hanging or None}, daemon=True).start()\n"
        "time.sleep(1.0)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, printed.folder], capture_output=True, text=True, timeout=60, check=False
    )
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 2
    deadline = time.monotonic() + 60
    while any(_runs(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(_runs(pid) for pid in pids)


def workers() -> set[int]:
    """Return the process ids of this process's scan workers."""
    return {child.pid for child in multiprocessing.active_children() if child.pid and child.name == WORKERS_NAME}


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A dead process whose new parent has not asked for it yet still has its number.
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")
