"""Serves a WSGI application over ASGI, so that slow clients hold no threads.

A request gets a thread once its body is in a file, and only while the application works on it. Answers and event
streams are sent by coroutines.
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

from server.api.context import problem_for
from server.api.events import STREAM
from server.api.problems import PROBLEM, Problem, of_status
from server.api.uploads import ADMISSION, Admission
from server.games.photos.upload import disk_full, no_place

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable
    from tempfile import SpooledTemporaryFile
    from wsgiref.types import WSGIApplication, WSGIEnvironment

    Message = dict[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

T = TypeVar("T")

_PIECE = 131_072
_OK = 200
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RequestLimits:
    """How much requests may take, in bytes and seconds.

    Up to `small` bytes of a body are taken from anybody, more only as `Admission` allows. `each` such larger bodies may
    come from one caller at a time, and the application works on `large` of them at a time. Together, bodies take up to
    `spool` bytes and leave `reserve` bytes of the disk free.

    Each piece of a body has to come within `pause`, and the whole within `seconds`, plus one for each `rate` bytes
    received, and in `pieces` pieces, plus one for each `least` bytes. Up to `discard` bytes of a refused body are read.
    A client has to take each piece of an answer within `taken`.
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
    pieces: int = 10_000
    least: int = 500
    discard: int = 64_000_000
    taken: float = 60.0


class AsgiApp:
    """An ASGI application that answers as a WSGI application does.

    It spools bodies in `folder`, or in the system's folder for temporary files if that one cannot be written to.
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
        """Answer a request, or follow the start and stop of the server."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            # In a task of its own, since Granian's tasks cannot be cancelled.
            await asyncio.create_task(self._request(scope, receive, send))

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(8, thread_name_prefix="haggle-files"))
        for number in (signal.SIGTERM, signal.SIGINT):
            # The event loop learns of signals through a file descriptor, so Granian's handler is still called.
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._stop))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    def _stop(self) -> None:
        """End streams and uploads, for which Granian would wait; requests that have come in are answered."""
        self._stopping = True
        for task in self._interruptible:
            task.cancel()

    async def _until_stopped(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what `work` returns; CancelledError if the server stops first."""
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
        answer = _Answer(self._app, environ)
        # What the body takes is given back when the answer has been sent.
        with contextlib.ExitStack() as held:
            try:
                size = await self._take_body(environ, receive, held)
                async with self._large if size > self._limits.small else contextlib.nullcontext():
                    first = await self._in_thread(answer.begin)
                stream = environ.get(STREAM)
                if stream and scope["method"] == "GET" and answer.status == _OK:
                    await self._stream(stream, answer, receive, send)
                else:
                    await self._send(answer, first, send)
            except (ConnectionError, TimeoutError):
                # The client is gone or does not read: nobody can be told.
                return
            except Exception:
                _log.exception("a request failed outside of the application")
                raise

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _take_body(self, environ: WSGIEnvironment, receive: Receive, held: contextlib.ExitStack) -> int:
        """Put the body into the environment, or why there is none; return how many bytes the application gets."""
        body = _Body(environ, receive, self._limits)
        if not body.comes:
            return 0
        try:
            environ["wsgi.input"] = await self._until_stopped(self._spool(environ, body, held))
        except RequestEntityTooLarge:
            # The application may have another reason to refuse it, which comes before this one.
            environ["wsgi.input"] = _TooLarge()
            _tell_length(environ, max(body.size, body.length or 0))
        except Problem as problem:
            environ[PROBLEM] = problem
        except asyncio.CancelledError:
            environ[PROBLEM] = _busy()
        else:
            _tell_length(environ, body.size)
            return body.size
        # Most clients look for an answer only after they have sent everything.
        if "HTTP_EXPECT" not in environ:
            with contextlib.suppress(Problem, asyncio.CancelledError):
                await self._until_stopped(body.discard())
        return 0

    async def _spool(
        self, environ: WSGIEnvironment, body: _Body, held: contextlib.ExitStack
    ) -> SpooledTemporaryFile[bytes]:
        """Return a file with the body; Problem, or RequestEntityTooLarge for what the caller may not send."""
        limits, most = self._limits, None
        file: SpooledTemporaryFile[bytes] = tempfile.SpooledTemporaryFile(limits.small, dir=str(self._folder))  # noqa: SIM115 - closed with all that is held
        held.callback(file.close)
        taken = 0

        def give_back() -> None:
            self._spooled -= taken

        held.callback(give_back)
        # Pieces may be of one byte each, and each write to the disk takes a thread.
        gathered = bytearray()
        while True:
            size = max(body.size, body.length or 0)
            if most is None and size > limits.small:
                most = await self._admit(environ, held)
            if most is not None and size > most:
                raise RequestEntityTooLarge
            if body.ended or len(gathered) >= _PIECE:
                if body.size <= limits.small:
                    file.write(gathered)
                else:
                    await asyncio.to_thread(self._write, file, bytes(gathered))
                gathered.clear()
            if body.ended:
                file.seek(0)
                return file
            await body.next()
            if self._spooled + len(body.piece) > limits.spool:
                raise _busy()
            self._spooled += len(body.piece)
            taken += len(body.piece)
            gathered += body.piece

    def _write(self, file: SpooledTemporaryFile[bytes], piece: bytes) -> None:
        try:
            room = shutil.disk_usage(self._folder).free
            if room < self._limits.reserve + len(piece):
                raise problem_for(disk_full())
            file.write(piece)
        except OSError as error:
            raise problem_for(no_place(error)) from error

    async def _admit(self, environ: WSGIEnvironment, held: contextlib.ExitStack) -> int:
        """Return how many bytes the caller may send, and count the body for the caller; Problem."""
        admission = Admission()
        try:
            await self._in_thread(partial(self._app, {**environ, ADMISSION: admission}, _unexpected))
        except Exception:  # noqa: BLE001 - whatever it is, the caller hears that it may come back
            _log.exception("it cannot be determined how much a caller may send")
            raise _busy() from None
        if admission.most > self._limits.small:
            if self._callers[admission.caller] >= self._limits.each:
                raise _busy()
            self._callers[admission.caller] += 1
            held.callback(self._leave, admission.caller)
        return max(admission.most, self._limits.small)

    def _leave(self, caller: str) -> None:
        self._callers[caller] -= 1
        if not self._callers[caller]:
            del self._callers[caller]

    async def _send(self, answer: _Answer, piece: bytes, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
            while not answer.ended:
                await self._send_piece(piece, send)
                piece = await self._in_thread(answer.piece)
            await self._send_piece(piece, send, more=False)
        finally:
            if not answer.ended:
                await self._in_thread(answer.close)

    async def _send_piece(self, piece: bytes, send: Send, *, more: bool = True) -> None:
        """Send bytes, in several messages if there are many; TimeoutError if the client does not take them."""
        for start in range(0, max(len(piece), 1), _PIECE):
            part = piece[start : start + _PIECE] if len(piece) > _PIECE else piece
            message = {"type": "http.response.body", "body": part, "more_body": more or start + _PIECE < len(piece)}
            await asyncio.wait_for(send(message), self._limits.taken)

    async def _stream(
        self, stream: Callable[[], AsyncGenerator[bytes, None]], answer: _Answer, receive: Receive, send: Send
    ) -> None:
        """Send what an event stream yields until it ends, the client goes or the server stops."""
        headers = [(name, value) for name, value in answer.headers if name != b"content-length"]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})

        async def send_all() -> None:
            async with contextlib.aclosing(stream()) as pieces:
                async for piece in pieces:
                    await self._send_piece(piece, send)

        async def wait_for_end() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            sending.cancel()

        sending = asyncio.create_task(self._until_stopped(send_all()))
        watching = asyncio.create_task(wait_for_end())
        try:
            await sending
        except (asyncio.CancelledError, ConnectionError, TimeoutError):
            _log.debug("an event stream is over")
        finally:
            watching.cancel()
        await self._send_piece(b"", send, more=False)


class _Body:
    """The body of a request, as it comes in piece by piece."""

    def __init__(self, environ: WSGIEnvironment, receive: Receive, limits: RequestLimits) -> None:
        length = str(environ.get("CONTENT_LENGTH") or "")
        self.length = int(length) if length.isdecimal() else None
        # Only in HTTP/1 a request without a body can be told from its head.
        self.comes = bool(self.length) or "HTTP_TRANSFER_ENCODING" in environ or environ["SERVER_PROTOCOL"] >= "HTTP/2"
        self.piece = b""
        self.size = 0
        self.pieces = 0
        self.ended = False
        self._receive = receive
        self._limits = limits
        self._began = asyncio.get_running_loop().time()

    async def next(self) -> None:
        """Wait for the next piece; Problem with status 408 if it comes too late, ConnectionError if none will come.

        Problem with status 400 for a body in so many pieces that they would keep the server busy.
        """
        limits = self._limits
        end = self._began + limits.seconds + self.size / limits.rate
        left = min(limits.pause, end - asyncio.get_running_loop().time())
        try:
            message = await asyncio.wait_for(self._receive(), max(left, 0))
        except TimeoutError:
            self.ended = True
            raise of_status(408) from None
        if message["type"] == "http.disconnect":
            raise ConnectionError
        self.piece = message.get("body", b"")
        self.size += len(self.piece)
        self.pieces += 1
        self.ended = not message.get("more_body", False)
        if self.pieces > limits.pieces + self.size / limits.least:
            raise of_status(400)

    async def discard(self) -> None:
        """Read what is left of it, unless that is too much; Problem as `next`."""
        while not self.ended and max(self.size, self.length or 0) <= self._limits.discard:
            await self.next()


class _TooLarge(io.RawIOBase):
    """A body that was not taken since it is too large."""

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: object) -> NoReturn:
        raise RequestEntityTooLarge


class _Answer:
    """The answer of a WSGI application, whose pieces are taken in threads."""

    def __init__(self, app: WSGIApplication, environ: WSGIEnvironment) -> None:
        self._app = app
        self._environ = environ
        self._pieces: Iterable[bytes] = ()
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.ended = False

    def begin(self) -> bytes:
        """Let the application work; return the first piece."""
        self._pieces = self._app(self._environ, self._start)
        self._iterator = iter(self._pieces)
        return self.piece()

    def piece(self) -> bytes:
        """Return the next piece; after the last one the answer has `ended`."""
        parts, size = [], 0
        try:
            while size < _PIECE:
                parts.append(next(self._iterator))
                size += len(parts[-1])
        except StopIteration:
            self.close()
        except BaseException:
            self.close()
            raise
        return b"".join(parts)

    def close(self) -> None:
        """Free what the answer holds."""
        self.ended = True
        if hasattr(self._pieces, "close"):
            self._pieces.close()

    def _start(self, status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        self.status = int(status[:3])
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return _unexpected


def environ_of(scope: Message) -> WSGIEnvironment:
    """Return the environment that a WSGI application gets for a request, with an empty body."""
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
        "wsgi.file_wrapper": lambda file, _size=0: FileWrapper(file, _PIECE),
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


def _tell_length(environ: WSGIEnvironment, length: int) -> None:
    """Tell the application the length of a body that may have come in chunks."""
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    environ["CONTENT_LENGTH"] = str(length)


def _writable(folder: Path | None) -> Path:
    """Return the folder, made if it is not there, if files can be made in it, else the one for temporary files."""
    if folder:
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
    return Path(tempfile.gettempdir())


def _unexpected(*_: object) -> NoReturn:
    raise RuntimeError("the application is not to send anything this way")


def _busy() -> Problem:
    said = "Many requests are coming in right now. Wait a few seconds and try again."
    return Problem(503, "busy", "Busy", said, retry_after=5)
