"""A phone in a rush: comes back when it is told to, and writes down what should not have been."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import brotli
import pytest

from server.bench.rush import phone as phones
from server.bench.rush.notes import Notes
from server.bench.rush.phone import GivenUpError, Phone, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Server(ThreadingHTTPServer):
    """Answers in the order of `answers`: status, headers and body of each; then 200."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: deque[tuple[int, dict[str, str], bytes]] = deque()
        self.bodies: list[bytes] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self.server.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        status, headers, body = self.server.answers.popleft() if self.server.answers else (200, {}, b"{}")
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the library's name

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[_Server]:
    """Give a server that answers as it is told."""
    with _Server() as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(phones, "OWN_PAUSE", 0.01)


@pytest.fixture
def notes() -> Notes:
    """Return empty notes."""
    return Notes()


@pytest.fixture
def phone(server: _Server, notes: Notes) -> Iterator[Phone]:
    """Give a phone of that server."""
    with contextlib.closing(Phone(server.url, {}, notes, time.monotonic(), threading.Event())) as made:
        yield made


def test_a_refusal_is_followed_by_a_try_after_the_named_time(server: _Server, phone: Phone, notes: Notes) -> None:
    """Not before; and that it was taken is noted, without a fault."""
    server.answers.append((503, {"Retry-After": "1"}, b""))
    begun = time.monotonic()
    assert phone.insist("x", "GET", "/").status == 200
    assert time.monotonic() - begun >= 1
    assert notes.retried == {"worked": 1}
    assert notes.wrong == []
    assert [call.status for call in notes.calls] == [503, 200]


def test_a_second_refusal_is_noted(server: _Server, phone: Phone, notes: Notes) -> None:
    """The time that was named did not hold."""
    server.answers.extend([(429, {"Retry-After": "1"}, b""), (429, {"Retry-After": "1"}, b"")])
    phone.insist("x", "GET", "/")
    assert notes.retried == {"refused": 1, "worked": 1}


def test_a_refusal_without_a_time_is_a_fault(server: _Server, phone: Phone, notes: Notes) -> None:
    """Nobody knows when to come back."""
    server.answers.append((503, {}, b""))
    phone.insist("x", "GET", "/")
    assert notes.retried == {"unnamed": 1, "worked": 1}
    assert len(notes.wrong) == 1


@pytest.mark.parametrize("status", [408, 500, 502])
def test_a_failure_is_a_fault_and_sent_again(server: _Server, phone: Phone, notes: Notes, status: int) -> None:
    """As our app does; every such answer is one too many."""
    server.answers.append((status, {}, b""))
    assert phone.insist("x", "GET", "/").good
    assert notes.wrong == [f"x: {status}"]


def test_no_tries_is_an_answer(server: _Server, phone: Phone, notes: Notes) -> None:
    """The game's own rule on tries is nothing to be sent again."""
    server.answers.append((429, {"Retry-After": "900"}, b'{"type": "/problems/too-soon"}'))
    assert phone.insist("x", "GET", "/").slug == "too-soon"
    assert notes.retried == {}


def test_no_answer_is_a_fault(notes: Notes) -> None:
    """Nobody listens; when the run is over, it is given up."""
    over = threading.Event()
    over.set()
    with pytest.raises(GivenUpError):
        Phone("http://127.0.0.1:9", {}, notes, 0.0, over).insist("x", "GET", "/")
    assert notes.wrong == ["x: no answer"]


def test_answers_are_unpacked_and_cookies_joined(server: _Server, phone: Phone) -> None:
    """As a browser would show and send them."""
    server.answers.append((200, {"Content-Encoding": "br"}, brotli.compress(b'{"a": 1}')))
    assert phone.once("x", "GET", "/").told == {"a": 1}


def test_a_picture_goes_out_as_fast_as_the_network_takes_it(server: _Server, phone: Phone) -> None:
    """A megabit at 10 Mbit/s takes a tenth of a second; what arrives is the whole form."""
    picture = bytes(125_000)
    begun = time.monotonic()
    assert phone.upload("x", "/", picture, {}, 10.0).good
    assert time.monotonic() - begun >= 0.09
    assert picture in server.bodies[0]


def test_a_stream_that_ends_early_is_noted_and_opened_again(server: _Server, notes: Notes) -> None:
    """Its events are counted, and it resumes after the last one."""
    for _ in range(2):
        server.answers.append((200, {"Content-Type": "text/event-stream"}, b'id: 7\ndata: {"topic": "game"}\n\n'))
    stream = Stream(server.url, "/", {}, notes, "seed")
    stream.start()
    assert stream.wait(stream.wait(0, 60.0), 60.0) == 2
    stream.close()
    stream.join(60.0)
    assert notes.streams["cut"] >= 1
    assert notes.streams["opened"] >= 2


def test_a_stream_that_is_refused_comes_back_when_it_is_told_to(server: _Server, notes: Notes) -> None:
    """That is no fault, as long as a time is named."""
    server.answers.append((503, {"Retry-After": "1"}, b""))
    server.answers.append((200, {}, b"data: {}\n\n"))
    stream = Stream(server.url, "/", {}, notes, "seed")
    stream.start()
    assert stream.wait(0, 60.0) == 1
    stream.close()
    assert notes.streams["refused"] == 1
    assert notes.wrong == []
