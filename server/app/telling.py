"""What a process tells of itself, as its operator wants it: how it logs, where it tells figures, whether it traces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from server.app.observed import of_application
from server.observe.listening import listen
from server.observe.logs import set_up_logs
from server.observe.otel import otel_tracer, packages
from server.observe.tracing import trace
from server.play.figures import figures_of

if TYPE_CHECKING:
    from flask import Flask

    from server.jobs.scanning import ScanPool
    from server.observe.listening import Ear
    from server.play.house import House


@dataclass(frozen=True)
class Telling:
    """What a process tells. `logs` is a style of logs ("": Python's own way), `access` whether each request is logged.

    `figures` is where Prometheus may ask, and `traces` whether spans go to OpenTelemetry. A process that serves pages
    or works on the queue calls `begin` first, and `tell` when it has its house.
    """

    logs: str = ""
    access: bool = False
    figures: Ear | None = None
    traces: bool = False

    def check(self) -> None:
        """Find out early whether this can be done; ListeningError, TracingError."""
        if self.logs:
            set_up_logs(self.logs, access=self.access)
        if self.traces:
            packages()
        if self.figures:
            tried = listen(self.figures, None)
            tried.shutdown()
            tried.server_close()

    def begin(self) -> None:
        """Log and trace from now on."""
        if self.logs:
            set_up_logs(self.logs, access=self.access)
        if self.traces:
            trace(otel_tracer())

    def tell(self, house: House, pool: ScanPool | None = None, app: Flask | None = None) -> None:
        """Tell the figures of a house, of who scans, and of the application that is served, if there is one."""
        if self.figures:
            figures = figures_of(house, pool)
            if app:
                figures.ask(partial(of_application, app))
            listen(self.figures, figures)


NOTHING_TOLD = Telling()
"""Logs in Python's own way, no figures, no traces."""
