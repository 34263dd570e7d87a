"""Live events over HTTP."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest
from flask import request
from psycopg.errors import AdminShutdown
from sqlalchemy.exc import OperationalError

from server.api.house import events
from server.api.house.events import STREAM
from server.play import events as streams
from server.play.house import game_row
from server.play.record import changed
from server.play.tokens import projector_token
from server.store.tables import Envelope
from tests.house import START, as_organiser, as_player, new_game
from tests.waiting import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let streams live for a second, with many signs of life."""
    monkeypatch.setattr(streams, "LIFE", 1.0)
    monkeypatch.setattr(streams, "HEARTBEAT", 0.1)


def as_projector(app: Flask, house: House, game: str) -> FlaskClient:
    """Return a client that sends a game's projector token."""
    with house.database.reading() as session:
        row = game_row(session, game)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {projector_token(row.id, row.key)}"
    return client


def told(client: FlaskClient, path: str, then: Callable[[], None] = lambda: None) -> list[dict[str, Any]]:
    """Return the events of a stream until it ends; `then` is done when the first has come."""
    with client:
        response = client.get(path)
        assert (response.status_code, response.mimetype) == (200, "text/event-stream")
        make = request.environ[STREAM]

    async def read() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        async with aclosing(make()) as stream:
            async for piece in stream:
                for line in piece.decode().splitlines():
                    if line.startswith("data: "):
                        found.append(json.loads(line.removeprefix("data: ")))
                        if len(found) == 1:
                            then()
        return found

    return run(read())


def test_organisers_are_told_of_everything(app: Flask, house: House) -> None:
    """What changes comes as an event with its topic, and whose it is."""
    game = new_game(house)

    def change() -> None:
        with house.database.writing() as session:
            changed(session, game, START, "photos", 3)

    assert told(as_organiser(app), f"/api/v1/games/{game}/events", change) == [
        {"topic": "start"},
        {"topic": "photos", "envelope": 3},
    ]


def test_a_player_is_told_of_nobody_else(app: Flask, house: House) -> None:
    """Not of another envelope, and never a number of an envelope."""
    game = new_game(house)

    def change() -> None:
        with house.database.writing() as session:
            for envelope in (2, 1, 3):
                changed(session, game, START, "envelopes", envelope)

    found = told(as_player(app, house, game, 1), "/api/v1/me/events", change)
    assert found == [{"topic": "start"}, {"topic": "envelopes"}]


def test_the_projector_is_told_the_number_of_hand_ins_once(app: Flask, house: House) -> None:
    """A change of an envelope that is no hand-in is not told."""
    game = new_game(house)

    def change() -> None:
        with house.database.writing() as session:
            changed(session, game, START, "envelopes", 2)
        with house.database.writing() as session:
            session.get_one(Envelope, (game, 2)).claimed = START
            changed(session, game, START, "envelopes", 2)

    found = told(as_projector(app, house, game), "/api/v1/projector/events", change)
    assert found == [{"topic": "start", "hand_ins": 0}, {"topic": "hand-ins", "hand_ins": 1}]


@pytest.mark.parametrize("path", ["/api/v1/games/{}/events", "/api/v1/me/events", "/api/v1/projector/events"])
def test_nobody_watches_without_a_right_to(path: str, app: Flask, house: House) -> None:
    """Each stream wants its own credentials."""
    with app.test_client() as client:
        assert client.get(path.format(new_game(house))).status_code == 401
        assert STREAM not in request.environ


def test_a_game_that_is_not_there_has_no_events(app: Flask) -> None:
    """As everywhere: not found."""
    assert as_organiser(app).get("/api/v1/games/0000/events").status_code == 404


def test_too_many_watchers_are_asked_to_come_back(app: Flask, house: House) -> None:
    """The answer says when."""
    client, path = as_organiser(app), f"/api/v1/games/{new_game(house)}/events"
    client.get(path)
    app.extensions["haggle-events"]._most = 0
    response = client.get(path)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "30")


def test_the_big_screens_stream_ends_while_the_database_is_away(
    app: Flask, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends without a mistake of ours; the screen comes back by itself, and is told where it is."""
    screen = as_projector(app, house, new_game(house))

    def away(*_: object) -> int:
        raise OperationalError("", {}, AdminShutdown())

    with monkeypatch.context() as patch:
        patch.setattr(events, "hand_ins", away)
        assert told(screen, "/api/v1/projector/events") == []
    assert told(screen, "/api/v1/projector/events")[0]["hand_ins"] == 0
