"""The configuration of logs, metrics and traces, and the metrics of a process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import func, select

from server.db.models import Game, Photo
from server.games.lifecycle.states import State
from server.games.photos.scan_queue import PhotoState
from server.games.photos.scan_service import count_scan_slots
from server.observability.logs import set_up_logs
from server.observability.metrics import build_info, gauge, new_registry, serve_metrics
from server.observability.tracing import check_tracing, set_up_tracing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from flask import Flask
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric
    from sqlalchemy import Engine

    from server.games.context import AppContext
    from server.games.photos.scan_pool import ScanPool


@dataclass(frozen=True)
class ObservabilityConfig:
    """Configuration of logs, metrics and traces.

    `logs` is a format of logs ("": Python's default), `access` whether requests are logged, `metrics` host and port for
    Prometheus, and `traces` whether spans are sent. A process calls `begin` first, and `serve` when its database is
    open.
    """

    logs: str = ""
    access: bool = False
    metrics: tuple[str, int] | None = None
    traces: bool = False

    def check(self) -> None:
        """Set up logs, and raise MetricsError or TracingError if the rest of the configuration cannot work."""
        if self.logs:
            set_up_logs(self.logs, access=self.access)
        if self.traces:
            check_tracing()
        if self.metrics:
            tried = serve_metrics(self.metrics, new_registry())
            tried.shutdown()
            tried.server_close()

    def begin(self) -> None:
        """Start logs and traces."""
        if self.logs:
            set_up_logs(self.logs, access=self.access)
        if self.traces:
            set_up_tracing()

    def serve(self, context: AppContext, pool: ScanPool | None = None, app: Flask | None = None) -> None:
        """Serve the metrics of this process, its scan workers and its application."""
        if self.metrics:
            serve_metrics(self.metrics, process_metrics(context, pool, app))


NO_OBSERVABILITY = ObservabilityConfig()
"""Python's default logs, no metrics and no traces."""


def process_metrics(context: AppContext, pool: ScanPool | None = None, app: Flask | None = None) -> CollectorRegistry:
    """Return the metrics of a process, and of its scan workers and its application if it has any."""
    engine = context.database.engine
    sources: list[Callable[[], Iterable[Metric]]] = [
        lambda: [build_info(engine.dialect.name)],
        partial(_connection_metrics, engine),
        partial(_row_metrics, context),
    ]
    if pool:
        slots = float(pool.size)
        sources.append(lambda: [gauge("haggle_scanners", "Photos that this process can scan at the same time.", slots)])
    if app:
        sources.append(partial(_app_metrics, app))
    return new_registry(*sources)


def _row_metrics(context: AppContext) -> Iterator[Metric]:
    with context.database.reading() as session:
        photos = _counts(session.execute(select(Photo.state, func.count()).group_by(Photo.state)))
        games = _counts(session.execute(select(Game.state, func.count()).group_by(Game.state)))
        slots = count_scan_slots(session, context.time(session))
        oldest = session.scalar(select(func.min(Photo.created)).where(Photo.state == PhotoState.WAITING))
    age = max(0.0, (context.clock() - oldest).total_seconds()) if oldest else 0.0
    yield gauge("haggle_photos", "Photos, by state.", dict.fromkeys(PhotoState, 0.0) | photos, "state")
    yield gauge("haggle_games", "Games, by state.", dict.fromkeys(State, 0.0) | games, "state")
    yield gauge("haggle_scanners_everywhere", "Photos that all processes can scan at the same time.", slots)
    yield gauge("haggle_oldest_waiting_seconds", "Age of the oldest waiting photo.", age)


def _counts(rows: Any) -> dict[str, float]:  # noqa: ANN401 - rows of a word and a number
    return {str(label): float(number) for label, number in rows}


def _connection_metrics(engine: Engine) -> Iterator[Metric]:
    # Not all kinds of pools have these counters.
    counters: dict[str, Callable[[], int] | None] = {
        "in-use": getattr(engine.pool, "checkedout", None),
        "idle": getattr(engine.pool, "checkedin", None),
    }
    values = {state: float(count()) for state, count in counters.items() if count}
    yield gauge("haggle_database_connections", "Connections to the database, by state.", values, "state")


def _app_metrics(app: Flask) -> Iterator[Metric]:
    broker = app.extensions.get("haggle-events")
    watchers = cast("dict[str, int]", broker.audiences if broker else {})
    roles = {role: float(watchers.get(role, 0)) for role in ("organiser", "player", "projector")}
    yield gauge("haggle_watchers", "Open event streams, by role.", roles, "role")
