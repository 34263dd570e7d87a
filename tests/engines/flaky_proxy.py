"""`Detour`: a way to a server that can be made slow, silent or torn while it is used. For tests of what fails.

    with Detour(s3.port) as way:
        way.hang()  # and likewise slow, tear, shut, answer; `through` ends it

It passes bytes of any protocol: S3, PostgreSQL, Redis.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Self

_PIECE = 65536
_RESET = struct.pack("ii", 1, 0)
# To linger for no second: closing then resets the connection.
_HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True)
class _Mood:
    kind: Literal["through", "slow", "hang", "tear", "answer"]
    seconds: float = 0.0
    after: int = 0
    words: bytes = b""


_THROUGH = _Mood("through")


class Detour:
    """Listens at `port` of this machine, and passes on to a port of this machine what it gets, as its mood is.

    A mood holds for connections that are open, too, and ends what was before; after `shut` it listens again.
    `connections` counts those that were made.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._mood = _THROUGH
        self._changed = threading.Condition()
        self._open: set[socket.socket] = set()
        self._closed = False
        self.connections = 0
        self._listener: socket.socket | None = None
        self.port = 0
        self._listen()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def through(self) -> None:
        """Pass everything on again."""
        self._become(_THROUGH)

    def slow(self, seconds: float) -> None:
        """Delay each answer by a number of seconds."""
        self._become(_Mood("slow", seconds=seconds))

    def hang(self, after: int = 0) -> None:
        """Take connections and what comes in, but pass nothing on in either way after so many bytes to the server.

        `through` passes on what was held back, however late that is; any other mood drops it.
        """
        self._become(_Mood("hang", after=after))

    def tear(self, after: int = 0) -> None:
        """Reset each connection, open ones too, once so many more bytes have come for the server."""
        self._become(_Mood("tear", after=after))
        if after == 0:
            self._reset_all()

    def answer(self, status: int, body: bytes = b"") -> None:
        """Answer each HTTP request with this status instead of passing it on."""
        head = f"HTTP/1.1 {status} No\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        self._become(_Mood("answer", words=head.encode() + body))
        # What is open goes by the server's way still.
        self._reset_all()

    def shut(self) -> None:
        """Listen no more: connections are refused, and those that are open reset."""
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        self._reset_all()

    def close(self) -> None:
        """End all of it."""
        self._closed = True
        self.shut()
        self._become(_THROUGH)

    def _listen(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(64)
        self._listener, self.port = listener, listener.getsockname()[1]
        _begin(self._accept, listener)

    def _become(self, mood: _Mood) -> None:
        with self._changed:
            self._mood = mood
            self._changed.notify_all()
        if self._listener is None and not self._closed:
            self._listen()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                self.connections += 1
                mood = self._mood
                if mood.kind == "tear" and mood.after == 0:
                    _reset(client)
                elif mood.kind == "answer":
                    _begin(_reply, client, mood.words)
                else:
                    _begin(self._pass, client)

    def _pass(self, client: socket.socket) -> None:
        try:
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            _reset(client)
            return
        with self._changed:
            self._open |= {client, server}
        heard = _Heard()
        _begin(self._pump, server, client, heard, False)
        self._pump(client, server, heard, True)

    def _pump(self, source: socket.socket, sink: socket.socket, heard: _Heard, up: bool) -> None:  # noqa: FBT001 - a thread's argument
        mood, passed = self._mood, 0
        try:
            while data := source.recv(_PIECE):
                if mood is not self._mood:
                    mood, passed = self._mood, 0
                if mood.kind == "slow" and not up and heard.asked:
                    with self._changed:
                        self._changed.wait_for(lambda: self._mood.kind != "slow", mood.seconds)
                heard.asked = up
                if mood.kind == "tear" and up and passed + len(data) > mood.after:
                    break
                if mood.kind == "hang" and (passed + len(data) > mood.after if up else mood.after == 0):
                    with self._changed:
                        self._changed.wait_for(lambda: self._mood.kind != "hang")
                    if self._mood.kind != "through":
                        break
                passed += len(data)
                sink.sendall(data)
            else:
                sink.shutdown(socket.SHUT_WR)
                return
        except OSError:
            pass
        for one in (source, sink):
            self._drop(one)

    def _drop(self, one: socket.socket) -> None:
        with self._changed:
            self._open.discard(one)
        _reset(one)

    def _reset_all(self) -> None:
        with self._changed:
            found = list(self._open)
        for one in found:
            self._drop(one)


@dataclass
class _Heard:
    """True if the client has sent something since the server last did."""

    asked: bool = False


def _begin(work: Callable[..., object], *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, name="detour", daemon=True).start()


def _reply(client: socket.socket, words: bytes) -> None:
    """Take an HTTP request with its body, and answer."""
    with contextlib.suppress(OSError), client:
        client.settimeout(60)
        got = b""
        while _HEAD_END not in got:
            piece = client.recv(_PIECE)
            if not piece:
                return
            got += piece
        head, _, body = got.partition(_HEAD_END)
        sizes = [line.partition(b":")[2] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        missing = int(sizes[0]) - len(body) if sizes else 0
        while missing > 0 and (piece := client.recv(_PIECE)):
            missing -= len(piece)
        client.sendall(words)


def _reset(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        # It wakes whoever waits for it, which closing alone does not.
        one.shutdown(socket.SHUT_RDWR)
    one.close()
