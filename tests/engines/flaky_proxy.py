"""`FlakyProxy`: a TCP proxy that can be made slow or unresponsive, or lose connections, for tests of failures.

    with FlakyProxy(s3.port) as proxy:
        proxy.hang()  # likewise slow, reset, shut, answer; `forward` ends it

It works with any protocol, such as those of S3, PostgreSQL and Redis.
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
# A linger time of 0: closing resets the connection.
_RESET = struct.pack("ii", 1, 0)
_HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True)
class _Mode:
    kind: Literal["forward", "slow", "hang", "reset", "answer"]
    seconds: float = 0.0
    after: int = 0
    words: bytes = b""


_FORWARD = _Mode("forward")


class FlakyProxy:
    """Listens on `port` and forwards connections to another local port, as its current mode says.

    A mode replaces the one before, also for open connections; after `shut` the proxy listens again. `connections`
    counts the connections that were accepted.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._mode = _FORWARD
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

    def forward(self) -> None:
        """Forward everything."""
        self._become(_FORWARD)

    def slow(self, seconds: float) -> None:
        """Delay each response by some seconds."""
        self._become(_Mode("slow", seconds=seconds))

    def hang(self, after: int = 0) -> None:
        """Accept connections, but forward nothing in either direction after this many bytes to the server.

        `forward` sends the data that was held back; any other mode drops it.
        """
        self._become(_Mode("hang", after=after))

    def reset(self, after: int = 0) -> None:
        """Reset connections, including open ones, after this many further bytes to the server."""
        self._become(_Mode("reset", after=after))
        if after == 0:
            self._reset_all()

    def answer(self, status: int, body: bytes = b"") -> None:
        """Answer each HTTP request with this status instead of passing it on."""
        head = f"HTTP/1.1 {status} No\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        self._become(_Mode("answer", words=head.encode() + body))
        # Open connections are still forwarded.
        self._reset_all()

    def shut(self) -> None:
        """Stop listening, so that connections are refused, and reset open ones."""
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        self._reset_all()

    def close(self) -> None:
        """Stop for good."""
        self._closed = True
        self.shut()
        self._become(_FORWARD)

    def _listen(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(64)
        self._listener, self.port = listener, listener.getsockname()[1]
        _begin(self._accept, listener)

    def _become(self, mode: _Mode) -> None:
        with self._changed:
            self._mode = mode
            self._changed.notify_all()
        if self._listener is None and not self._closed:
            self._listen()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                self.connections += 1
                mode = self._mode
                if mode.kind == "reset" and mode.after == 0:
                    _reset(client)
                elif mode.kind == "answer":
                    _begin(_reply, client, mode.words)
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
        sender = _LastSender()
        _begin(self._pump, server, client, sender, False)
        self._pump(client, server, sender, True)

    def _pump(self, source: socket.socket, sink: socket.socket, sender: _LastSender, up: bool) -> None:  # noqa: FBT001 - a thread's argument
        mode, passed = self._mode, 0
        try:
            while data := source.recv(_PIECE):
                if mode is not self._mode:
                    mode, passed = self._mode, 0
                if mode.kind == "slow" and not up and sender.client:
                    with self._changed:
                        self._changed.wait_for(lambda: self._mode.kind != "slow", mode.seconds)
                sender.client = up
                if mode.kind == "reset" and up and passed + len(data) > mode.after:
                    break
                if mode.kind == "hang" and (passed + len(data) > mode.after if up else mode.after == 0):
                    with self._changed:
                        self._changed.wait_for(lambda: self._mode.kind != "hang")
                    if self._mode.kind != "forward":
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
class _LastSender:
    """Whether the client was the last to send."""

    client: bool = False


def _begin(work: Callable[..., object], *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, name="flaky-proxy", daemon=True).start()


def _reply(client: socket.socket, words: bytes) -> None:
    """Read an HTTP request with its body, then answer."""
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
        # Unlike closing alone, this wakes threads that wait for the socket.
        one.shutdown(socket.SHUT_RDWR)
    one.close()
