"""Prometheus metrics and their port."""

from __future__ import annotations

import urllib.request
from typing import TYPE_CHECKING

import pytest

from server.games.photos.scan_queue import PhotoState
from server.games.photos.scan_service import Heartbeat
from server.observability.metrics import (
    MetricsError,
    gauge,
    metrics_address,
    new_registry,
    serve_metrics,
)
from server.web_app.factory import create_app
from server.web_app.instrumentation import process_metrics
from server.web_app.settings import AppConfig
from tests.context import Clock, new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from prometheus_client.core import Metric

    from server.games.context import AppContext


def test_metrics_are_served_on_the_loopback_interface_by_default() -> None:
    """Other interfaces need an explicit address; invalid ports are refused."""
    assert metrics_address("9464") == ("127.0.0.1", 9464)
    assert metrics_address("[::1]:9464") == ("::1", 9464)
    assert metrics_address("localhost:1") == ("localhost", 1)
    for wrong in ("", "x", "127.0.0.1:", "127.0.0.1:99999", "-1", "١٢"):
        with pytest.raises(MetricsError, match="give a port"):
            metrics_address(wrong)


def test_a_used_port_is_reported() -> None:
    """A second process with the same port gets a one-line error that names it."""
    server = serve_metrics(("127.0.0.1", 0), new_registry())
    port = server.server_port
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        assert "haggle_sources_failed 0.0" in answer.read().decode()
    with pytest.raises(MetricsError, match=f"port {port}.*--metrics"):
        serve_metrics(("127.0.0.1", port), new_registry())
    server.shutdown()
    server.server_close()


def test_gauges_show_the_state_of_a_server(context: AppContext, clock: Clock) -> None:
    """They are photos and games by state, the age of the oldest waiting photo, connections, and processes."""
    game = new_game(context)
    add_photo(context, game, reading([]))
    add_photo(context, game, state=PhotoState.WAITING, scan_result=None)
    clock.forward(seconds=90)
    registry = process_metrics(context)
    value = registry.get_sample_value
    photos = [value("haggle_photos", {"state": state}) for state in ("done", "waiting", "failed")]
    assert photos == [1, 1, 0]
    assert value("haggle_games", {"state": "open"}) == 1
    assert value("haggle_oldest_waiting_seconds") == 90
    assert value("haggle_scanners_everywhere") == 0
    Heartbeat(context, 3).send()
    assert value("haggle_scanners_everywhere") == 3
    assert value("haggle_database_connections", {"state": "in-use"}) is not None
    assert [
        sample.labels["version"] for metric in registry.collect() for sample in metric.samples if "build" in sample.name
    ]


def test_requests_are_counted(context: AppContext, tmp_path: Path) -> None:
    """By route, and not by path; methods that nobody uses are one."""
    client = create_app(AppConfig(tmp_path), context).test_client()
    value = new_registry().get_sample_value
    counted = [
        {"route": "/api/v1/me/decks/<string:deck>", "method": "GET", "status": "4xx"},
        {"route": "(none)", "method": "other", "status": "4xx"},
    ]
    before = [value("haggle_request_seconds_count", labels) or 0 for labels in counted]
    client.get("/api/v1/me/decks/1")
    client.open("/nowhere", method="BREW")
    assert [value("haggle_request_seconds_count", labels) for labels in counted] == [one + 1 for one in before]


def test_a_failing_collector_does_not_affect_others() -> None:
    def away() -> Iterator[Metric]:
        raise OSError
        yield

    figures = new_registry(away, lambda: [gauge("haggle_uploads", "Pictures that are coming in.", 3)])
    assert figures.get_sample_value("haggle_sources_failed") == 1
    assert figures.get_sample_value("haggle_uploads") == 3
