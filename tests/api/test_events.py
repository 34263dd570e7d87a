"""Live events over HTTP."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest
from flask import request
from psycopg.errors import AdminShutdown
from sqlalchemy.exc import OperationalError

from server.api import events
from server.api.events import STREAM
from server.db.models import Envelope
from server.games import events as streams
from server.games.events import publish_event
from tests.context import START, as_organiser, as_player, as_projector, new_game
from tests.waiting import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient

    from server.games.context import AppContext


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


def test_everybody_learns_of_their_own_alone(app: Flask, context: AppContext) -> None:
    """Organisers of everything and whose it is, players of the own envelope without its number, screens of hand-ins."""
    game = new_game(context)
    seats = iter((4, 5, 6))

    def change() -> None:
        for envelope in (2, 1):
            with context.database.writing() as session:
                publish_event(session, game, START, "envelopes", envelope)
        with context.database.writing() as session:
            session.get_one(Envelope, (game, seat := next(seats))).submitted_at = START
            publish_event(session, game, START, "envelopes", seat)

    path = f"/api/v1/games/{game}/events"
    assert told(as_organiser(app), path, change) == [
        {"topic": "start"},
        *({"topic": "envelopes", "envelope": envelope} for envelope in (2, 1, 4)),
    ]
    own = told(as_player(app, context, game, 1), "/api/v1/me/events", change)
    assert own == [{"topic": "start"}, {"topic": "envelopes"}]
    hand_ins = told(as_projector(app, context, game), "/api/v1/projector/events", change)
    assert hand_ins == [{"topic": "start", "hand_ins": 2}, {"topic": "hand-ins", "hand_ins": 3}]


def test_too_many_watchers_are_asked_to_come_back(app: Flask, context: AppContext) -> None:
    client, path = as_organiser(app), f"/api/v1/games/{new_game(context)}/events"
    assert client.get("/api/v1/games/0000/events").status_code == 404
    client.get(path)
    app.extensions["haggle-events"]._most = 0
    response = client.get(path)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "30")


def test_the_big_screens_stream_ends_while_the_database_is_away(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends without a mistake of ours; the screen comes back by itself, and is told where it is."""
    screen = as_projector(app, context, new_game(context))

    def away(*_: object) -> int:
        raise OperationalError("", {}, AdminShutdown())

    with monkeypatch.context() as patch:
        patch.setattr(events, "count_hand_ins", away)
        assert told(screen, "/api/v1/projector/events") == []
    assert told(screen, "/api/v1/projector/events")[0]["hand_ins"] == 0
