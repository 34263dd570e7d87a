"""Prometheus metrics of this process, and the server that exposes them.

Labels are route patterns, methods, states and outcomes, never names of persons or games.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, disable_created_metrics, start_http_server
from prometheus_client.core import GaugeMetricFamily

from server import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from wsgiref.simple_server import WSGIServer

    from prometheus_client.core import Metric

# They would double the number of series.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library has no types for it

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that are labels; others are counted as `other`."""

# Upper bounds of the histograms' buckets, in seconds.
_REQUEST_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SCAN_BUCKETS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0)


class MetricsError(Exception):
    """Metrics cannot be served; the message gives the reason in one line."""


@dataclass(frozen=True)
class Gauge:
    """A value collected at each scrape; `values` by label values, with the key () if there are no labels."""

    name: str
    help: str
    values: Mapping[tuple[str, ...], float]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Metrics:
    """The metrics of a process: its counters, and sources that are called at each scrape and may fail."""

    registry: CollectorRegistry = field(default_factory=lambda: CollectorRegistry(auto_describe=False))
    _sources: list[Callable[[], Iterable[Gauge]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        ProcessCollector(registry=self.registry)
        self.registry.register(REQUEST_SECONDS)
        self.registry.register(SCAN_SECONDS)
        self.registry.register(_SourceCollector(self._sources))

    def add_source(self, source: Callable[[], Iterable[Gauge]]) -> None:
        """Call a source at each scrape from now on."""
        self._sources.append(source)


class _SourceCollector:
    """Collects the gauges of all sources."""

    def __init__(self, sources: list[Callable[[], Iterable[Gauge]]]) -> None:
        self._sources = sources

    def collect(self) -> Iterator[Metric]:
        """Yield the gauges, and the number of sources that failed."""
        failed = 0
        for source in self._sources:
            try:
                found = list(source())
            except Exception:  # noqa: BLE001 - a database that is away must not take all other figures with it
                failed += 1
                continue
            for gauge in found:
                family = GaugeMetricFamily(gauge.name, gauge.help, labels=gauge.labels)
                for labels, value in gauge.values.items():
                    family.add_metric(labels, value)
                yield family
        yield GaugeMetricFamily("haggle_sources_failed", "Sources of metrics that failed at this scrape.", value=failed)


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


def build_info(database: str) -> Iterator[Gauge]:
    """Yield the versions in use; `database` is the name of the database engine."""
    values = (VERSION, platform.python_version(), database)
    yield Gauge("haggle_build_info", "Versions, as labels.", {values: 1}, ("version", "python", "database"))


def labelled(label: str, values: Mapping[str, float]) -> dict[str, Any]:
    """Return the arguments of a `Gauge` with one label."""
    return {"values": {(name,): value for name, value in values.items()}, "labels": (label,)}


def metrics_address(where: str) -> tuple[str, int]:
    """Parse `PORT` or `HOST:PORT`; the default host is the loopback address. MetricsError."""
    host, _, port = where.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 <= int(port) <= 65535):  # noqa: PLR2004 - the highest port
        raise MetricsError(f"{where!r} is not an address for metrics: give a port, such as 9464, or HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


def serve_metrics(address: tuple[str, int], metrics: Metrics) -> WSGIServer:
    """Serve metrics in a thread, to anybody who can reach the address; MetricsError."""
    host, port = address
    try:
        server, _thread = start_http_server(port, host, metrics.registry)
    except OSError as error:
        raise MetricsError(
            f"metrics cannot be served at {host}, port {port}: {error.strerror}; choose another with --metrics"
        ) from None
    return server
