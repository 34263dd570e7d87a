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
from server.play.record import changed
from server.store.tables import Envelope
from tests.house import START, as_organiser, as_player, as_projector, new_game
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


def test_everybody_is_told_of_their_own_alone(app: Flask, house: House) -> None:
    """Organisers of everything and whose it is, players of the own envelope without its number, screens of hand-ins."""
    game = new_game(house)
    seats = iter((4, 5, 6))

    def change() -> None:
        for envelope in (2, 1):
            with house.database.writing() as session:
                changed(session, game, START, "envelopes", envelope)
        with house.database.writing() as session:
            session.get_one(Envelope, (game, seat := next(seats))).claimed = START
            changed(session, game, START, "envelopes", seat)

    path = f"/api/v1/games/{game}/events"
    assert told(as_organiser(app), path, change) == [
        {"topic": "start"},
        *({"topic": "envelopes", "envelope": envelope} for envelope in (2, 1, 4)),
    ]
    own = told(as_player(app, house, game, 1), "/api/v1/me/events", change)
    assert own == [{"topic": "start"}, {"topic": "envelopes"}]
    hand_ins = told(as_projector(app, house, game), "/api/v1/projector/events", change)
    assert hand_ins == [{"topic": "start", "hand_ins": 2}, {"topic": "hand-ins", "hand_ins": 3}]


def test_too_many_watchers_are_asked_to_come_back(app: Flask, house: House) -> None:
    client, path = as_organiser(app), f"/api/v1/games/{new_game(house)}/events"
    assert client.get("/api/v1/games/0000/events").status_code == 404
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
