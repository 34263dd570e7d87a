"""Bounds what requests bring besides pictures: how many bodies come in at a time, of whom, and for how long.

Each body that comes in holds a thread until it is there. Whoever sends slowly, or stalls, leaves threads to others.
Pictures and whole games have places of their own (`counted_elsewhere`), and so has what nobody reads
(`server.app.draining`). Bodies that stop coming are ended from outside (`server.app.stalls`), which asks here whose
bodies are waited for, and since when.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from flask import request

from server.api.problems import Problem, of_status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

    Whose = Callable[[], tuple[str, bool] | None]

_KEY = "haggle.body"
_Wait = tuple[str, float, float]
_MOST = 65_536
"""Bytes that a read returns at most."""
PIECE, _LARGE = 4096, 16_384
"""Bytes that are waited for at once. Few, so that what comes slowly does not look as if it did not come, and its time
is looked at; more where they come within `_QUICK` seconds, since each wait costs the processor something."""
_QUICK = 0.1


@dataclass(frozen=True)
class Bounds:
    """How many bodies may come in at once, and for how long.

    `places` are for those that we know, `each` of them for one; `strange` for all others, `each_strange` of them for
    one address. Who finds them taken waits for `patience` seconds. A body may take `seconds`, and one more for each
    `rate` bytes that it has.
    """

    places: int = 60
    each: int = 6
    strange: int = 30
    each_strange: int = 15
    patience: float = 2.0
    seconds: float = 120.0
    rate: float = 10_000.0


class Bodies:
    """A WSGI application that answers as another does, and takes the bodies of its requests within bounds.

    `whose` tells whose request is in hand, "" for all alike, and whether we know them; None where none is.
    """

    def __init__(self, app: WSGIApplication, whose: Whose, bounds: Bounds | None = None) -> None:
        self._app = app
        self.whose = whose
        self.bounds = bounds or Bounds()
        self._coming: Counter[tuple[str, bool]] = Counter()
        self._changed = threading.Condition()
        self._waits: dict[int, _Wait] = {}
        self._numbers = itertools.count()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the application's answer."""
        length = str(environ.get("CONTENT_LENGTH") or "")
        size = int(length) if length.isdecimal() else None
        body = _Body(self, environ["wsgi.input"], str(environ.get("REMOTE_ADDR", "")), size)
        environ["wsgi.input"] = environ[_KEY] = body
        try:
            return self._app(environ, start_response)
        finally:
            body.leave()

    def slow(self, seconds: float) -> list[_Wait]:
        """Return whose next pieces have been waited for so long.

        Of each its address, when the piece before was there or else the request came, and since when it is awaited.
        """
        before = time.monotonic() - seconds
        # A copy in one step, since others come and go.
        return [wait for wait in list(self._waits.values()) if wait[2] <= before]

    @contextlib.contextmanager
    def waiting(self, address: str, before: float) -> Iterator[None]:
        """Let it be known as long as the block lasts that something is waited for, which came no further `before`."""
        number = next(self._numbers)
        self._waits[number] = address, before, time.monotonic()
        try:
            yield
        finally:
            del self._waits[number]

    def enter(self, who: tuple[str, bool]) -> None:
        """Take a place for a body; Problem with status 503 if none becomes free in time."""
        name, known = who
        most, each = (
            (self.bounds.places, self.bounds.each) if known else (self.bounds.strange, self.bounds.each_strange)
        )

        def free() -> bool:
            taken = sum(number for (_, one), number in self._coming.items() if one == known)
            return taken < most and (not name or self._coming[who] < each)

        with self._changed:
            if not self._changed.wait_for(free, self.bounds.patience):
                said = "Many requests are coming in right now. Wait a few seconds and try again."
                raise Problem(503, "busy", "Busy", said, retry_after=5)
            self._coming[who] += 1

    def exit(self, who: tuple[str, bool]) -> None:
        """Give a place back."""
        with self._changed:
            self._coming[who] -= 1
            if not self._coming[who]:
                del self._coming[who]
            self._changed.notify_all()


class _Body:
    """The body of one request, as it comes in. What reads it may be an application or `Draining`."""

    def __init__(self, bodies: Bodies, body: InputStream, address: str, size: int | None) -> None:
        self._bodies = bodies
        self._body: InputStream | None = body
        self._address = address
        self._size, self._left = size or 0, size
        self._end: float | None = None
        self._place: tuple[str, bool] | None = None
        self._step = PIECE
        self._last = time.monotonic()
        self.counted = False

    def read(self, size: int = -1) -> bytes:
        """Return at most so many bytes, none at the end; Problem: 503 without a place, 408 if it takes too long."""
        if size < 0:
            return b"".join(iter(partial(self.read, _MOST), b""))
        pieces, left = [], min(size, _MOST)
        while left:
            asked = min(left, self._step)
            pieces.append(self._piece(asked))
            left -= len(pieces[-1])
            # What is less than was asked for is the end.
            if len(pieces[-1]) < asked:
                break
        return b"".join(pieces)

    def leave(self) -> None:
        """Give the place back, and let the connection end if the body is not there: nobody reads on."""
        self._body = None
        if self._place:
            self._bodies.exit(self._place)
            self._place = None

    def _piece(self, size: int) -> bytes:
        if self._body is None or not size or self._left == 0:
            return b""
        bounds, now = self._bodies.bounds, time.monotonic()
        if self._end is None:
            self._begin()
            self._end = now + bounds.seconds + self._size / bounds.rate
        if now > self._end:
            self.leave()
            raise of_status(408)
        with self._bodies.waiting(self._address, self._last):
            data = self._body.read(size)
        self._last = time.monotonic()
        self._step = _LARGE if self._last - now < _QUICK else PIECE
        if self._left is None:
            self._end += len(data) / bounds.rate
        else:
            self._left -= len(data)
        if not data or self._left == 0:
            self.leave()
        return data

    def _begin(self) -> None:
        if self.counted or (who := self._bodies.whose()) is None:
            return
        self._bodies.enter(who)
        self._place = who


def counted_elsewhere() -> None:
    """Say that the body of the request in hand is bounded by whoever reads it; before that begins."""
    body: _Body | None = request.environ.get(_KEY)
    if body:
        body.counted = True
