"""The landing page's addresses: who may open which, and that no other server has them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug.test import Client

from server.demo.seed import NAMED, PLAYED, PLAYERS, make_demo
from server.demo.site import DemoConfig, add_landing
from server.games.lifecycle.commands import delete_game
from server.web_app.factory import create_app
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
"""Requests that are not of somebody who sits at this machine."""
AT_HOME: list[dict[str, Any]] = [
    {"base_url": "http://localhost"},
    {"base_url": "http://localhost:8000", "headers": {"Sec-Fetch-Site": "same-origin"}},
    {"base_url": "http://127.0.0.1:8000", "headers": {"Sec-Fetch-Site": "none"}},
    {"base_url": "http://[::1]:8000", "environ_overrides": {"REMOTE_ADDR": "::1"}},
    {"base_url": "http://localhost:8000", "environ_overrides": {"REMOTE_ADDR": "::ffff:127.0.0.1"}},
]


class Browser(Client):
    """A browser on this machine, unless a request says otherwise."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:  # noqa: ANN401 - as the client takes them
        """Send a request."""
        return super().open(*args, **{"environ_overrides": {"REMOTE_ADDR": "127.0.0.1"}, **kwargs})


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a demo's data folder."""
    return tmp_path_factory.mktemp("demo") / "data"


@pytest.fixture(scope="module")
def context(place: Path) -> Iterator[AppContext]:
    """Return the demo's games."""
    made = open_context(AppConfig(place))
    make_demo(made, place, "en", "http://localhost")
    yield made
    made.database.close()


@pytest.fixture
def demo(place: Path, context: AppContext, tmp_path: Path) -> Flask:
    """Return the demo's application, which lets in phones; no photograph is rendered yet."""
    return application(place, context, tmp_path, "http://192.168.1.7:8000/")


@pytest.fixture
def client(demo: Flask) -> Browser:
    """Return a browser on this machine."""
    return Browser(demo)


def application(place: Path, context: AppContext, photos: Path, phone: str | None) -> Flask:
    """Return a demo's application."""
    app = create_app(AppConfig(place), context)
    add_landing(app, DemoConfig(place, photos, "http://localhost/", phone, "en"))
    return app


def name_of(client: Browser, **request: Any) -> str | None:  # noqa: ANN401 - as the client takes it
    """Return the name of the organiser who is signed in."""
    body: dict[str, str | None] = client.get("/api/v1/session", **request).get_json()
    return body["name"]


def test_every_endpoint_says_who_may_call_it(demo: Flask) -> None:
    """Each has one mark, and says it in its description."""
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


def test_another_server_has_no_landing_page(demo: Flask, place: Path, context: AppContext) -> None:
    """Not even on the demo's own folder; it shows the players' page to whoever opens it."""
    plain = create_app(AppConfig(place), context).test_client()
    for rule in demo.url_map.iter_rules():
        if rule.endpoint.startswith("demo."):
            assert plain.get(rule.rule.partition("<")[0] + "player" * ("<" in rule.rule)).status_code == 404
    assert plain.get("/").status_code == 200


@pytest.mark.parametrize("request_", AT_HOME)
def test_the_desk_opens_at_this_machine(client: Browser, request_: dict[str, Any]) -> None:
    """It needs no password, and signs in under the demo's name."""
    assert client.get("/api/v1/demo", **request_).get_json()["desk"] is True
    opened = client.get("/demo/desk", **request_)
    assert (opened.status_code, opened.location) == (303, "/desk")
    assert name_of(client, base_url=request_["base_url"]) == "Demo"


@pytest.mark.parametrize("request_", OTHERS)
def test_the_desk_opens_for_nobody_else(client: Browser, request_: dict[str, Any]) -> None:
    """Not for other machines, names of others that lead here, or what comes through a proxy."""
    assert client.get("/api/v1/demo", **request_).get_json()["desk"] is False
    tried = client.get("/demo/desk", **request_)
    assert tried.location == "/demo?elsewhere"
    assert "Set-Cookie" not in tried.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site", "strange"])
def test_another_site_signs_nobody_in(client: Browser, site: str) -> None:
    """A page of another site in a browser on this machine leads to the landing page."""
    tried = client.get("/demo/desk", headers={"Sec-Fetch-Site": site})
    assert tried.location == "/demo?elsewhere"
    assert name_of(client) is None


def envelope(reply: TestResponse) -> int:
    """Return which envelope a reply opens."""
    assert reply.status_code == 303
    assert reply.location.startswith("/j#")
    return int(reply.location.split(".")[1])


def test_each_browser_gets_an_envelope_of_its_own(demo: Flask) -> None:
    """One that no player of the demo has, the same again for the same browser, and shared when none is left."""
    browsers = [Browser(demo) for _ in range(PLAYERS - NAMED + 1)]
    first = [envelope(browser.get("/demo/player")) for browser in browsers]
    assert sorted(first[:-1]) == list(range(NAMED + 1, PLAYERS + 1))
    assert first[-1] in first[:-1]
    assert [envelope(browser.get("/demo/player")) for browser in browsers] == first


@pytest.mark.parametrize("text", ["1", "0", "13", "-9", "x", "٩", "9" * 500])
def test_no_browser_chooses_its_envelope(client: Browser, text: str) -> None:
    """A cookie that the demo did not set is ignored."""
    client.set_cookie("haggle_demo", text)
    assert NAMED < envelope(client.get("/demo/player")) <= PLAYERS


def test_callers_without_an_envelope_see_the_landing_page(client: Browser) -> None:
    """The bare address redirects there, and shows the players' page once a label's link was opened."""
    assert client.get("/").location == "/demo"
    assert client.get("/?photograph").status_code == 200
    assert client.get("/j").status_code == 200
    assert client.get("/").status_code == 200
    assert client.get("/demo").status_code == 200
    assert NAMED < envelope(client.get("/demo/player")) <= PLAYERS


def test_samples_are_offered_once_they_are_rendered(client: Browser, tmp_path: Path) -> None:
    """No other file of their folder is sent."""
    body = client.get("/api/v1/demo").get_json()
    assert (body["samples"], body["photos"]) == ([], {"rendered": 0, "all": 9})
    for name in ("dropped", "dropped-small", "envelope-1", "other"):
        (tmp_path / f"{name}.jpg").write_bytes(name.encode())
    body = client.get("/api/v1/demo").get_json()
    assert body["photos"]["rendered"] == 2
    (sample,) = body["samples"]
    assert client.get(sample["url"], buffered=True).data == b"dropped"
    assert client.get(sample["preview"], buffered=True).data == b"dropped-small"
    for name in ("envelope-1.jpg", "other.jpg", "many-colours.jpg", "..%2Fdata%2Fdemo.json"):
        assert client.get(f"/demo/photos/{name}").status_code == 404, name


def test_the_cards_can_be_printed(client: Browser) -> None:
    """The list of cards with their codes is nowhere."""
    labels = client.get("/demo/print/labels.pdf")
    assert labels.data.startswith(b"%PDF")
    assert client.get("/demo/print/labels.pdf").data == labels.data
    for name in ("cards.csv", "game.json", "sheets"):
        assert client.get(f"/demo/print/{name}").status_code == 404


def test_a_file_to_print_is_made_once(demo: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask meanwhile: some wait for it, and the others are told to come back."""
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


def test_phones_find_a_code_where_they_are_let_in(
    client: Browser, place: Path, context: AppContext, tmp_path: Path
) -> None:
    """Otherwise there is no address for them."""
    assert b"<svg" in client.get("/demo/phone.svg").data
    assert client.get("/api/v1/demo").get_json()["phone"] == "http://192.168.1.7:8000/demo"
    alone = Browser(application(place, context, tmp_path, None))
    assert alone.get("/demo/phone.svg").status_code == 404
    assert alone.get("/api/v1/demo").get_json()["phone"] is None


def test_a_deleted_game_leads_back(tmp_path: Path) -> None:
    """An organiser may delete a game of the demo."""
    context = open_context(AppConfig(tmp_path / "data"))
    make_demo(context, tmp_path / "data", "en", "http://localhost")
    client = Browser(application(tmp_path / "data", context, tmp_path, None))
    delete_game(context, PLAYED, ORGANISER)
    assert {client.get(f"/demo/{to}").location for to in ("result", "ceremony")} == {"/demo?gone"}
    assert client.get("/api/v1/demo").get_json()["played"] is None
    context.database.close()
