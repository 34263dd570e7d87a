"""Figures are told at a port of their own: to this machine, or to whoever shows the token."""

from __future__ import annotations

import http.client
from typing import TYPE_CHECKING

import pytest

from server.jobs.queue import PhotoState
from server.observe.listening import Ear, ListeningError, ear_of, listen
from server.observe.metrics import Figures, Gauge, count_request, count_scan
from server.play.figures import figures_of
from server.play.scanners import Presence
from tests.house import Clock, new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.server import ThreadingHTTPServer
    from pathlib import Path

    from server.play.house import House

TOKEN = "0123456789abcdefghij"  # noqa: S105 - of these tests


def get(server: ThreadingHTTPServer, path: str, **headers: str) -> tuple[int, str]:
    """Return status and text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=60)
    connection.request("GET", path, headers=headers)
    with connection.getresponse() as answer:
        found = answer.status, answer.read().decode()
    connection.close()
    return found


@pytest.fixture
def guarded() -> Iterator[ThreadingHTTPServer]:
    """Tell figures to whoever has the token."""
    server = listen(Ear("127.0.0.1", 0, TOKEN), Figures())
    yield server
    server.shutdown()
    server.server_close()


def test_a_port_alone_is_of_this_machine() -> None:
    """Without an address nobody outside of the machine can ask."""
    assert ear_of("9464") == Ear("127.0.0.1", 9464)
    assert ear_of("[::1]:9464") == Ear("::1", 9464)
    assert ear_of("localhost:1") == Ear("localhost", 1)


def test_others_need_a_token(tmp_path: Path) -> None:
    """An address that others reach is refused without a token, and with one that is short or has spaces."""
    file = tmp_path / "token"
    for said in (None, "", TOKEN[:-1], f"{TOKEN} x", "ä" * 20):
        if said is not None:
            file.write_text(said, encoding="utf-8")
        with pytest.raises(ListeningError):
            ear_of("0.0.0.0:9464", None if said is None else file)
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    assert ear_of("0.0.0.0:9464", file) == Ear("0.0.0.0", 9464, TOKEN)  # noqa: S104 - what is tested


@pytest.mark.parametrize("where", ["", "x", "127.0.0.1:", "127.0.0.1:99999", "-1", "١٢"])
def test_what_is_no_port_is_told(where: str) -> None:
    """A place that is none is an error that says what to write."""
    with pytest.raises(ListeningError, match="name a port"):
        ear_of(where)


def test_the_token_opens_figures(guarded: ThreadingHTTPServer) -> None:
    """Without the token, or with another, nothing is told but that the process runs."""
    assert get(guarded, "/metrics")[0] == 401
    assert get(guarded, "/metrics", Authorization=f"Bearer {TOKEN}x")[0] == 401
    assert get(guarded, "/metrics", Authorization=TOKEN)[0] == 401
    assert get(guarded, "/healthz") == (200, '{"status":"ok"}')
    assert get(guarded, "/desk")[0] == 404
    status, said = get(guarded, "/metrics", Authorization=f"Bearer {TOKEN}")
    assert status == 200
    assert "haggle_sources_failed 0.0" in said


def test_a_port_that_is_taken_is_told(guarded: ThreadingHTTPServer) -> None:
    """Two processes that want one port get an error that names it, in one line."""
    port = guarded.server_address[1]
    with pytest.raises(ListeningError, match=f"port {port}.*--metrics"):
        listen(Ear("127.0.0.1", port), None)


def test_figures_tell_how_a_house_stands(house: House, clock: Clock) -> None:
    """Pictures and games by state, the age of the oldest that waits, connections, and what runs here."""
    game = new_game(house)
    add_photo(house, game, reading([]))
    add_photo(house, game, state=PhotoState.WAITING, reading=None)
    clock.forward(seconds=90)
    registry = figures_of(house).registry
    value = registry.get_sample_value
    assert value("haggle_photos", {"state": "done"}) == 1
    assert value("haggle_photos", {"state": "waiting"}) == 1
    assert value("haggle_photos", {"state": "failed"}) == 0
    assert value("haggle_games", {"state": "open"}) == 1
    assert value("haggle_oldest_waiting_seconds") == 90
    assert value("haggle_scanners_everywhere") == 0
    Presence(house, 3).tell()
    assert value("haggle_scanners_everywhere") == 3
    assert value("haggle_database_connections", {"state": "in-use"}) is not None
    assert [
        sample.labels["version"] for metric in registry.collect() for sample in metric.samples if "build" in sample.name
    ]


def test_requests_and_scans_are_counted() -> None:
    """A request counts under its route, its method and the class of its status; odd methods are one."""
    value = Figures().registry.get_sample_value
    labels = {"route": "/api/v1/games/<string:game>", "method": "GET", "status": "4xx"}
    odd = {"route": "(none)", "method": "other", "status": "4xx"}
    before = value("haggle_request_seconds_count", labels) or 0, value("haggle_request_seconds_count", odd) or 0
    count_request("/api/v1/games/<string:game>", "GET", 404, 0.01)
    count_request("(none)", "BREW", 405, 0.01)
    after = value("haggle_request_seconds_count", labels), value("haggle_request_seconds_count", odd)
    assert after == (before[0] + 1, before[1] + 1)
    scans = value("haggle_scan_seconds_count", {"outcome": "too-slow"}) or 0
    count_scan("too-slow", 25.0)
    assert value("haggle_scan_seconds_count", {"outcome": "too-slow"}) == scans + 1


def test_a_source_that_fails_takes_no_other_with_it() -> None:
    """A database that is away is told as such; the figures of the process are there all the same."""
    figures = Figures()

    def away() -> Iterator[Gauge]:
        raise OSError
        yield

    figures.ask(away)
    figures.ask(lambda: [Gauge("haggle_uploads", "Pictures that are coming in.", {(): 3})])
    assert figures.registry.get_sample_value("haggle_sources_failed") == 1
    assert figures.registry.get_sample_value("haggle_uploads") == 3
