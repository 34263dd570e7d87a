"""Tells of each request, outside of whatever answers it: an id for its log lines, its figures, its span, its line.

None of it holds the path, the query, an address or a header of the caller: tokens, names and envelopes are in those.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from flask import request
from sqlalchemy import func, select
from werkzeug.wsgi import ClosingIterator

from server.api.uploads import ADMISSION
from server.db.models import Game, Photo
from server.games.lifecycle.states import State
from server.games.photos.heartbeat import scanning_places
from server.games.photos.scan_queue import PhotoState
from server.observability import logs
from server.observability.logs import ACCESS, fact, set_up_logs
from server.observability.metrics import METHODS, Gauge, Metrics, build, by, count_request, serve_metrics
from server.observability.tracing import check_tracing, set_up_tracing, span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from flask import Flask
    from sqlalchemy import Engine

    from server.games.context import AppContext
    from server.games.photos.scan_pool import ScanPool


HEADER = "X-Request-Id"
"""Comes with each answer: the same id stands in the log."""
NOWHERE = "(none)"
"""The route of a request that fits none."""
_ROUTE = "haggle.route"
_log = logging.getLogger(ACCESS)


def observe(app: Flask) -> None:
    """Tell of each request of an application from now on. To be called last: what wraps it later is not seen."""

    def note() -> None:
        request.environ[_ROUTE] = route_in_hand()

    # First of all, since what comes before a view may refuse a request.
    app.before_request_funcs.setdefault(None, []).insert(0, note)
    app.wsgi_app = _Observed(app.wsgi_app)  # type: ignore[method-assign]  # as Flask says to do


class _Observed:
    """An application, seen from outside."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if ADMISSION in environ:
            return self._application(environ, start_response)
        began = time.monotonic()
        said: dict[str, Any] = {"status": 500, "bytes": None}
        method = environ.get("REQUEST_METHOD", "")
        method = method if method in METHODS else "other"

        def answer(status: str, headers: list[tuple[str, str]], *more: Any) -> Callable[[bytes], object]:  # noqa: ANN401 - what WSGI says
            length = next((value for name, value in headers if name.lower() == "content-length"), None)
            said.update(status=int(status[:3]), bytes=int(length) if length else None)
            return start_response(status, [*headers, (HEADER, which)], *more)

        with logs.request() as which, span("request", method=method) as work:
            body = self._application(environ, answer)
            route = environ.get(_ROUTE, NOWHERE)
            work.note(route=route, status=said["status"])
        count_request(route, method, said["status"], time.monotonic() - began)
        if not _log.isEnabledFor(logging.INFO):
            return body

        def ended() -> None:
            told = {"method": method, "route": route, **said, "seconds": round(time.monotonic() - began, 4)}
            _log.info("request", extra=fact(request=which, **told))

        return ClosingIterator(body, [ended])


def route_in_hand() -> str:
    """Return the route of the request in hand as it is written in the code, for a log line."""
    return request.url_rule.rule if request.url_rule else NOWHERE


def of_application(app: Flask) -> Iterator[Gauge]:
    """Yield what an application knows of itself: who watches live."""
    broker = app.extensions.get("haggle-events")
    watchers = cast("dict[str, int]", broker.audiences if broker else {})
    roles = {role: float(watchers.get(role, 0)) for role in ("organiser", "player", "projector")}
    yield Gauge("haggle_watchers", "Live streams that are open, by who watches.", **by("role", roles))


def figures_of(context: AppContext, pool: ScanPool | None = None) -> Metrics:
    """Return the figures of a process that has a house open, and scans with a pool of processes if it has one."""
    figures = Metrics()
    engine = context.database.engine
    figures.ask(lambda: build(engine.dialect.name))
    figures.ask(lambda: _connections(engine))
    figures.ask(lambda: _rows(context))
    if pool:
        figures.ask(lambda: _scanners(pool))
    return figures


def _rows(context: AppContext) -> Iterator[Gauge]:
    """Yield what the rows tell: three counts, each by an index, and two short looks."""
    with context.database.reading() as session:
        photos = _counted(session.execute(select(Photo.state, func.count()).group_by(Photo.state)))
        games = _counted(session.execute(select(Game.state, func.count()).group_by(Game.state)))
        places = scanning_places(session, context.time(session))
        oldest = session.scalar(select(func.min(Photo.created)).where(Photo.state == PhotoState.WAITING))
    age = max(0.0, (context.clock() - oldest).total_seconds()) if oldest else 0.0
    yield Gauge("haggle_photos", "Pictures, by state.", **by("state", dict.fromkeys(PhotoState, 0.0) | photos))
    yield Gauge("haggle_games", "Games, by state.", **by("state", dict.fromkeys(State, 0.0) | games))
    yield Gauge(
        "haggle_scanners_everywhere", "Pictures that all processes together read side by side.", {(): float(places)}
    )
    yield Gauge("haggle_oldest_waiting_seconds", "How long the picture that came first has waited.", {(): age})


def _counted(rows: Any) -> dict[str, float]:  # noqa: ANN401 - rows of a word and a number
    return {str(word): float(number) for word, number in rows}


def _connections(engine: Engine) -> Iterator[Gauge]:
    """Yield how many connections to the database this process has."""
    # Not every kind of pool counts.
    counters: dict[str, Callable[[], int] | None] = {
        "in-use": getattr(engine.pool, "checkedout", None),
        "idle": getattr(engine.pool, "checkedin", None),
    }
    values = {state: float(count()) for state, count in counters.items() if count}
    yield Gauge("haggle_database_connections", "Connections to the database, by state.", **by("state", values))


def _scanners(pool: ScanPool) -> Iterator[Gauge]:
    yield Gauge("haggle_scanners", "Photographs that are scanned side by side.", {(): float(pool.size)})


@dataclass(frozen=True)
class ObservabilityConfig:
    """Configuration of logs, metrics and traces.

    `logs` is a style of logs ("": Python's own), `access` whether each request is logged, `metrics` host and port at
    which Prometheus may ask, and `traces` whether spans are sent. A process that serves pages or works on the queue
    calls `begin` first, and `serve` when its house is open.
    """

    logs: str = ""
    access: bool = False
    metrics: tuple[str, int] | None = None
    traces: bool = False

    def check(self) -> None:
        """Raise MetricsError or TracingError now, rather than when the work has begun."""
        if self.logs:
            set_up_logs(self.logs, access=self.access)
        if self.traces:
            check_tracing()
        if self.metrics:
            tried = serve_metrics(self.metrics, Metrics())
            tried.shutdown()
            tried.server_close()

    def begin(self) -> None:
        """Log and trace from now on."""
        if self.logs:
            set_up_logs(self.logs, access=self.access)
        if self.traces:
            set_up_tracing()

    def serve(self, context: AppContext, pool: ScanPool | None = None, app: Flask | None = None) -> None:
        """Serve the metrics of a house, of its scan workers, and of the application that is served, if there is one."""
        if self.metrics:
            figures = figures_of(context, pool)
            if app:
                figures.ask(partial(of_application, app))
            serve_metrics(self.metrics, figures)


NOTHING_TOLD = ObservabilityConfig()
"""Logs in Python's own style, no metrics, no traces."""
