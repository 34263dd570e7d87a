"""Prometheus metrics of this process, and the server that exposes them.

Labels are route patterns, methods, states and outcomes, never names of persons or games.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, disable_created_metrics, start_http_server
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily

from server import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from wsgiref.simple_server import WSGIServer

    from prometheus_client.core import Metric

    Source = Callable[[], Iterable[Metric]]

# They would double the number of series.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library has no types for it

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that are labels; others are counted as `other`."""

# Upper bounds of the histograms' buckets, in seconds.
_REQUEST_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SCAN_BUCKETS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0)


class MetricsError(Exception):
    """Metrics cannot be served; the message gives the reason in one line."""


class _Sources:
    """A collector that calls all sources at each scrape, and counts those that fail."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of all sources, and the number of sources that failed."""
        failed = 0
        for source in self._sources:
            try:
                found = list(source())
            except Exception:  # noqa: BLE001 - a database that is away must not take all other figures with it
                failed += 1
            else:
                yield from found
        yield gauge("haggle_sources_failed", "Sources of metrics that failed at this scrape.", failed)


def gauge(name: str, text: str, values: Mapping[str, float] | float, label: str = "") -> Metric:
    """Return a gauge: one value, or values by a `label`."""
    if not isinstance(values, Mapping):
        return GaugeMetricFamily(name, text, value=values)
    family = GaugeMetricFamily(name, text, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family


REQUEST_SECONDS = Histogram(
    "haggle_request_seconds",
    "Seconds until a response begins, by route, method and class of status.",
    ("route", "method", "status"),
    buckets=_REQUEST_BUCKETS,
    registry=None,
)
SCAN_SECONDS = Histogram(
    "haggle_scan_seconds",
    "Seconds from claiming a photo to storing the result, by outcome.",
    ("outcome",),
    buckets=_SCAN_BUCKETS,
    registry=None,
)


def new_registry(*sources: Source) -> CollectorRegistry:
    """Return the metrics of this process, and those of sources, which are called at each scrape and may fail."""
    registry = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=registry)
    registry.register(REQUEST_SECONDS)
    registry.register(SCAN_SECONDS)
    registry.register(_Sources(sources))
    return registry


def build_info(database: str) -> Metric:
    """Return the versions in use; `database` is the name of the database engine."""
    versions = {"version": VERSION, "python": platform.python_version(), "database": database}
    return InfoMetricFamily("haggle_build", "Versions, as labels.", versions)


def metrics_address(where: str) -> tuple[str, int]:
    """Parse `PORT` or `HOST:PORT`; the default host is the loopback address. MetricsError."""
    host, _, port = where.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 <= int(port) <= 65535):  # noqa: PLR2004 - the highest port
        raise MetricsError(f"{where!r} is not an address for metrics: give a port, such as 9464, or HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


def serve_metrics(address: tuple[str, int], registry: CollectorRegistry) -> WSGIServer:
    """Serve metrics in a thread, to anybody who can reach the address; MetricsError."""
    host, port = address
    try:
        server, _thread = start_http_server(port, host, registry)
    except OSError as error:
        raise MetricsError(
            f"metrics cannot be served at {host}, port {port}: {error.strerror}; choose another with --metrics"
        ) from None
    return server
