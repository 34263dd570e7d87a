"""A phone's or a desk's way to the server: one connection that stays open, and our app's patience and retries."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import socket
import threading
import time
from typing import TYPE_CHECKING, Any, TypedDict, Unpack
from urllib.parse import urlsplit

import brotli

from server.bench.rush.notes import REFUSALS, Call
from server.bench.rush.plan import between

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from server.bench.rush.notes import Notes

PATIENCE = 120.0
"""Seconds that an answer may take."""
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 60.0
"""Seconds before what got no answer is sent again; they double."""
OWN_PAUSE = 30.0
"""Seconds before something on which the server has failed is sent again."""
_PIECE = 32_768
_BOUNDARY = "haggle-rush-boundary"
_PASSING = frozenset({0, 408})
_SERVER = 500
_MADE = 300


class GivenUpError(Exception):
    """The run is over, and this was not answered yet."""


class Answer:
    """An answer: `status`, the `body` as it came, and `headers`, their names in small letters."""

    def __init__(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        self.status, self.body, self.headers = status, body, dict(headers or {})

    @property
    def good(self) -> bool:
        """Whether what was asked for was done."""
        return 0 < self.status < _MADE

    @property
    def told(self) -> dict[str, Any]:
        """The body's JSON; nothing where it has none."""
        try:
            told = json.loads(self.body)
        except ValueError:
            return {}
        return told if isinstance(told, dict) else {}

    @property
    def slug(self) -> str:
        """Which problem it tells of; "" for none."""
        return str(self.told.get("type", "")).rpartition("/")[2]

    @property
    def wait(self) -> float:
        """Seconds after which to come back; 0 where nothing says so."""
        text = self.headers.get("retry-after", "")
        return float(text) if text.isascii() and text.isdigit() else 0.0


class Sent(TypedDict, total=False):
    """What a request has beside its address. `megabits` a second is how fast its body goes out; None: at once."""

    body: bytes | None
    headers: Mapping[str, str]
    megabits: float | None


class Phone:
    """Asks one server. Each thread has its own; `begun` is when the run began, `over` ends every wait."""

    def __init__(
        self, url: str, headers: Mapping[str, str], notes: Notes, begun: float, over: threading.Event, seed: str = ""
    ) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._headers, self._notes, self._begun, self._over = dict(headers), notes, begun, over
        self._seed = seed
        self._connection: http.client.HTTPConnection | None = None
        self._tries = 0

    def once(self, what: str, method: str, path: str, **sent: Unpack[Sent]) -> Answer:
        """Send a request and return its answer, noted; status 0 if none came."""
        begun = time.monotonic()
        headers = {**self._headers, **sent.get("headers", {})}
        answer = self._exchange(method, path, sent.get("body"), headers, sent.get("megabits"))
        self._notes.add(Call(what, answer.status, time.monotonic() - begun, begun - self._begun))
        return answer

    def insist(self, what: str, method: str, path: str, **sent: Unpack[Sent]) -> Answer:
        """Send a request until there is an answer that is no refusal, as our outbox does.

        Every refusal has to name a time, and the next try after it has to be taken. GivenUpError when the run is over.
        """
        pause, refused = FIRST_PAUSE, False
        while True:
            answer = self.once(what, method, path, **sent)
            if refused:
                self._notes.retry("refused" if answer.status in REFUSALS else "worked")
            refused = answer.status in REFUSALS and self._is_passing(answer)
            if refused and not answer.wait:
                self._notes.retry("unnamed")
                self._notes.fault(f"{what}: {answer.status} {answer.slug} without a time to come back")
            if not refused and answer.status not in _PASSING and answer.status < _SERVER:
                return answer
            if answer.status not in REFUSALS:
                self._notes.fault(f"{what}: {answer.status or 'no answer'} {answer.slug}".rstrip())
            self._tries += 1
            due = OWN_PAUSE if answer.status == _SERVER else pause * between(0.75, 1.25, self._seed, self._tries)
            pause = min(LONGEST_PAUSE, pause * 2)
            if self._over.wait(max(due, answer.wait)):
                raise GivenUpError(what)

    def upload(
        self, what: str, path: str, picture: bytes, headers: Mapping[str, str], megabits: float | None = None
    ) -> Answer:
        """Send a picture as a form, as `insist`."""
        head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="photo.jpg"\r\n'
        form = f"{head}Content-Type: image/jpeg\r\n\r\n".encode() + picture + f"\r\n--{_BOUNDARY}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
        return self.insist(what, "POST", path, body=form, headers={**headers, **kind}, megabits=megabits)

    def close(self) -> None:
        """Hang up."""
        if self._connection:
            self._connection.close()
            self._connection = None

    @staticmethod
    def _is_passing(answer: Answer) -> bool:
        """Tell whether this refusal is of the moment, not the game's rule on tries."""
        return answer.slug not in {"no-tries", "too-soon"}

    def _exchange(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], megabits: float | None
    ) -> Answer:
        """Ask over the open connection; where the server has closed that, over a fresh one, as browsers do."""
        while True:
            fresh = self._connection is None
            connection = self._connection or http.client.HTTPConnection(self._host, self._port, timeout=PATIENCE)
            self._connection = connection
            try:
                if body is not None and megabits:
                    size = {"Content-Length": str(len(body))}
                    connection.request(method, path, _paced(body, megabits), {**headers, **size})
                else:
                    connection.request(method, path, body, dict(headers))
                with connection.getresponse() as answer:
                    return _heard(answer)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                self.close()
                if fresh:
                    return Answer(0)
            except (OSError, http.client.HTTPException):
                self.close()
                return Answer(0)


def _heard(answer: http.client.HTTPResponse) -> Answer:
    """Read an answer to its end. Cookies come as a browser would send them back."""
    found = {name.lower(): value for name, value in answer.getheaders()}
    cookies = answer.headers.get_all("Set-Cookie", [])
    found["set-cookie"] = "; ".join(cookie.partition(";")[0] for cookie in cookies)
    body = answer.read()
    match found.get("content-encoding"):
        case "br":
            body = brotli.decompress(body)
        case "gzip":
            body = gzip.decompress(body)
    return Answer(answer.status, body, found)


def _paced(body: bytes, megabits: float) -> Iterator[bytes]:
    """Give a body's bytes no faster than a phone's network takes them."""
    begun = time.monotonic()
    for start in range(0, len(body), _PIECE):
        yield body[start : start + _PIECE]
        ahead = min(start + _PIECE, len(body)) * 8 / (megabits * 1e6) - (time.monotonic() - begun)
        if ahead > 0:
            time.sleep(ahead)


class Stream(threading.Thread):
    """A stream of live events that is opened again whenever it ends. `pulse` counts what it has told."""

    AGE = 240.0
    """Seconds after which the server may end a stream, so that the watcher comes back."""
    SILENCE = 45.0
    """Seconds without a sign of life after which a stream is dead."""

    def __init__(self, url: str, path: str, headers: Mapping[str, str], notes: Notes, seed: str) -> None:
        super().__init__(daemon=True)
        parts = urlsplit(url)
        self._address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._path, self._headers, self._notes, self._seed = path, dict(headers), notes, seed
        self._last = ""
        self._ended = threading.Event()
        self._news = threading.Condition()
        self._socket: socket.socket | None = None
        self.pulse = 0
        self.stands = threading.Event()

    def run(self) -> None:
        """Listen until it is closed."""
        pause, tries = 1.0, 0
        while not self._ended.is_set():
            wait, broke = pause, False
            try:
                answered = self._listen()
            except (OSError, http.client.HTTPException, ValueError, AttributeError):
                # Closing the connection from another thread shows as any of these.
                answered, broke = None, True
                if not self._ended.is_set():
                    self._notes.stream("broke")
            self.stands.clear()
            if answered is None:
                pause = min(30.0, pause * 2) if broke else 1.0
            else:
                wait = max(pause, answered.wait)
                pause = min(30.0, pause * 2)
                if not answered.wait:
                    self._notes.fault(f"stream: {answered.status} {answered.slug} without a time to come back")
            tries += 1
            self._ended.wait(wait * between(0.5, 1.5, self._seed, tries))

    def wait(self, pulse: int, seconds: float) -> int:
        """Wait until more than `pulse` events were told, so long at most; return how many were."""
        with self._news:
            self._news.wait_for(lambda: self.pulse != pulse, seconds)
            return self.pulse

    def close(self) -> None:
        """Hang up."""
        self._ended.set()
        if self._socket:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        with self._news:
            self._news.notify_all()

    def _listen(self) -> Answer | None:
        """Follow one stream to its end; return the answer where there was none."""
        begun = time.monotonic()
        connection = http.client.HTTPConnection(*self._address, timeout=self.SILENCE)
        last = {"Last-Event-ID": self._last} if self._last else {}
        try:
            connection.request("GET", self._path, headers={**self._headers, **last})
            self._socket = connection.sock
            answer = connection.getresponse()
            if answer.status >= _MADE:
                self._notes.stream("refused")
                return _heard(answer)
            self._notes.stream("opened")
            self.stands.set()
            while line := answer.readline():
                self._hear(line.decode().rstrip())
        finally:
            connection.close()
        if not self._ended.is_set():
            self._notes.stream("ended" if time.monotonic() - begun >= self.AGE else "cut")
        return None

    def _hear(self, line: str) -> None:
        if line.startswith("id:"):
            self._last = line[3:].strip()
        if line.startswith("data:"):
            self._notes.stream("events")
            with self._news:
                self.pulse += 1
                self._news.notify_all()
