"""ASGI adapter for the WSGI application, in which slow clients hold no threads.

A request gets a thread when its body is complete, while the application handles it. Responses and event streams are
sent by coroutines.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import shutil
import signal
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar
from urllib.parse import unquote_to_bytes

from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wsgi import FileWrapper

from server.api.application import PROBLEM
from server.api.events import STREAM
from server.api.problems import Problem, problem_for, problem_of_status
from server.api.uploads import ADMISSION, Admission
from server.games.photos.upload import disk_full, storage_problem

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable
    from tempfile import SpooledTemporaryFile
    from wsgiref.types import WSGIApplication, WSGIEnvironment

    Message = dict[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

T = TypeVar("T")

_CHUNK = 131_072
_OK = 200
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RequestLimits:
    """Limits of requests, in bytes and seconds.

    Bodies of up to `small` bytes are accepted from anybody, larger ones as `Admission` allows: `each` at a time from
    one caller, of which the application handles `large` at a time. Together, bodies use at most `spool` bytes and leave
    `reserve` bytes of the disk free.

    Each chunk of a body must arrive within `pause` seconds, and the body within `seconds`, plus one for each `rate`
    bytes received, in at most `chunks` chunks, plus one for each `min_chunk` bytes. Up to `discard` bytes of a refused
    body are read. A client must receive each chunk of a response within `send` seconds.
    """

    threads: int = 40
    small: int = 65_536
    each: int = 8
    large: int = 12
    spool: int = 4_000_000_000
    reserve: int = 64_000_000
    pause: float = 30.0
    seconds: float = 120.0
    rate: float = 10_000.0
    chunks: int = 10_000
    min_chunk: int = 500
    discard: int = 64_000_000
    send: float = 60.0


class AsgiApp:
    """An ASGI application that wraps a WSGI application.

    It spools bodies in `folder`, or in the system's temporary folder if that one is not writable.
    """

    def __init__(self, app: WSGIApplication, folder: Path | None = None, limits: RequestLimits | None = None) -> None:
        self._app = app
        self._limits = limits or RequestLimits()
        self._folder = _writable(folder)
        self._threads = ThreadPoolExecutor(self._limits.threads, thread_name_prefix="haggle-request")
        self._large = asyncio.Semaphore(self._limits.large)
        self._callers: Counter[str] = Counter()
        self._spooled = 0
        self._interruptible: set[asyncio.Task[Any]] = set()
        self._stopping = False

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request, or the start and stop of the server."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            # Granian's own tasks cannot be cancelled.
            await asyncio.create_task(self._request(scope, receive, send))

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(8, thread_name_prefix="haggle-files"))
        for number in (signal.SIGTERM, signal.SIGINT):
            # The event loop receives signals through a file descriptor, so Granian's handler still runs.
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._stop))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    def _stop(self) -> None:
        """End event streams and uploads, for which Granian would wait; complete requests are still answered."""
        self._stopping = True
        for task in self._interruptible:
            task.cancel()

    async def _until_stopped(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of `work`; CancelledError if the server stops first."""
        task = asyncio.create_task(work)
        if self._stopping:
            task.cancel()
        self._interruptible.add(task)
        try:
            return await task
        finally:
            self._interruptible.discard(task)

    async def _request(self, scope: Message, receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        response = _Response(self._app, environ)
        # Resources of the body are released after the response has been sent.
        with contextlib.ExitStack() as held:
            try:
                size = await self._take_body(environ, receive, held)
                async with self._large if size > self._limits.small else contextlib.nullcontext():
                    first = await self._in_thread(response.start)
                stream = environ.get(STREAM)
                if stream and scope["method"] == "GET" and response.status == _OK:
                    await self._stream(stream, response, receive, send)
                else:
                    await self._send(response, first, send)
            except (ConnectionError, TimeoutError):
                # The client is gone or does not read.
                return
            except Exception:
                _log.exception("a request failed outside of the application")
                raise

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _take_body(self, environ: WSGIEnvironment, receive: Receive, held: contextlib.ExitStack) -> int:
        """Put the body, or the reason for its absence, into the environment; return its size."""
        body = _Body(environ, receive, self._limits)
        if not body.expected:
            return 0
        try:
            environ["wsgi.input"] = await self._until_stopped(self._spool(environ, body, held))
        except RequestEntityTooLarge:
            # The application may have a more important reason to refuse the request.
            environ["wsgi.input"] = _TooLarge()
            _set_length(environ, max(body.size, body.length or 0))
        except Problem as problem:
            # Its traceback refers to `receive`. Granian may close the connection only when `receive` is released, and
            # the environment is part of a reference cycle.
            problem.__context__ = None
            environ[PROBLEM] = problem.with_traceback(None)
        except asyncio.CancelledError:
            environ[PROBLEM] = _busy()
        else:
            _set_length(environ, body.size)
            return body.size
        # Most clients read the response only after they have sent everything.
        if "HTTP_EXPECT" not in environ:
            with contextlib.suppress(Problem, asyncio.CancelledError):
                await self._until_stopped(body.discard())
        return 0

    async def _spool(
        self, environ: WSGIEnvironment, body: _Body, held: contextlib.ExitStack
    ) -> SpooledTemporaryFile[bytes]:
        """Return a file with the body; Problem, or RequestEntityTooLarge if the caller may not send that much."""
        limits, most = self._limits, None
        file: SpooledTemporaryFile[bytes] = tempfile.SpooledTemporaryFile(limits.small, dir=str(self._folder))  # noqa: SIM115 - closed with all that is held
        held.callback(file.close)
        taken = 0

        def release() -> None:
            self._spooled -= taken

        held.callback(release)
        # Chunks may be tiny, and each write to the disk takes a thread.
        buffer = bytearray()
        while True:
            size = max(body.size, body.length or 0)
            if most is None and size > limits.small:
                most = await self._admit(environ, held)
            if most is not None and size > most:
                raise RequestEntityTooLarge
            if body.ended or len(buffer) >= _CHUNK:
                if body.size <= limits.small:
                    file.write(buffer)
                else:
                    await asyncio.to_thread(self._write, file, bytes(buffer))
                buffer.clear()
            if body.ended:
                file.seek(0)
                return file
            await body.next()
            if self._spooled + len(body.chunk) > limits.spool:
                raise _busy()
            self._spooled += len(body.chunk)
            taken += len(body.chunk)
            buffer += body.chunk

    def _write(self, file: SpooledTemporaryFile[bytes], chunk: bytes) -> None:
        try:
            free = shutil.disk_usage(self._folder).free
            if free < self._limits.reserve + len(chunk):
                raise problem_for(disk_full())
            file.write(chunk)
        except OSError as error:
            raise problem_for(storage_problem(error)) from error

    async def _admit(self, environ: WSGIEnvironment, held: contextlib.ExitStack) -> int:
        """Return how many bytes the caller may send, and count the body as the caller's; Problem."""
        admission = Admission()
        try:
            await self._in_thread(partial(self._app, {**environ, ADMISSION: admission}, _unexpected))
        except Exception:  # noqa: BLE001 - whatever it is, the caller hears that it may come back
            _log.exception("it cannot be determined how much a caller may send")
            raise _busy() from None
        if admission.max_bytes > self._limits.small:
            if self._callers[admission.caller] >= self._limits.each:
                raise _busy()
            self._callers[admission.caller] += 1
            held.callback(self._leave, admission.caller)
        return max(admission.max_bytes, self._limits.small)

    def _leave(self, caller: str) -> None:
        self._callers[caller] -= 1
        if not self._callers[caller]:
            del self._callers[caller]

    async def _send(self, response: _Response, chunk: bytes, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
            while not response.ended:
                await self._send_chunk(chunk, send)
                chunk = await self._in_thread(response.next_chunk)
            await self._send_chunk(chunk, send, more=False)
        finally:
            if not response.ended:
                await self._in_thread(response.close)

    async def _send_chunk(self, chunk: bytes, send: Send, *, more: bool = True) -> None:
        """Send bytes, in several messages if there are many; TimeoutError if the client does not receive them."""
        for start in range(0, max(len(chunk), 1), _CHUNK):
            part = chunk[start : start + _CHUNK] if len(chunk) > _CHUNK else chunk
            message = {"type": "http.response.body", "body": part, "more_body": more or start + _CHUNK < len(chunk)}
            async with asyncio.timeout(self._limits.send):
                await send(message)

    async def _stream(
        self, stream: Callable[[], AsyncGenerator[bytes, None]], response: _Response, receive: Receive, send: Send
    ) -> None:
        """Send an event stream until it ends, the client disconnects or the server stops."""
        headers = [(name, value) for name, value in response.headers if name != b"content-length"]
        await send({"type": "http.response.start", "status": response.status, "headers": headers})

        async def send_all() -> None:
            async with contextlib.aclosing(stream()) as chunks:
                async for chunk in chunks:
                    await self._send_chunk(chunk, send)

        async def wait_for_end() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            sending.cancel()

        sending = asyncio.create_task(self._until_stopped(send_all()))
        watching = asyncio.create_task(wait_for_end())
        try:
            await sending
        except (asyncio.CancelledError, ConnectionError, TimeoutError):
            _log.debug("an event stream has ended")
        finally:
            watching.cancel()
        await self._send_chunk(b"", send, more=False)


class _Body:
    """The body of a request, received in chunks."""

    def __init__(self, environ: WSGIEnvironment, receive: Receive, limits: RequestLimits) -> None:
        length = str(environ.get("CONTENT_LENGTH") or "")
        self.length = int(length) if length.isdecimal() else None
        # Only HTTP/1 headers show that a request has no body.
        self.expected = (
            bool(self.length) or "HTTP_TRANSFER_ENCODING" in environ or environ["SERVER_PROTOCOL"] >= "HTTP/2"
        )
        self.chunk = b""
        self.size = 0
        self.chunks = 0
        self.ended = False
        self._receive = receive
        self._limits = limits
        self._began = asyncio.get_running_loop().time()

    async def next(self) -> None:
        """Wait for the next chunk.

        Raises Problem with status 408 if it comes too late or 400 if there are too many, ConnectionError if the client
        is gone.
        """
        limits = self._limits
        end = self._began + limits.seconds + self.size / limits.rate
        left = min(limits.pause, end - asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout(left):
                message = await self._receive()
        except TimeoutError:
            self.ended = True
            raise problem_of_status(408) from None
        if message["type"] == "http.disconnect":
            raise ConnectionError
        self.chunk = message.get("body", b"")
        self.size += len(self.chunk)
        self.chunks += 1
        self.ended = not message.get("more_body", False)
        if self.chunks > limits.chunks + self.size / limits.min_chunk:
            raise problem_of_status(400)

    async def discard(self) -> None:
        """Read the rest, unless it is too large; errors as `next`."""
        while not self.ended and max(self.size, self.length or 0) <= self._limits.discard:
            await self.next()


class _TooLarge(io.RawIOBase):
    """The body of a request that was too large to receive."""

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: object) -> NoReturn:
        raise RequestEntityTooLarge


class _Response:
    """The response of a WSGI application, whose chunks are produced in threads."""

    def __init__(self, app: WSGIApplication, environ: WSGIEnvironment) -> None:
        self._app = app
        self._environ = environ
        self._chunks: Iterable[bytes] = ()
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.ended = False

    def start(self) -> bytes:
        """Call the application; return the first chunk."""
        self._chunks = self._app(self._environ, self._start_response)
        self._iterator = iter(self._chunks)
        return self.next_chunk()

    def next_chunk(self) -> bytes:
        """Return the next chunk; after the last one, `ended` is set."""
        parts, size = [], 0
        try:
            while size < _CHUNK:
                parts.append(next(self._iterator))
                size += len(parts[-1])
        except StopIteration:
            self.close()
        except BaseException:
            self.close()
            raise
        return b"".join(parts)

    def close(self) -> None:
        """Release the resources of the response."""
        self.ended = True
        if hasattr(self._chunks, "close"):
            self._chunks.close()

    def _start_response(self, status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        self.status = int(status[:3])
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return _unexpected


def environ_of(scope: Message) -> WSGIEnvironment:
    """Return the WSGI environment of a request, with an empty body."""
    client, server = scope.get("client") or ("", 0), scope.get("server") or ("", 0)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope.get("raw_path") or scope["path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": lambda file, _size=0: FileWrapper(file, _CHUNK),
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").upper(), raw_value.decode("latin-1")
        # X_Forwarded_For would become the same key as X-Forwarded-For, which proxies set.
        if "_" in name:
            continue
        key = name.replace("-", "_")
        key = key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"
        if key in environ:
            # HTTP/2 may send a cookie header for each cookie.
            value = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{value}"
        environ[key] = value
    return environ


def _set_length(environ: WSGIEnvironment, length: int) -> None:
    """Set the length of a body whose transfer may have been chunked."""
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    environ["CONTENT_LENGTH"] = str(length)


def _writable(folder: Path | None) -> Path:
    """Return the folder, created if missing, or the temporary folder if it is not writable."""
    if folder:
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
    return Path(tempfile.gettempdir())


def _unexpected(*_: object) -> NoReturn:
    raise RuntimeError("WSGI's write() is not supported")


def _busy() -> Problem:
    detail = "Many requests are coming in right now. Wait a few seconds and try again."
    return Problem(503, "busy", "Busy", detail, retry_after=5)
