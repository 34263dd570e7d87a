"""Runs the application until it is told to stop: one serving process, and the scan workers."""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import resource
import signal
import socket
import ssl
import threading
from dataclasses import dataclass
from functools import partial
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops, SSLProtocols
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels
from sqlalchemy.exc import SQLAlchemyError

from server.games.photos.scan_pool import ScanPool, read_and_develop
from server.games.photos.scan_service import ScanService
from server.storage.photo_store import RESERVE, SPOOL
from server.web_app.asgi import AsgiApp, RequestLimits
from server.web_app.background import Scheduler
from server.web_app.factory import AppConfig, create_app, open_checked, open_context
from server.web_app.instrumentation import NOTHING_TOLD
from server.web_app.pages import the_assets
from server.web_app.releases import Releases
from server.web_app.static import Assets
from server.workers.process_pool import WorkerProcessError, run_in_process

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from wsgiref.types import WSGIApplication

    from apiflask import APIFlask

    from server.games.context import AppContext
    from server.web_app.instrumentation import ObservabilityConfig


HOST, PORT = "127.0.0.1", 8000
CONNECTIONS = 8192
"""Connections at most, if the system lets a process have so many files; beyond that nobody else gets in. 150 phones
that open the page have six each."""
SPARE_FILES = 400
"""Files that a process needs beside its connections."""
HEAD_SECONDS = 20
"""How long the head of a request may take, and a connection stay open without one."""
GRACE = 4
"""Seconds that requests in hand get when the server stops."""
OURS: dict[str, object] = {"loggers": {"_granian": {"handlers": [], "propagate": True}}}
"""What the library beneath logs goes where our own lines go."""


class ServeError(Exception):
    """The server cannot start; the message says why in one line."""


class PortTakenError(ServeError):
    """Another program listens at the port; others may be free."""


def serve_app(
    config: AppConfig,
    host: str = HOST,
    port: int = PORT,
    *,
    announce: Callable[[int], None] | None = None,
    pair: CertificatePair | None = None,
    telling: ObservabilityConfig = NOTHING_TOLD,
) -> None:
    """Serve the games of a data folder, until Ctrl-C or SIGTERM.

    Port 0 takes any free one. `announce` is called with the port when the server starts to listen. Raises ServeError,
    DatabaseError or AssetError before that. With a `pair` over https; CertificateError. `telling` is what the server
    tells of itself; MetricsError, TracingError. PlaceError where photographs cannot be kept.
    """
    telling.check()
    # The pages' files may be missing. The application itself is not made here, since it opens the places.
    Assets.load()
    # So too the places; and so that the tables are brought to this version's form once.
    if config.photos:
        # Not in this process, from which the serving one may be forked: what speaks with S3 has threads of its own, of
        # which a fork keeps nothing but their memory. The first picture would end it.
        try:
            run_in_process(see_place, config)
        except WorkerProcessError as error:
            raise ServeError("the places of games and photographs do not answer; try again") from error
    else:
        see_place(config)
    loader = partial(load_app, config, telling)
    run(loader, host, port, config.folder, reserve=config.reserve, announce=announce, pair=pair)


def see_place(config: AppConfig) -> None:
    """See that games and photographs can be kept where they are to be; errors as `open_checked`."""
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
    """Serve what `loader` returns in the serving process, until Ctrl-C or SIGTERM; over https with a `pair`.

    Bodies of requests are spooled in `folder` and leave `reserve` bytes of its disk free.
    """
    if pair:
        pair.check()
    port = free_port(host, port)
    most = min(CONNECTIONS, open_files() - SPARE_FILES)
    server = Granian(
        "server.web_app",
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        loop=Loops.asyncio,
        websockets=False,
        workers=1,
        backpressure=max(most, 100),
        # Over plain http nobody speaks the second version.
        http=HTTPModes.auto if pair else HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEAD_SECONDS * 1000),
        http2_settings=HTTP2Settings(keep_alive_interval=HEAD_SECONDS * 1000, keep_alive_timeout=HEAD_SECONDS),
        log_level=LogLevels.error,
        log_dictconfig=OURS,
        ssl_cert=pair.certificate if pair else None,
        ssl_key=pair.key if pair else None,
        # Phones of 2012 to 2018 know no newer one.
        ssl_protocol_min=SSLProtocols.tls12,
        workers_kill_timeout=GRACE,
    )
    if announce:
        server.on_startup(partial(announce, port))
    spool = folder and folder / SPOOL
    server.serve(target_loader=partial(load_asgi, loader, spool, RequestLimits(reserve=reserve)), wrap_loader=False)


def open_files() -> int:
    """Return how many files this process and those that it starts may have open, after asking for as many as may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + SPARE_FILES
    wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    # A system may name a bound that it does not grant.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft


def load_asgi(loader: Callable[[], WSGIApplication], spool: Path | None, limits: RequestLimits) -> AsgiApp:
    """Return what `loader` does as an ASGI application."""
    return AsgiApp(loader(), spool, limits)


def load_app(config: AppConfig, telling: ObservabilityConfig = NOTHING_TOLD) -> APIFlask:
    """Return the application of a data folder in the serving process, with what it does beside answering."""
    telling.begin()
    context = open_context(config)
    app = create_app(config, context)
    # Before the first page is sent. A full disk is no reason not to start: only an upgrade needs these files.
    with contextlib.suppress(SQLAlchemyError):
        Releases(context.database, context.clock).keep(Assets.load())
    pool = work_beside(context, config)
    telling.serve(context, pool, app)
    pack(app)
    end_with_parent()
    return app


def work_beside(context: AppContext, config: AppConfig) -> ScanPool | None:
    """Scan what comes in, and do what is to be done from time to time, until this process ends; return who scans."""
    work = BackgroundServices(context, config)
    work.start()
    # Not by atexit: a process that another Python forked skips it.
    Finalize(None, work.close, exitpriority=10)
    return work.pool


class BackgroundServices:
    """What a process does beside answering: it scans, unless the configuration says that others do, and the chores."""

    def __init__(self, context: AppContext, config: AppConfig) -> None:
        self.context = context
        self.pool: ScanPool | None = None
        self._scans: ScanService | None = None
        self._chores = Scheduler(context)
        if config.scan_workers != 0:
            self.pool = ScanPool(None, workers=config.scan_workers, seconds=config.scan_seconds, job=read_and_develop)
            self._scans = ScanService(context, self.pool, lease=config.lease)

    def start(self) -> None:
        """Begin, and return at once."""
        if self._scans:
            self._scans.start()
        self._chores.start()

    def close(self) -> None:
        """Put back what is being scanned, end the chore in hand, and close the house."""
        if self._scans:
            self._scans.close()
        self._chores.close()
        self.context.press.close()
        self.context.close()


def pack(app: APIFlask) -> None:
    """Compress the pages' files while the first people are served already."""
    with app.app_context():
        threading.Thread(target=the_assets().pack, name="haggle-pack", daemon=True).start()


def end_with_parent() -> None:
    """End this serving process when the one that started it has ended in whatever way.

    Else, where only that one was killed, this would go on serving at a port that a new server wants.
    """
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent:
            parent.join()
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="haggle-parent", daemon=True).start()


def free_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0; ServeError if the address cannot be had, PortTakenError for its port.

    Granian shares its port with other processes, so a second server would silently take half of the requests.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except OverflowError:
        raise ServeError(f"{port} is no port: choose one from 1 to 65535 with --port") from None
    except UnicodeError:
        raise ServeError(f"{host} is no name of a machine: choose another with --host") from None
    except OSError as error:
        kind = PortTakenError if error.errno == errno.EADDRINUSE else ServeError
        raise kind(
            f"cannot listen at {host}, port {port}: {error.strerror}; choose another with --host or --port"
        ) from None


class CertificateError(Exception):
    """A server cannot use this certificate or key; the message names the file and says why in one line."""


# What OpenSSL says of two that do not belong together; the last one where they are not even of one kind.
_NO_PAIR = {"KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED"}


@dataclass(frozen=True)
class CertificatePair:
    """Files in PEM form: a certificate, with those between it and a root behind it, and its key without a password."""

    certificate: Path
    key: Path

    def check(self) -> None:
        """Raise CertificateError for files that cannot be read, hold something else, or do not belong together."""
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
            # A key with a password would be asked for at a terminal that need not be there.
            context.load_cert_chain(self.certificate, self.key, password=_no_password)
        except _PasswordWantedError:
            raise CertificateError(
                f"{self.key} has a password: store the key without one, readable by you alone"
            ) from None
        except ssl.SSLError as error:
            if error.reason in _NO_PAIR:
                raise CertificateError(
                    f"{self.key} is not the key of {self.certificate}: name the two of one pair"
                ) from None
            raise CertificateError(f"{self.certificate} and {self.key} cannot be used: {error.reason}") from None


class _PasswordWantedError(Exception):
    """A key has a password."""


def _no_password() -> str:
    raise _PasswordWantedError


def pair_of(certificate: Path | None, key: Path | None) -> CertificatePair | None:
    """Return the pair that two options name, None for neither; CertificateError for one without the other."""
    if certificate and key:
        return CertificatePair(certificate, key)
    if certificate or key:
        missing = "--tls-key" if certificate else "--tls-cert"
        raise CertificateError(f"a certificate and its key go together: {missing} is missing")
    return None
