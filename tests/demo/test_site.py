"""Endpoints of the demo's landing page: access, envelopes and print files."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug.test import Client

from server.demo import site
from server.demo.seed import NAMED, PLAYED, PLAYERS, make_demo
from server.demo.site import DemoConfig, add_landing
from server.games.lifecycle.commands import delete_game
from server.web_app.factory import create_app
from server.web_app.instrumentation import NO_OBSERVABILITY, ObservabilityConfig
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import ORGANISER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from werkzeug.test import TestResponse

    from server.games.context import AppContext

OTHERS: list[dict[str, Any]] = [
    {"environ_overrides": {"REMOTE_ADDR": "192.168.1.9"}},
    {"environ_overrides": {"REMOTE_ADDR": "2001:db8::1"}},
    {"environ_overrides": {"REMOTE_ADDR": ""}},
    {"environ_overrides": {"REMOTE_ADDR": "unix:"}},
    {"base_url": "http://evil.example"},
    {"base_url": "http://localhost.evil.example:8000"},
    {"base_url": "http://127.0.0.1.nip.example"},
    {"headers": {"X-Forwarded-For": "127.0.0.1"}},
    {"headers": {"Forwarded": "for=127.0.0.1"}},
    {"headers": {"Via": "1.1 proxy"}},
]
"""Requests that do not come from this machine."""
AT_HOME: list[dict[str, Any]] = [
    {"base_url": "http://localhost"},
    {"base_url": "http://localhost:8000", "headers": {"Sec-Fetch-Site": "same-origin"}},
    {"base_url": "http://127.0.0.1:8000", "headers": {"Sec-Fetch-Site": "none"}},
    {"base_url": "http://[::1]:8000", "environ_overrides": {"REMOTE_ADDR": "::1"}},
    {"base_url": "http://localhost:8000", "environ_overrides": {"REMOTE_ADDR": "::ffff:127.0.0.1"}},
]


class Browser(Client):
    """A client on this machine by default."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:  # noqa: ANN401 - as the client takes them
        """Send a request."""
        return super().open(*args, **{"environ_overrides": {"REMOTE_ADDR": "127.0.0.1"}, **kwargs})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of a demo."""
    return tmp_path_factory.mktemp("demo") / "data"


@pytest.fixture(scope="module")
def context(folder: Path) -> Iterator[AppContext]:
    """Provide the application context of the demo."""
    made = open_context(AppConfig(folder))
    make_demo(made, folder, "en", "http://localhost")
    yield made
    made.database.close()


@pytest.fixture
def demo(folder: Path, context: AppContext) -> Flask:
    """Return the demo's application, with access for phones."""
    return application(folder, context, "http://192.168.1.7:8000/")


@pytest.fixture
def client(demo: Flask) -> Browser:
    """Return a client on this machine."""
    return Browser(demo)


def application(folder: Path, context: AppContext, phone: str | None) -> Flask:
    """Return a demo's application."""
    app = create_app(AppConfig(folder), context)
    add_landing(app, DemoConfig(folder, "http://localhost/", phone, "en"))
    return app


def name_of(client: Browser, **request: Any) -> str | None:  # noqa: ANN401 - as the client takes it
    """Return the name of the organiser who is signed in."""
    body: dict[str, str | None] = client.get("/api/v1/session", **request).get_json()
    return body["name"]


def test_every_endpoint_declares_its_callers(demo: Flask) -> None:
    """Each has one access decorator, which the API description states."""
    spec = Browser(demo).get("/api/v1/openapi.json").get_json()
    found = [rule for rule in demo.url_map.iter_rules() if rule.endpoint.startswith("demo.")]
    assert len(found) > 6
    for rule in found:
        assert demo.view_functions[rule.endpoint].__dict__.get("access") == ["public"]
        described = [
            operation["description"]
            for path, operations in spec["paths"].items()
            for operation in operations.values()
            if operation["operationId"] and path.partition("{")[0] == rule.rule.partition("<")[0]
        ]
        assert described
        assert all("Who may call it:" in one for one in described)


def test_the_demo_logs_exceptions_without_their_messages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the same format of logs as a server."""
    given: list[ObservabilityConfig] = []

    class LoadedError(Exception):
        """Ends the test before the demo's services start."""

    def loaded(_: AppConfig, observability: ObservabilityConfig = NO_OBSERVABILITY) -> None:
        given.append(observability)
        raise LoadedError

    monkeypatch.setattr(site, "load_app", loaded)
    with pytest.raises(LoadedError):
        site.load_demo(DemoConfig(folder, "http://localhost/", None, "en"))
    assert [one.logs for one in given] == ["text"]


def test_another_server_has_no_landing_page(demo: Flask, folder: Path, context: AppContext) -> None:
    """Not even with the demo's folder; it shows the players' page."""
    plain = create_app(AppConfig(folder), context).test_client()
    for rule in demo.url_map.iter_rules():
        if rule.endpoint.startswith("demo."):
            assert plain.get(rule.rule.partition("<")[0] + "player" * ("<" in rule.rule)).status_code == 404
    assert plain.get("/").status_code == 200


@pytest.mark.parametrize("request_", AT_HOME)
def test_the_organiser_page_opens_on_this_machine(client: Browser, request_: dict[str, Any]) -> None:
    """It needs no password and signs in with the demo's name."""
    assert client.get("/api/v1/demo", **request_).get_json()["desk"] is True
    opened = client.get("/demo/desk", **request_)
    assert (opened.status_code, opened.location) == (303, "/desk")
    assert name_of(client, base_url=request_["base_url"]) == "Demo"


@pytest.mark.parametrize("request_", OTHERS)
def test_the_organiser_page_is_refused_elsewhere(client: Browser, request_: dict[str, Any]) -> None:
    """Other machines, other host names of this machine, and proxies are refused."""
    assert client.get("/api/v1/demo", **request_).get_json()["desk"] is False
    tried = client.get("/demo/desk", **request_)
    assert tried.location == "/demo"
    assert "Set-Cookie" not in tried.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site", "strange"])
def test_other_sites_cannot_sign_in(client: Browser, site: str) -> None:
    """Links from other sites lead to the landing page."""
    tried = client.get("/demo/desk", headers={"Sec-Fetch-Site": site})
    assert tried.location == "/demo"
    assert name_of(client) is None


def envelope(reply: TestResponse) -> int:
    """Return the envelope of a response."""
    assert reply.status_code == 303
    assert reply.location.startswith("/j#")
    return int(reply.location.split(".")[1])


def test_each_browser_gets_its_own_envelope(demo: Flask) -> None:
    """It is unused, stays the same for a browser, and is shared if there are no others."""
    browsers = [Browser(demo) for _ in range(PLAYERS - NAMED + 1)]
    first = [envelope(browser.get("/demo/player")) for browser in browsers]
    assert sorted(first[:-1]) == list(range(NAMED + 1, PLAYERS + 1))
    assert first[-1] in first[:-1]
    assert [envelope(browser.get("/demo/player")) for browser in browsers] == first


@pytest.mark.parametrize("text", ["1", "0", "13", "-9", "x", "٩", "9" * 500])
def test_browsers_cannot_choose_their_envelope(client: Browser, text: str) -> None:
    """Forged cookies are ignored."""
    client.set_cookie("haggle_demo", text)
    assert NAMED < envelope(client.get("/demo/player")) <= PLAYERS


def test_callers_without_an_envelope_see_the_landing_page(client: Browser) -> None:
    """/ redirects there until a label's link was opened, then it shows the players' page."""
    assert client.get("/").location == "/demo"
    assert client.get("/?photograph").status_code == 200
    assert client.get("/j").status_code == 200
    assert client.get("/").status_code == 200
    assert client.get("/demo").status_code == 200
    assert NAMED < envelope(client.get("/demo/player")) <= PLAYERS


def test_samples_are_offered(client: Browser) -> None:
    """Other files of their folder are not sent."""
    samples = client.get("/api/v1/demo").get_json()["samples"]
    assert [(sample["name"], sample["cards"]) for sample in samples] == [
        ("many-colours", 15),
        ("pink-and-red", 12),
        ("dropped", 13),
        ("a-bit-dark", 13),
    ]
    for sample in samples:
        for address in (sample["url"], sample["preview"]):
            assert client.get(address, buffered=True).mimetype == "image/webp"
    for name in ("envelope-1.webp", "other.webp", "..%2Fseed.py"):
        assert client.get(f"/demo/photos/{name}").status_code == 404, name


def test_the_cards_can_be_printed(client: Browser) -> None:
    """The list of cards with codes is not available."""
    labels = client.get("/demo/print/labels.pdf")
    assert labels.data.startswith(b"%PDF")
    assert client.get("/demo/print/labels.pdf").data == labels.data
    for name in ("cards.csv", "game.json", "sheets"):
        assert client.get(f"/demo/print/{name}").status_code == 404


def test_a_print_file_is_created_once(demo: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some concurrent requests wait for it, others are refused with Retry-After."""
    begun, finish = threading.Event(), threading.Event()
    made: list[str] = []

    def make(_context: AppContext, _game: str, _number: int, name: str) -> bytes:
        made.append(name)
        begun.set()
        finish.wait(20)
        return b"%PDF"

    monkeypatch.setattr("server.demo.site.run_file", make)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(Browser(demo).get, "/demo/print/sheets.pdf") for _ in range(8)]
        assert begun.wait(20)
        refused = [future.result() for future, _ in zip(as_completed(asked, 20), range(4), strict=False)]
        finish.set()
    assert made == ["sheets.pdf"]
    assert {(reply.status_code, reply.headers["Retry-After"]) for reply in refused} == {(503, "5")}
    assert sum(future.result().data == b"%PDF" for future in asked) >= 1


def test_the_page_has_a_qr_code_if_phones_have_access(client: Browser, folder: Path, context: AppContext) -> None:
    """Otherwise it has no address for phones."""
    assert b"<svg" in client.get("/demo/phone.svg").data
    assert client.get("/api/v1/demo").get_json()["phone"] == "http://192.168.1.7:8000/demo"
    alone = Browser(application(folder, context, None))
    assert alone.get("/demo/phone.svg").status_code == 404
    assert alone.get("/api/v1/demo").get_json()["phone"] is None


def test_links_to_a_deleted_game_lead_to_the_landing_page(tmp_path: Path) -> None:
    """Organisers may delete games of the demo."""
    context = open_context(AppConfig(tmp_path / "data"))
    make_demo(context, tmp_path / "data", "en", "http://localhost")
    client = Browser(application(tmp_path / "data", context, None))
    delete_game(context, PLAYED, ORGANISER)
    assert {client.get(f"/demo/{to}").location for to in ("result", "ceremony")} == {"/demo?gone"}
    assert client.get("/api/v1/demo").get_json()["played"] is None
    context.database.close()
