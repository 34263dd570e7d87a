"""The demo's doors: who may go through which, and that no other server has them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug.test import Client

from server.app.demo_house import DemoApp, DemoConfig, create_demo_app
from server.app.demo_passes import MOST, Passes
from server.app.demo_rooms import Doors
from server.app.house import HouseConfig, create_house_app, open_house
from server.play.games import delete_game
from server.studio.demo.decks import PLAYERS
from server.studio.demo.folder import DemoFolder, make_demo
from server.studio.demo.games import NAMED
from tests.house import ORGANISER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from werkzeug.test import TestResponse

    from server.play.house import House

HERE, CODE = "http://localhost", "the-first-code"
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
    {"base_url": "http://localhost:8000"},
    {"base_url": "http://127.0.0.1:8000"},
    {"base_url": "http://[::1]:8000", "environ_overrides": {"REMOTE_ADDR": "::1"}},
    {"base_url": "http://localhost:8000", "environ_overrides": {"REMOTE_ADDR": "::ffff:127.0.0.1"}},
]


class Browser(Client):
    """A browser on this machine, unless a request says otherwise."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:  # noqa: ANN401 - as the client takes them
        """Send a request."""
        return super().open(*args, **{"environ_overrides": {"REMOTE_ADDR": "127.0.0.1"}, **kwargs})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> DemoFolder:
    """Return the folder of a demo whose pictures are still to be made."""
    place = tmp_path_factory.mktemp("demo")
    return DemoFolder(place / "data", place / "studio")


@pytest.fixture(scope="module")
def house(folder: DemoFolder) -> Iterator[House]:
    """Return the demo's games."""
    made = open_house(HouseConfig(folder.data))
    make_demo(made, folder, "en", HERE)
    yield made
    made.database.close()


@pytest.fixture(scope="module")
def built(folder: DemoFolder, house: House) -> DemoApp:
    """Return the demo's application, which lets in phones."""
    return create_demo_app(DemoConfig(folder, f"{HERE}/", "http://192.168.1.7:8000/", "en", CODE), house)


@pytest.fixture
def demo(built: DemoApp) -> DemoApp:
    """Return the application as after its start: the first link is still good."""
    (doors,) = (one for one in built.house.extensions.values() if isinstance(one, Doors))
    doors.passes = Passes(CODE)
    return built


@pytest.fixture
def client(demo: DemoApp) -> Browser:
    """Return a browser on this machine."""
    return Browser(demo)


def fresh_link(client: Browser, **request: Any) -> TestResponse:  # noqa: ANN401 - as the client takes it
    """Ask for a link to the desk, as the demo's page does."""
    base = request.get("base_url", HERE)
    headers = {"Origin": base, **request.pop("headers", {})}
    return client.post("/api/v1/demo/desk", headers=headers, **request)


def name_of(client: Browser, **request: Any) -> str | None:  # noqa: ANN401 - as the client takes it
    """Return the name of the organiser whose browser this is."""
    told: dict[str, str | None] = client.get("/api/v1/session", **request).get_json()
    return told["name"]


def test_every_door_says_who_may_go_through(demo: DemoApp) -> None:
    """Each has one mark, and says it in its description; only the two of the desk are for this machine alone."""
    marks = {
        rule.rule: demo.house.view_functions[rule.endpoint].__dict__.get("who")
        for rule in demo.house.url_map.iter_rules()
        if rule.endpoint.startswith("demo_doors.")
    }
    assert {rule for rule, who in marks.items() if who == ["machine"]} == {"/demo/desk", "/api/v1/demo/desk"}
    assert {rule for rule, who in marks.items() if who != ["machine"]} == {
        r for r, w in marks.items() if w == ["anybody"]
    }
    spec = Browser(demo).get("/api/v1/openapi.json").get_json()
    for path in marks:
        (operation,) = spec["paths"][path.replace("<name>", "{name}")].values()
        assert "Who may call it:" in operation["description"]


def test_a_server_of_games_has_no_doors(demo: DemoApp, folder: DemoFolder, house: House) -> None:
    """Not even on the demo's own folder; and it shows the players' page to whoever opens it."""
    plain = create_house_app(HouseConfig(folder.data), house).test_client()
    for rule in demo.house.url_map.iter_rules():
        if rule.endpoint.startswith("demo_doors."):
            path = rule.rule.replace("<name>", "labels.pdf")
            assert plain.open(path, method="POST" if "POST" in (rule.methods or ()) else "GET").status_code == 404, path
    assert plain.get("/").status_code == 200
    assert plain.get("/practice").status_code == 404


@pytest.mark.parametrize("request_", AT_HOME)
def test_a_link_opens_the_desk_once(client: Browser, request_: dict[str, Any]) -> None:
    """It needs no password and signs in under the demo's name; in another browser it leads back to the demo's page."""
    assert client.get("/api/v1/demo", **request_).get_json()["desk"] is True
    reply = fresh_link(client, **request_)
    assert reply.status_code == 201
    link = reply.get_json()["link"]
    opened = client.get(link, **request_)
    assert (opened.status_code, opened.location) == (303, "/desk")
    assert name_of(client, base_url=request_["base_url"]) == "Demo"
    other = Browser(client.application)
    again = other.get(link, **request_)
    assert (again.status_code, again.location) == (303, "/demo?desk=used")
    assert name_of(other) is None


def test_the_printed_link_opens_the_desk_once(client: Browser) -> None:
    """The one that the terminal shows; whoever is signed in already goes on to the desk by a used one."""
    assert client.get(f"/demo/desk?once={CODE}").location == "/desk"
    assert client.get(f"/demo/desk?once={CODE}").location == "/desk"
    assert Browser(client.application).get(f"/demo/desk?once={CODE}").location == "/demo?desk=used"


@pytest.mark.parametrize("once", ["", "?once=", "?once=wrong", "?once=%01", f"?once={CODE} "])
def test_no_other_code_opens_it(client: Browser, once: str) -> None:
    """A wrong code, or none, leads back."""
    assert client.get(f"/demo/desk{once}").location == "/demo?desk=used"
    assert name_of(client) is None


@pytest.mark.parametrize("request_", OTHERS)
def test_nobody_else_gets_to_the_desk(client: Browser, request_: dict[str, Any]) -> None:
    """Not other machines, names of others that lead here, or what comes through a proxy; a good code stays good."""
    assert client.get("/api/v1/demo", **request_).get_json()["desk"] is False
    reply = fresh_link(client, **request_)
    assert reply.status_code == 403
    assert reply.get_json()["type"] == "/problems/forbidden"
    tried = client.get(f"/demo/desk?once={CODE}", **request_)
    assert tried.location == "/demo?desk=elsewhere"
    assert "haggle_organiser" not in str(tried.headers)
    assert client.get(f"/demo/desk?once={CODE}").location == "/desk"


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": ""}]
)
def test_other_sites_get_no_link(client: Browser, headers: dict[str, str]) -> None:
    """A page of another site in a browser on this machine."""
    reply = fresh_link(client, headers=headers)
    assert reply.status_code == 403
    assert reply.get_json()["type"] == "/problems/other-origin"


def test_of_many_at_once_one_gets_in() -> None:
    """A code is good for one, however many come with it at the same time."""
    passes, opened = Passes("code"), []
    gate = threading.Barrier(8)

    def come() -> None:
        gate.wait()
        opened.append(passes.spend("code"))

    threads = [threading.Thread(target=come) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(opened) == [False] * 7 + [True]


def test_links_do_not_pile_up() -> None:
    """Of more than are kept, the oldest is of no use."""
    passes = Passes("first")
    codes = [passes.issue() for _ in range(MOST)]
    assert not passes.spend("first")
    assert all(passes.spend(code) for code in codes)


def envelope(reply: TestResponse) -> int:
    """Return which envelope a door leads to."""
    assert reply.status_code == 303
    assert reply.location.startswith("/j#")
    return int(reply.location.split(".")[1])


def test_each_browser_gets_an_envelope_of_its_own(demo: DemoApp) -> None:
    """One that no player of the demo has, the same again for the same browser, and shared when none is left."""
    browsers = [Browser(demo) for _ in range(PLAYERS - NAMED + 1)]
    first = [envelope(browser.get("/demo/player")) for browser in browsers]
    assert sorted(first[:-1]) == list(range(NAMED + 1, PLAYERS + 1))
    assert first[-1] in first[:-1]
    assert [envelope(browser.get("/demo/player")) for browser in browsers] == first


@pytest.mark.parametrize("text", ["1", "0", "13", "-9", "x", "٩", "9" * 500])
def test_no_browser_chooses_its_envelope(client: Browser, text: str) -> None:
    """A cookie that we did not give is as good as none."""
    client.set_cookie("haggle_demo", text)
    assert NAMED < envelope(client.get("/demo/player")) <= PLAYERS


def test_the_links_behind_the_doors_work(client: Browser, folder: DemoFolder) -> None:
    """They open the envelope, the result and the two big screens that they promise."""

    def asked(door: str, path: str) -> dict[str, Any]:
        token = client.get(door).location.partition("#")[2]
        told: dict[str, Any] = client.get(path, headers={"Authorization": f"Bearer {token}"}).get_json()
        return told

    games = folder.games
    assert asked("/demo/player", "/api/v1/me")["game"]["id"] == games.playing.game
    assert asked("/demo/result", "/api/v1/me")["game"]["id"] == games.played.game
    assert asked("/demo/result", "/api/v1/me/result")["own"]
    assert asked("/demo/screen", "/api/v1/projector")["name"] == "The Friday night trade"
    assert asked("/demo/ceremony", "/api/v1/projector")["name"] == "Last Friday"


def test_whoever_has_no_envelope_sees_the_demos_page(client: Browser) -> None:
    """The bare address leads there, and to the players' page once a label's link was opened, or with more in it."""
    assert client.get("/").location == "/demo"
    assert client.get("/?photograph").status_code == 200
    assert client.get("/j").status_code == 200
    assert client.get("/").status_code == 200
    assert NAMED < envelope(client.get("/demo/player")) <= PLAYERS


def test_the_practice_page_is_beside_it(client: Browser, folder: DemoFolder) -> None:
    """Its page and what it asks for are the practice server's, all else the house's."""
    page = client.get("/practice")
    assert page.status_code == 200
    assert 'data-home="/demo"' in page.text
    game = client.get("/api/v1/game").get_json()
    assert (game["game"], game["demo"], game["downloads"]) == (folder.games.playing.game, True, [])
    assert client.get("/api/v1/games").status_code == 401
    assert client.get("/demo/nothing.jpg").status_code == 404
    for path in ("/demo/game.json", "/demo/photos.json", "/demo/playing/game.json", "/demo/../playing/game.json"):
        assert client.get(path).status_code == 404, path


def test_samples_are_offered_once_they_are_made(client: Browser, folder: DemoFolder) -> None:
    """The page says how many pictures are made, and offers those that people may take."""
    told = client.get("/api/v1/demo").get_json()
    assert told["samples"] == []
    assert told["pictures"] == {"made": 0, "all": 14}
    made = folder.studio / "photos" / f"{folder.games.playing.game.lower()}-dropped.jpg"
    made.write_bytes(b"a picture")
    try:
        told = client.get("/api/v1/demo").get_json()
        assert [sample["name"] for sample in told["samples"]] == ["dropped"]
        assert told["pictures"]["made"] == 1
        assert client.get(told["samples"][0]["url"], buffered=True).data == b"a picture"
    finally:
        made.unlink()


def test_the_cards_can_be_printed(client: Browser) -> None:
    """Labels lead to the address for phones; the list of cards and their codes is nowhere."""
    labels = client.get("/demo/print/labels.pdf")
    assert labels.data.startswith(b"%PDF")
    assert client.get("/demo/print/labels.pdf").data == labels.data
    for name in ("cards.csv", "game.json", "sheets"):
        assert client.get(f"/demo/print/{name}").status_code == 404


def test_the_code_for_phones_is_there_where_phones_are_let_in(
    client: Browser, folder: DemoFolder, house: House
) -> None:
    """Else the page says how to let them in."""
    assert client.get("/demo/phone.svg").data.startswith(b"<svg")
    assert client.get("/api/v1/demo").get_json()["phone"] == "http://192.168.1.7:8000/demo"
    alone = Browser(create_demo_app(DemoConfig(folder, f"{HERE}/", None, "en", CODE), house))
    assert alone.get("/demo/phone.svg").status_code == 404
    assert alone.get("/api/v1/demo").get_json()["phone"] is None


def test_a_deleted_game_leads_back(tmp_path_factory: pytest.TempPathFactory) -> None:
    """An organiser may delete the game that was played: the doors to it say so."""
    place = tmp_path_factory.mktemp("other")
    folder = DemoFolder(place / "data", place / "studio")
    house = open_house(HouseConfig(folder.data))
    make_demo(house, folder, "en", HERE)
    client = Browser(create_demo_app(DemoConfig(folder, f"{HERE}/", None, "en", CODE), house))
    delete_game(house, folder.games.played.game, ORGANISER)
    assert {client.get(f"/demo/{door}").location for door in ("result", "ceremony")} == {"/demo?gone"}
    assert client.get("/api/v1/demo").get_json()["played"] is None
    house.database.close()


def test_no_code_is_kept_as_it_is() -> None:
    """What is kept of a link's code would not open the desk."""
    assert "secret" not in repr(vars(Passes("secret")))
