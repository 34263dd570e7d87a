"""Bodies come in within bounds: so many at a time, so many of one, and for so long."""

from __future__ import annotations

import io
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from server.api.bodies import Bodies, Bounds
from server.api.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from wsgiref.types import StartResponse, WSGIEnvironment

BOUNDS = Bounds(places=3, each=2, strange=2, each_strange=1, patience=0.05)


class Stalled(io.BytesIO):
    """A body that comes only once it may."""

    def __init__(self) -> None:
        super().__init__(b"12345")
        self.asked, self.go = threading.Event(), threading.Event()

    def read(self, size: int | None = -1) -> bytes:
        """Wait."""
        self.asked.set()
        self.go.wait(60)
        return super().read(size)


class Hall:
    """An application that reads bodies, and callers of it."""

    def __init__(self, bounds: Bounds) -> None:
        self.who: tuple[str, bool] | None = None
        self.app = Bodies(self._view, lambda: self.who, bounds)
        self.stalled: list[tuple[Stalled, threading.Thread]] = []

    def _view(self, environ: WSGIEnvironment, _start: StartResponse) -> list[bytes]:
        try:
            return [b"".join(iter(lambda: environ["wsgi.input"].read(2), b""))]
        except Problem as problem:
            return [str(problem.status).encode()]

    def call(self, who: tuple[str, bool] | None, body: io.BytesIO | None = None) -> bytes:
        """Send a body; return what was read of it, or the status of the refusal."""
        self.who = who
        environ = {"wsgi.input": body or io.BytesIO(b"12345"), "CONTENT_LENGTH": "5", "REMOTE_ADDR": "192.0.2.1"}
        return b"".join(self.app(environ, lambda *_: bytes.write))  # type: ignore[arg-type,return-value]  # nobody starts

    def read(self, body: io.BytesIO, size: int) -> bytes:
        """Send a body to a view that reads once; return what it read, or raise what it was told."""
        app = Bodies(lambda environ, _: [environ["wsgi.input"].read(size)], lambda: None, self.app.bounds)
        app.waiting = self.app.waiting  # type: ignore[method-assign]  # so that this hall's knows of it
        environ = {"wsgi.input": body, "CONTENT_LENGTH": str(len(body.getvalue()))}
        return b"".join(app(environ, lambda *_: bytes.write))  # type: ignore[arg-type,return-value]  # nobody starts

    def stall(self, name: str, *, known: bool) -> None:
        """Send a body that does not come, and wait until it is waited for."""
        body = Stalled()
        thread = threading.Thread(target=self.call, args=((name, known), body))
        self.stalled.append((body, thread))
        thread.start()
        assert body.asked.wait(60)

    def end(self) -> None:
        """Let all bodies come."""
        for body, thread in self.stalled:
            body.go.set()
            thread.join()


@pytest.fixture
def hall() -> Iterator[Hall]:
    """Give a hall with few places."""
    one = Hall(BOUNDS)
    yield one
    one.end()


def test_who_stalls_leaves_places_to_others(hall: Hall) -> None:
    """One caller has so many places; others get in beside, as long as there are some for all."""
    hall.stall("slow", known=True)
    hall.stall("slow", known=True)
    assert hall.call(("slow", True)) == b"503"
    assert hall.call(("other", True)) == b"12345"
    hall.stall("other", known=True)
    assert hall.call(("third", True)) == b"503"
    hall.end()
    assert hall.call(("slow", True)) == b"12345", "its places are free again"


def test_strangers_take_no_places_of_those_that_we_know(hall: Hall) -> None:
    """Whoever has no token has other places, so many for an address and so many in all."""
    hall.stall("address 192.0.2.1", known=False)
    assert hall.call(("address 192.0.2.1", False)) == b"503"
    hall.stall("address 192.0.2.2", known=False)
    assert hall.call(("address 192.0.2.3", False)) == b"503"
    assert hall.call(("player", True)) == b"12345"


def test_a_hall_that_practises_shares_all_places(hall: Hall) -> None:
    """Where nobody has a name, one address may have all places."""
    for _ in range(3):
        hall.stall("", known=True)
    assert hall.call(("", True)) == b"503"


def test_who_finds_no_place_waits_a_little() -> None:
    """A place that becomes free soon is taken by whoever waits for it: a crowd at the same moment is not refused."""
    hall = Hall(replace(BOUNDS, patience=60.0))
    hall.stall("one", known=True)
    hall.stall("one", known=True)
    hall.stall("two", known=True)
    threading.Timer(0.1, hall.end).start()
    assert hall.call(("three", True)) == b"12345"
    hall.end()


def test_what_is_bounded_elsewhere_needs_no_place(hall: Hall) -> None:
    """A body that nobody's request in hand reads is read without a place."""
    for _ in range(3):
        hall.stall("", known=True)
    assert hall.call(None) == b"12345"


def test_a_body_that_takes_too_long_is_given_up() -> None:
    """After its time a body is refused, and nothing more of it is read."""
    hall = Hall(replace(BOUNDS, seconds=0.0, rate=1e12))
    body = Stalled()
    body.go.set()
    assert hall.call(("one", True), body) == b"408"
    assert body.tell() <= 2


def test_the_time_grows_with_the_size() -> None:
    """A picture of 8 MB may come in at 20 kB a second, the largest one too."""
    bounds = Bounds()
    for size in (8_000_000, 40_000_000):
        assert size / 20_000 < bounds.seconds + size / bounds.rate


def test_it_is_known_whose_body_is_waited_for(hall: Hall) -> None:
    """An address of which a body has been waited for so long is told, and no longer once it is there."""
    before = time.monotonic()
    hall.stall("one", known=True)
    deadline = time.monotonic() + 60
    while not (found := hall.app.slow(0.05)):
        assert time.monotonic() < deadline
    ((address, there, since),) = found
    assert address == "192.0.2.1"
    assert before <= there <= since <= time.monotonic() - 0.05
    assert hall.app.slow(3600) == []
    hall.end()
    assert hall.app.slow(0) == []


def test_each_piece_is_waited_for_anew(hall: Hall) -> None:
    """What comes slowly is waited for in small pieces, and is not told as a body that stands still."""
    waits: list[float] = []
    asked: list[int] = []

    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            time.sleep(0.11)
            waits.extend(since for _, _, since in hall.app.slow(0))
            asked.append(size or 0)
            return super().read(size)

    body = Slow(bytes(20_000))
    assert len(hall.read(body, 65_536)) == 20_000
    assert max(asked) == 4096
    assert waits == sorted(set(waits)), "each has its own moment"
    assert len(waits) == 5


def test_what_comes_quickly_is_read_in_larger_pieces(hall: Hall) -> None:
    """A read returns what it was asked for, whole, and the rest at the end."""
    body = io.BytesIO(bytes(range(256)) * 1000)
    assert hall.read(body, 65_536) == body.getvalue()[:65_536]
    assert body.tell() == 65_536


@pytest.mark.parametrize("limit", [0.25, 0.5])
def test_the_time_is_looked_at_within_a_read(limit: float) -> None:
    """A body that comes too slowly is given up at a piece, not only once so much has come that a read returns."""

    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            time.sleep(0.11)
            return super().read(size)

    body = Slow(bytes(60_000))
    with pytest.raises(Problem):
        Hall(replace(BOUNDS, seconds=limit, rate=1e12)).read(body, 65_536)
    assert body.tell() < 60_000
