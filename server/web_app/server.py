"""Runs the application: one serving process, with scan workers and periodic tasks."""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import signal
import socket
import ssl
import sys
import threading
from dataclasses import dataclass
from functools import partial
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

from granian.constants import HTTPModes, Interfaces, Loops, SSLProtocols
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels
from granian.server import MPServer
from sqlalchemy.exc import SQLAlchemyError

from server.games.photos.scan_pool import ScanPool, read_and_convert
from server.games.photos.scan_service import ScanService
from server.operating_system import claim_address, interrupts_blocked, raise_file_limit, unblock
from server.storage.photo_store import RESERVE, SPOOL
from server.web_app.asgi import AsgiApp, RequestLimits
from server.web_app.assets import Assets
from server.web_app.background import Scheduler
from server.web_app.factory import create_app
from server.web_app.instrumentation import NO_OBSERVABILITY
from server.web_app.releases import Releases
from server.web_app.stores import open_checked, open_context
from server.workers.process_pool import WorkerProcessError, run_in_process

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from wsgiref.types import WSGIApplication

    from apiflask import APIFlask

    from server.games.context import AppContext
    from server.web_app.instrumentation import ObservabilityConfig
    from server.web_app.settings import AppConfig


HOST, PORT = "127.0.0.1", 8000
MAX_CONNECTIONS = 8192
"""Connections at most, if the system allows that many open files. A phone opens six."""
OTHER_FILES = 400
"""Open files of a process besides its connections."""
HEADER_SECONDS = 20
"""Time limit of a request's headers, and of idle connections."""
SHUTDOWN_SECONDS = 4
"""Time for current requests when the server stops."""
GRANIAN_LOGGING: dict[str, object] = {"loggers": {"_granian": {"handlers": [], "propagate": True}}}


class ServeError(Exception):
    """The server cannot start; the message gives the reason in one line."""


class PortTakenError(ServeError):
    """Another program uses the port."""


def serve_app(
    config: AppConfig,
    host: str = HOST,
    port: int = PORT,
    *,
    announce: Callable[[int], None] | None = None,
    pair: CertificatePair | None = None,
    observability: ObservabilityConfig = NO_OBSERVABILITY,
) -> None:
    """Serve the games of a data folder until Ctrl-C or SIGTERM, over HTTPS with a certificate `pair`.

    Port 0 selects a free port. `announce` is called with the port when the server starts to listen. Before that, raises
    ServeError, DatabaseError, StorageError, AssetError, CertificateError, MetricsError or TracingError.
    """
    observability.check()
    # Finds out before the start whether files are missing, the database and photo store work, and migrates the tables.
    Assets.load()
    if config.photos:
        # In another process, since obstore starts threads, which are lost when the serving process is forked from this.
        try:
            run_in_process(check_storage, config)
        except WorkerProcessError as error:
            raise ServeError("the storage of games and pictures does not answer; try again") from error
    else:
        check_storage(config)
    loader = partial(load_app, config, observability)
    run(loader, host, port, config.folder, reserve=config.reserve, announce=announce, pair=pair)


def check_storage(config: AppConfig) -> None:
    """Open and close the database and photo store; errors as `open_checked`."""
    open_checked(config).close()


def run(
    loader: Callable[[], WSGIApplication],
    host: str,
    port: int,
    folder: Path | None = None,
    *,
    reserve: int = RESERVE,
    announce: Callable[[int], None] | None = None,
    pair: CertificatePair | None = None,
) -> None:
    """Serve the application that `loader` returns in the serving process, until Ctrl-C or SIGTERM.

    Request bodies are spooled in `folder`, leaving `reserve` bytes of its disk free.
    """
    if pair:
        pair.check()
    port = free_port(host, port)
    most = min(MAX_CONNECTIONS, raise_file_limit(MAX_CONNECTIONS + OTHER_FILES) - OTHER_FILES)
    server = _Server(
        "server.web_app",
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        loop=Loops.asyncio,
        websockets=False,
        workers=1,
        backpressure=max(most, 100),
        # Browsers use HTTP/2 only over TLS.
        http=HTTPModes.auto if pair else HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_SECONDS * 1000),
        http2_settings=HTTP2Settings(keep_alive_interval=HEADER_SECONDS * 1000, keep_alive_timeout=HEADER_SECONDS),
        log_level=LogLevels.error,
        log_dictconfig=GRANIAN_LOGGING,
        ssl_cert=pair.certificate if pair else None,
        ssl_key=pair.key if pair else None,
        # Phones of 2012 to 2018 support no newer version.
        ssl_protocol_min=SSLProtocols.tls12,
        workers_kill_timeout=SHUTDOWN_SECONDS,
    )
    if announce:
        server.on_startup(partial(announce, port))
    spool = folder and folder / SPOOL
    server.serve(target_loader=partial(load_asgi, loader, spool, RequestLimits(reserve=reserve)), wrap_loader=False)


class _Server(MPServer):
    """A server whose serving process ends by SIGTERM from the main process, not by Ctrl-C, even while it starts."""

    def _spawn_workers(self, *arguments: object) -> None:
        # Until `load_asgi`, a forked process would handle SIGTERM as the main process does. Granian calls public hooks
        # before this method, but none after it, where the main process has to unblock the signal.
        with interrupts_blocked(signal.SIGTERM):
            super()._spawn_workers(*arguments)  # type: ignore[no-untyped-call]  # it has no annotations


def load_asgi(loader: Callable[[], WSGIApplication], spool: Path | None, limits: RequestLimits) -> AsgiApp:
    """Return the application of `loader` as an ASGI application, in the serving process.

    A SIGTERM meanwhile ends the process once everything that has to be closed is known.
    """
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    unblock(signal.SIGTERM)
    app = AsgiApp(loader(), spool, limits)
    # From now on, until Granian's own handler.
    signal.signal(signal.SIGTERM, _exit)
    if stopped.is_set():
        sys.exit()
    return app


def _exit(*_: object) -> None:
    sys.exit()


def load_app(config: AppConfig, observability: ObservabilityConfig = NO_OBSERVABILITY) -> APIFlask:
    """Return the application of a data folder, and start the background services of the serving process."""
    observability.begin()
    context = open_context(config)
    app = create_app(config, context)
    # Only rolling upgrades need these files, so the server starts even if the disk is full.
    with contextlib.suppress(SQLAlchemyError):
        Releases(context.database, context.clock).store(Assets.load())
    services = BackgroundServices(context, config)
    services.start()
    # Not atexit, which multiprocessing children skip.
    Finalize(None, services.close, exitpriority=10)
    observability.serve(context, services.pool, app)
    _end_with_parent()
    return app


class BackgroundServices:
    """The periodic tasks of a process, and its scan workers unless the configuration disables them."""

    def __init__(self, context: AppContext, config: AppConfig) -> None:
        self.context = context
        self.pool: ScanPool | None = None
        self._scans: ScanService | None = None
        self._chores = Scheduler(context)
        if config.scan_workers != 0:
            self.pool = ScanPool(None, workers=config.scan_workers, seconds=config.scan_seconds, job=read_and_convert)
            self._scans = ScanService(context, self.pool, lease=config.lease)

    def start(self) -> None:
        """Start, without waiting."""
        if self._scans:
            self._scans.start()
        self._chores.start()

    def close(self) -> None:
        """Return photos that are being scanned to the queue, finish the current tasks, and close the context."""
        if self._scans:
            self._scans.close()
        self._chores.close()
        self.context.print_runner.close()
        self.context.close()


def _end_with_parent() -> None:
    """End this process when its parent ends, even if that was killed, so that the port becomes free."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent:
            parent.join()
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="haggle-parent", daemon=True).start()


def free_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0; PortTakenError if it is in use, ServeError if it cannot be used.

    Granian shares its port with other processes, so a second server would silently take half of the requests.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            claim_address(probe)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except OverflowError:
        raise ServeError(f"{port} is not a port: choose one from 1 to 65535 with --port") from None
    except UnicodeError:
        raise ServeError(f"{host} is not the name of a machine: choose another with --host") from None
    except OSError as error:
        kind = PortTakenError if error.errno == errno.EADDRINUSE else ServeError
        raise kind(
            f"cannot listen at {host}, port {port}: {error.strerror}; choose another with --host or --port"
        ) from None


class CertificateError(Exception):
    """A certificate or key cannot be used; the message names the file and the reason in one line."""


# OpenSSL's reasons for a certificate and a key that do not match.
_MISMATCH_REASONS = {"KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED"}


@dataclass(frozen=True)
class CertificatePair:
    """PEM files of a certificate chain and its key, which has no password."""

    certificate: Path
    key: Path

    def check(self) -> None:
        """Raise CertificateError if the files cannot be read, are not PEM files, or do not match."""
        for file, what in ((self.certificate, "CERTIFICATE"), (self.key, "PRIVATE KEY")):
            try:
                text = file.read_text(encoding="ascii")
            except OSError as error:
                raise CertificateError(f"{file} cannot be read: {error.strerror}") from None
            except UnicodeError:
                text = ""
            if f"{what}-----" not in text:
                raise CertificateError(f"{file} holds no {what.lower()} in PEM form (a text with BEGIN {what})")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            # Without this, OpenSSL asks for passwords at the terminal.
            context.load_cert_chain(self.certificate, self.key, password=_no_password)
        except _PasswordWantedError:
            raise CertificateError(
                f"{self.key} has a password: store the key without one, readable by you alone"
            ) from None
        except ssl.SSLError as error:
            if error.reason in _MISMATCH_REASONS:
                raise CertificateError(
                    f"{self.key} is not the key of {self.certificate}: name the two of one pair"
                ) from None
            raise CertificateError(f"{self.certificate} and {self.key} cannot be used: {error.reason}") from None


class _PasswordWantedError(Exception):
    """The key has a password."""


def _no_password() -> str:
    raise _PasswordWantedError


def pair_of(certificate: Path | None, key: Path | None) -> CertificatePair | None:
    """Return the pair of two options, None if neither is set; CertificateError if one is missing."""
    if certificate and key:
        return CertificatePair(certificate, key)
    if certificate or key:
        missing = "--tls-key" if certificate else "--tls-cert"
        raise CertificateError(f"a certificate and its key go together: {missing} is missing")
    return None
