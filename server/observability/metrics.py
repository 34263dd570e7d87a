"""Metrics of this process for Prometheus: what it counts itself, what is asked of it at each scrape, and their server.

Labels are words of the code: routes as they are written, methods, states, outcomes. None is of a person or a game.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, disable_created_metrics, start_http_server
from prometheus_client.core import GaugeMetricFamily

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from wsgiref.simple_server import WSGIServer

    from prometheus_client.core import Metric

# They would double the number of series, and nobody asks for them.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library has no types for it

VERSION = "0.1.0"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

# Upper bounds of the histograms' buckets, in seconds.
_ANSWERS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SCANS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0)


class MetricsError(Exception):
    """Metrics cannot be served as was asked; the message says why in one line."""


@dataclass(frozen=True)
class Gauge:
    """A figure that is asked for when somebody looks; `values` by what the labels say, under () without any."""

    name: str
    help: str
    values: Mapping[tuple[str, ...], float]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Metrics:
    """One process' figures. `ask` adds what is to be asked at each look; a source that fails is left out then."""

    registry: CollectorRegistry = field(default_factory=lambda: CollectorRegistry(auto_describe=False))
    _sources: list[Callable[[], Iterable[Gauge]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        ProcessCollector(registry=self.registry)
        self.registry.register(REQUESTS)
        self.registry.register(SCANS)
        self.registry.register(_Asked(self._sources))

    def ask(self, source: Callable[[], Iterable[Gauge]]) -> None:
        """Ask a source at each look from now on."""
        self._sources.append(source)


class _Asked:
    """Collects what the sources say."""

    def __init__(self, sources: list[Callable[[], Iterable[Gauge]]]) -> None:
        self._sources = sources

    def collect(self) -> Iterator[Metric]:
        """Yield the figures, and how many sources did not answer."""
        failed = 0
        for source in self._sources:
            try:
                found = list(source())
            except Exception:  # noqa: BLE001 - a database that is away must not take all other figures with it
                failed += 1
                continue
            for gauge in found:
                family = GaugeMetricFamily(gauge.name, gauge.help, labels=gauge.labels)
                for said, value in gauge.values.items():
                    family.add_metric(said, value)
                yield family
        yield GaugeMetricFamily(
            "haggle_sources_failed", "Sources of figures that did not answer at this look.", value=failed
        )


REQUESTS = Histogram(
    "haggle_request_seconds",
    "Seconds until an answer begins, by route, method and class of status.",
    ("route", "method", "status"),
    buckets=_ANSWERS,
    registry=None,
)
SCANS = Histogram(
    "haggle_scan_seconds",
    "Seconds from a process taking a picture to what was read being kept, by outcome: done, or why not.",
    ("outcome",),
    buckets=_SCANS,
    registry=None,
)


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count an answered request; `route` as it is written in the code, never the path."""
    known = method if method in METHODS else "other"
    REQUESTS.labels(route, known, f"{status // 100}xx").observe(seconds)


def count_scan(outcome: str, seconds: float) -> None:
    """Count a scan that has ended."""
    SCANS.labels(outcome).observe(seconds)


def build(database: str) -> Iterator[Gauge]:
    """Yield what runs here; `database` is the name of its kind."""
    said = (VERSION, platform.python_version(), database)
    yield Gauge("haggle_build_info", "What runs here, as labels.", {said: 1}, ("version", "python", "database"))


def by(label: str, values: Mapping[str, float]) -> dict[str, Any]:
    """Return the arguments of a gauge with one label."""
    return {"values": {(said,): value for said, value in values.items()}, "labels": (label,)}


def metrics_address(where: str) -> tuple[str, int]:
    """Return host and port of `PORT` or `HOST:PORT`; the loopback address where no host is named. MetricsError."""
    host, _, port = where.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 <= int(port) <= 65535):  # noqa: PLR2004 - the highest port
        raise MetricsError(f"{where} is no place for metrics: name a port, such as 9464, or an address and a port")
    return host.strip("[]") or "127.0.0.1", int(port)


def serve_metrics(address: tuple[str, int], figures: Metrics) -> WSGIServer:
    """Serve metrics to Prometheus from a thread; anybody who reaches the address may read them. MetricsError."""
    host, port = address
    try:
        server, _thread = start_http_server(port, host, figures.registry)
    except OSError as error:
        raise MetricsError(
            f"metrics cannot be served at {host}, port {port}: {error.strerror}; choose another with --metrics"
        ) from None
    return server
