"""A whole game over HTTP on PostgreSQL and S3, with requests to every endpoint."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from cardgen.payload import join_code, join_token
from server.api.auth import projector_token
from server.api.events import STREAM
from server.db.models import Card
from server.games import server_config
from server.games.context import AppContext
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.photos.scan_service import ScanService
from server.games.server_config import new_setup_code
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from tests.api.endpoints import endpoints
from tests.context import ORIGIN, new_game
from tests.engines.cluster import on_postgresql
from tests.fake_scan_pool import FakeScanPool, picture
from tests.forked import forkserver  # noqa: F401 - a fixture
from tests.pictures import form
from tests.players import DECKS, dealt, set_game
from tests.readings import add_photo, reading
from tests.waiting import run, until

pytestmark = [on_postgresql, pytest.mark.usefixtures("forkserver")]

GAMES = "/api/v1/games"
FILES = ("labels.pdf", "sheets.pdf", "packing.pdf", "stickers.pdf", "cards.csv")
PAGES = ("labels", "sheets", "packing", "stickers")


@pytest.fixture
def app(context: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """Provide the application, with fake scans."""
    monkeypatch.setattr(server_config, "_METHOD", "scrypt:256:8:1")
    service = ScanService(context, FakeScanPool(None), poll=0.1)  # type: ignore[arg-type]  # used as a pool
    service.start()
    app = create_app(AppConfig(tmp_path / "data"), context)
    yield app
    service.close()
    context.print_runner.close()


class Caller:
    """A client that expects success and records the called endpoints."""

    def __init__(self, app: Flask, called: set[tuple[str, str]], token: str = "") -> None:
        self.client: FlaskClient = app.test_client()
        self.client.environ_base["HTTP_ORIGIN"] = ORIGIN
        if token:
            self.client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        self._match = app.url_map.bind("localhost").match
        self._called = called

    def call(self, method: str, path: str, body: object = None, revision: str = "", **more: Any) -> TestResponse:  # noqa: ANN401 - as the client takes it
        headers = {"Idempotency-Key": secrets.token_hex(8), **({"If-Match": revision} if revision else {})}
        if body is not None:
            more["json"] = body
        answer = self.client.open(path, method=method, headers=headers, **more)
        assert answer.status_code < 400, (method, path, answer.get_data(as_text=True))
        self._called.add((method, self._match(path.partition("?")[0], method=method)[0]))
        return answer

    def get(self, path: str) -> Any:  # noqa: ANN401 - any JSON
        """Return the JSON or the bytes at a path."""
        with self.call("GET", path) as answer:
            return answer.get_json() if answer.is_json else answer.get_data()

    def send(self, method: str, path: str, body: object = None, revision: str = "") -> Any:  # noqa: ANN401 - any JSON
        """Send JSON; return the JSON of the response."""
        return self.call(method, path, body, revision).get_json(silent=True)

    def watch(self, path: str) -> None:
        with self.client:
            self.call("GET", path)
            stream = request.environ[STREAM]()

        async def first() -> bytes:
            async with aclosing(stream):
                await anext(stream)
                return cast("bytes", await anext(stream))

        assert b"start" in run(first())

    def wait_for(self, path: str, *states: str) -> Any:  # noqa: ANN401 - any JSON
        """Repeat a request until the JSON has one of these states; return it."""
        until(lambda: self.get(path)["state"] in states)
        return self.get(path)


def _sign_in(context: AppContext, organiser: Caller) -> None:
    """Choose a password, change it, sign out and in again."""
    code = new_setup_code(context)
    organiser.send("POST", "/api/v1/session/setup", {"code": code, "name": "Olga", "password": "a long password"})
    organiser.send("POST", "/api/v1/session/password", {"old": "a long password", "new": "a longer password"})
    organiser.send("DELETE", "/api/v1/session")
    organiser.send("POST", "/api/v1/session", {"name": "Olga", "password": "a longer password"})
    assert organiser.get("/api/v1/session")["name"] == "Olga"


def _upload_an_edition(organiser: Caller) -> None:
    """Begin an edition, change it, restore its first version, and delete it."""
    editions = "/api/v1/editions"
    organiser.send("POST", editions, {"slug": "garden", "title": "Garden"})
    toml = {"data": organiser.get(f"{editions}/garden/file").replace(b"worth = 3", b"worth = 30")}
    toml["content_type"] = "application/octet-stream"
    assert organiser.call("POST", f"{editions}/checks", **toml).get_json()["findings"] == []
    draft = {"text": toml["data"].decode(), "decks": [{"red": 1}]}
    (scored,) = organiser.send("POST", f"{editions}/checks/scores", draft)["decks"]
    assert scored["score"] == "30"
    assert organiser.get(f"{editions}/gallery")["rules"]
    organiser.call("POST", f"{editions}/uploaded?after=1", **toml)
    assert organiser.call("POST", f"{editions}/garden/file", **toml).data == toml["data"]
    organiser.send("POST", f"{editions}/uploaded/garden/restore", {"version": 1})
    (uploaded,) = organiser.get(f"{editions}/uploaded")["editions"]
    assert [one["version"] for one in uploaded["versions"]] == [3, 2, 1]
    organiser.send("DELETE", f"{editions}/uploaded/garden")
    assert not any(one["uploaded"] for one in organiser.get(editions)["editions"])


def _print(organiser: Caller, game: str) -> None:
    """Deal a game, and fetch all previews and files."""
    run = organiser.send("POST", f"{game}/runs", {"spare": 1})["number"]
    assert organiser.get(f"{game}/runs")["runs"][0]["number"] == run
    for name in FILES:
        assert organiser.get(f"{game}/runs/{run}/{name}?stick=owned")
    for name in PAGES:
        assert organiser.get(f"{game}/runs/{run}/{name}/1.png?width=200&stick=owned")
    organiser.get(f"{game}/runs/{run}/pages")
    organiser.get(f"{game}/runs/{run}/envelopes/1/label.png")
    job = organiser.send("POST", f"{game}/runs/{run}/prints", {"name": "sheets.pdf"})["id"]
    done = organiser.wait_for(f"{game}/prints/{job}", "done", "failed")
    assert len(organiser.get(f"{game}/prints/{job}/file")) == done["bytes"]
    assert [one["id"] for one in organiser.get(f"{game}/prints")["prints"]] == [job]
    organiser.send("DELETE", f"{game}/prints/{job}")


def _hand_in(player: Caller, game: str, hand: list[str]) -> None:
    """Upload a photo, confirm the list, ask for the score, hand in."""
    player.send("PATCH", "/api/v1/me", {"name": "Ada"})
    spare = player.send("POST", DECKS)["id"]
    player.send("DELETE", f"{DECKS}/{spare}")
    deck = f"{DECKS}/{player.send('POST', DECKS)['id']}"
    sent = []
    for cards, labels in ((hand, [1]), (hand[:1], [])):
        content = {"cards": cards, "labels": labels, "game": game}
        sent.append(player.call("POST", f"{deck}/photos", **form(picture(content))).get_json()["id"])
        player.wait_for(f"{deck}/photos/{sent[-1]}", "done")
    player.send("DELETE", f"{deck}/photos/{sent[1]}")
    assert player.get(f"{deck}/photos/{sent[0]}/image")
    seen = player.get(deck)
    assert (seen["cards"], seen["pending"]) == (hand, 0)
    assert len(player.get(DECKS)["decks"]) == 1
    player.send("POST", f"{deck}/confirm", {"digest": seen["digest"]})
    player.send("POST", f"{deck}/check")
    player.send("POST", f"{deck}/hand-in")
    assert player.get("/api/v1/me")["receipt"]["cards"] == len(hand)
    player.watch("/api/v1/me/events")


def _settle(organiser: Caller, game: str, hands: list[list[str]]) -> None:
    """Upload photos of two envelopes, fetch everything, and make, correct and withdraw decisions."""
    sent = []
    hand = hands[1]
    for index, (cards, labels) in enumerate(((hands[0], [1]), (hand, [2]), (hand[1:], []))):
        file = form(picture({"cards": cards, "labels": labels}))
        photo = organiser.call("POST", f"{game}/photos?batch=b&place={index + 1}", **file).get_json()["id"]
        organiser.wait_for(f"{game}/photos/{photo}", "done")
        sent.append(f"{game}/photos/{photo}")
    assert organiser.get(f"{game}/photos")["states"]["done"] == 3
    assert organiser.get(f"{sent[0]}/image?width=50")
    found = organiser.get(sent[2])
    organiser.send("PATCH", sent[2], {"do": "assign", "envelope": 2, "reason": "-"}, found["revision"])
    item = next(one for one in organiser.get(f"{game}/queue?standing=all")["items"] if one["choices"])
    key = f"{game}/queue/{item['key']}"
    item = organiser.get(key)
    ruled = organiser.send("PUT", f"{key}/ruling", {"do": "ignore", "reason": "-"}, item["revision"])
    organiser.send("DELETE", f"{key}/ruling?reason=-", revision=ruled["item"]["revision"])
    organiser.send("POST", f"{sent[2]}/scan")
    organiser.wait_for(sent[2], "done")
    organiser.send("DELETE", f"{sent[2]}?reason=-")
    organiser.send("POST", f"{game}/cards", {"code": hand[0], "envelope": 2, "reason": "-"})
    assert len(organiser.get(f"{game}/cards")["entered"]) == 1
    assert organiser.get(f"{game}/cards/{hand[0]}")["envelope"] == 2
    assert len(organiser.get(f"{game}/hands/2")["cards"]) == len(hand)
    organiser.get(f"{game}/kinds")
    assert len(organiser.get(f"{game}/envelopes")["envelopes"]) == 4
    organiser.send("PATCH", f"{game}/envelopes/2", {"name": "Bob"})
    assert organiser.get(f"{game}/envelopes/2")["name"] == "Bob"
    organiser.send("POST", f"{game}/envelopes/3/token", {})
    given = organiser.send("POST", f"{game}/envelopes/2/adjustments", {"points": 5, "reason": "The best hat"})
    (adjustment,) = given["adjustments"]
    assert organiser.send("DELETE", f"{game}/envelopes/2/adjustments/{adjustment['id']}")["adjustments"] == []


def _count(organiser: Caller, game: str) -> None:
    """Close, score, publish, and fetch all files of the results."""
    organiser.send("POST", f"{game}/acts", {"act": "close"})
    assert organiser.get(f"{game}/questions")["questions"] == []
    organiser.send("POST", f"{game}/results", {"override": "The edition asks."})
    organiser.send("POST", f"{game}/acts", {"act": "publish"})
    assert len(organiser.get(f"{game}/results")["versions"]) == 1
    assert organiser.get(f"{game}/results/1")["hands"][0]["player"] in {"Ada", "Bob"}
    for name in ("ranking.csv", "matrix.csv", "replay.json", "results.pdf", "reveal", "winner"):
        assert organiser.get(f"{game}/results/1/{name}")


def test_a_game_from_the_first_password_to_the_ranking(app: Flask, context: AppContext) -> None:
    """The game uses every endpoint of the application."""
    called: set[tuple[str, str]] = set()
    organiser = Caller(app, called)
    for path in ("/", "/desk", "/desk/x", "/j", "/p/x", "/screen", "/healthz", "/sw.js", "/manifest.webmanifest"):
        organiser.get(path)
    organiser.get("/api/v1/docs")
    organiser.call("POST", "/share")
    _sign_in(context, organiser)
    _upload_an_edition(organiser)
    hands = {"hands": [{"player": "Ada", "cards": {"red": 2}}]}
    assert organiser.send("POST", "/api/v1/scores?edition=eurocg-2026", hands)["hands"][0]["player"] == "Ada"
    draft = {"name": "A game", "edition": "eurocg-2026", "players": 3, "confirmed": ["blue_base"]}
    ids = [organiser.send("POST", GAMES, draft)["id"] for _ in range(2)]
    organiser.send("DELETE", f"{GAMES}/{ids.pop()}")
    game = f"{GAMES}/{ids[0]}"
    organiser.send("PATCH", game, {"name": "The game"}, organiser.get(game)["revision"])
    assert [one["name"] for one in organiser.get(GAMES)["games"]] == ["The game"]
    for name in ("sample/sheet.png", "sample/label.png", "handout.pdf", "calibration.pdf", "screen.svg"):
        organiser.get(f"{game}/{name}")
    for name in ("handout", "calibration"):
        organiser.get(f"{game}/{name}/1.png")
    _print(organiser, game)
    organiser.send("POST", f"{game}/acts", {"act": "open"})
    with context.database.reading() as session:
        row = load_game(session, ids[0])
        tokens = join_token(row.id, row.key, 1), projector_token(row.id, row.key)
        typed = join_code(row.id, row.key, 1)
    guest = Caller(app, called)
    assert guest.send("POST", "/api/v1/me/token", {"code": typed})["token"] == tokens[0]
    player, screen = (Caller(app, called, token) for token in tokens)
    _hand_in(player, ids[0], dealt(context, ids[0], 1))
    organiser.watch(f"{game}/events")
    _settle(organiser, game, [dealt(context, ids[0], number) for number in (1, 2)])
    _count(organiser, game)
    assert player.get("/api/v1/me/result")["own"]["player"] == "Ada"
    assert screen.get("/api/v1/projector")["winner_photo"]
    assert screen.get("/api/v1/projector/winner")
    screen.watch("/api/v1/projector/events")
    assert organiser.get(f"{game}/audit")["entries"]
    _move_out_and_in(organiser, context, ids[0])
    _answer_a_question(organiser, context)
    organiser.get("/assets/" + organiser.get("/desk").decode().partition("/assets/")[2].partition('"')[0])
    assert {(one.method, one.name) for one in endpoints(app)} - called == set()


def _move_out_and_in(organiser: Caller, context: AppContext, game: str) -> None:
    """Export the game, delete it, and import it."""
    before = organiser.get(f"{GAMES}/{game}/results/1")
    file = organiser.get(f"{GAMES}/{game}/export")
    set_game(context, game, state=State.DRAFT.value)
    organiser.send("DELETE", f"{GAMES}/{game}")
    organiser.call("POST", f"{GAMES}/import", data=file, content_type="application/zip")
    assert organiser.get(f"{GAMES}/{game}/results/1") == before


def _answer_a_question(organiser: Caller, context: AppContext) -> None:
    """Enter the rule that the holder of a card cancels."""
    game = new_game(context, State.CLOSED, edition="tarot-fr", players=4)
    with context.database.writing() as session:
        for kind in ("rule-11", "rule-1"):
            session.add(Card(game=game, kind=kind, copy=900, envelope=1, run=1, lost=None))
    add_photo(context, game, reading(["rule-11-900", "rule-1-900"], [1]))
    asked = organiser.get(f"{GAMES}/{game}/questions")["questions"][0]
    organiser.send("PUT", f"{GAMES}/{game}/questions/1", {"cancels": []}, asked["revision"])
    assert organiser.get(f"{GAMES}/{game}/questions")["questions"][0]["cancelled"] == []
