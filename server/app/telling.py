"""Logs, metrics and traces of a process, as its operator wants them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from server.app.observed import of_application
from server.observe.logs import set_up_logs
from server.observe.metrics import Figures, serve_metrics
from server.observe.tracing import check_tracing, set_up_tracing
from server.play.figures import figures_of

if TYPE_CHECKING:
    from flask import Flask

    from server.jobs.scanning import ScanPool
    from server.play.house import House


@dataclass(frozen=True)
class Telling:
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
            tried = serve_metrics(self.metrics, Figures())
            tried.shutdown()
            tried.server_close()

    def begin(self) -> None:
        """Log and trace from now on."""
        if self.logs:
            set_up_logs(self.logs, access=self.access)
        if self.traces:
            set_up_tracing()

    def serve(self, house: House, pool: ScanPool | None = None, app: Flask | None = None) -> None:
        """Serve the metrics of a house, of its scan workers, and of the application that is served, if there is one."""
        if self.metrics:
            figures = figures_of(house, pool)
            if app:
                figures.ask(partial(of_application, app))
            serve_metrics(self.metrics, figures)


NOTHING_TOLD = Telling()
"""Logs in Python's own style, no metrics, no traces."""
