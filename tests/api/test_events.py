"""Event streams over HTTP."""

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
    """Let streams end after a second, with frequent heartbeats."""
    monkeypatch.setattr(streams, "STREAM_SECONDS", 1.0)
    monkeypatch.setattr(streams, "HEARTBEAT", 0.1)


def events_from(client: FlaskClient, path: str, then: Callable[[], None] = lambda: None) -> list[dict[str, Any]]:
    """Return the events of a stream until it ends; call `then` after the first."""
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


def test_clients_only_get_their_own_events(app: Flask, context: AppContext) -> None:
    """Organisers get all events, players those of their envelope without its number, projectors hand-ins."""
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
    assert events_from(as_organiser(app), path, change) == [
        {"topic": "start"},
        *({"topic": "envelopes", "envelope": envelope} for envelope in (2, 1, 4)),
    ]
    own = events_from(as_player(app, context, game, 1), "/api/v1/me/events", change)
    assert own == [{"topic": "start"}, {"topic": "envelopes"}]
    hand_ins = events_from(as_projector(app, context, game), "/api/v1/projector/events", change)
    assert hand_ins == [{"topic": "start", "hand_ins": 2}, {"topic": "hand-ins", "hand_ins": 3}]


def test_too_many_streams_are_refused(app: Flask, context: AppContext) -> None:
    client, path = as_organiser(app), f"/api/v1/games/{new_game(context)}/events"
    assert client.get("/api/v1/games/0000/events").status_code == 404
    client.get(path)
    app.extensions["haggle-events"]._most = 0
    response = client.get(path)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "30")


def test_a_projector_stream_ends_while_the_database_is_unavailable(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No error is logged; the projector page reconnects and gets the current state."""
    screen = as_projector(app, context, new_game(context))

    def away(*_: object) -> int:
        raise OperationalError("", {}, AdminShutdown())

    with monkeypatch.context() as patch:
        patch.setattr(events, "count_hand_ins", away)
        assert events_from(screen, "/api/v1/projector/events") == []
    assert events_from(screen, "/api/v1/projector/events")[0]["hand_ins"] == 0
