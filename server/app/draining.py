"""Reads what is left of a request's body before it is answered, so that whoever sends it hears the answer.

A view that refuses an upload does not read it. The connection would then be closed while the phone still sends, and
that throws the answer away: a page takes it for a lost network and sends the same again for ever, and a proxy says that
the server is away.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

from server.api.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

MOST = 64_000_000
"""Bytes that are read of a body that nobody wants. More than a picture may have; who sends more has been told so."""
SECONDS = 600.0
"""How long that may take, looked at between its pieces: a phone in a crowded hall sends a megabit a second."""
PLACES, EACH = 60, 45
"""Bodies that are read so at once, of all and of one address: who stalls holds threads, and leaves others to others. A
whole hall comes from one address: of 150 phones that upload at once, 30 are asked to come back."""
_STEP = 65_536


class Draining:
    """A WSGI application that answers as another does, but only once the request has come in whole.

    Bodies of more than `most` bytes are left, and all as long as `places` of them are being read, or `each` of the same
    address; and those of callers who wait to be told that they may send.
    """

    def __init__(
        self, app: WSGIApplication, most: int = MOST, seconds: float = SECONDS, places: int = PLACES, each: int = EACH
    ) -> None:
        self._app = app
        self._most, self._seconds = most, seconds
        self._places, self._each = places, each
        self._coming: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the application's answer."""
        answer = self._app(environ, start_response)
        if self._comes(environ):
            # Whatever ends the body, the answer goes: who left, and who is told that no more is read.
            with self._place(str(environ.get("REMOTE_ADDR", ""))) as free, contextlib.suppress(OSError, Problem):
                if free:
                    self._read(environ["wsgi.input"])
        return answer

    @contextlib.contextmanager
    def _place(self, whose: str) -> Iterator[bool]:
        """Hold a place if there is one."""
        with self._lock:
            free = self._coming.total() < self._places and self._coming[whose] < self._each
            if free:
                self._coming[whose] += 1
        try:
            yield free
        finally:
            with self._lock:
                if free:
                    self._coming[whose] -= 1
                self._coming += Counter()

    def _comes(self, environ: WSGIEnvironment) -> bool:
        """Tell whether a body comes by itself, of a length that is read."""
        if "HTTP_EXPECT" in environ:
            return False
        length = str(environ.get("CONTENT_LENGTH") or "")
        return 0 < int(length) <= self._most if length.isdecimal() else "HTTP_TRANSFER_ENCODING" in environ

    def _read(self, body: InputStream) -> None:
        left, end = self._most, time.monotonic() + self._seconds
        while left > 0 and time.monotonic() < end and (data := body.read(_STEP)):
            left -= len(data)
