"""Live events over HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from psycopg.errors import AdminShutdown
from sqlalchemy.exc import OperationalError

from server.api.house import events
from server.play.house import game_row
from server.play.record import changed
from server.play.tokens import projector_token
from server.store.tables import Envelope
from tests.house import START, as_organiser, as_player, new_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.play.house import House


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let streams live for a second, with many signs of life."""
    monkeypatch.setattr(events, "LIFE", 1.0)
    monkeypatch.setattr(events, "HEARTBEAT", 0.1)


def as_projector(app: Flask, house: House, game: str) -> FlaskClient:
    """Return a client that sends a game's projector token."""
    with house.database.reading() as session:
        row = game_row(session, game)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {projector_token(row.id, row.key)}"
    return client


def _events(response: TestResponse) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream until it ends."""
    assert response.status_code == 200
    assert response.mimetype == "text/event-stream"
    for chunk in response.iter_encoded():
        lines = dict(line.split(": ", 1) for line in chunk.decode().splitlines() if line and not line.startswith(":"))
        if "data" in lines:
            yield {"id": int(lines["id"]), **json.loads(lines["data"])}


def test_organisers_are_told_of_everything(app: Flask, house: House) -> None:
    """What changes comes as an event with its topic, and whose it is."""
    game = new_game(house)
    stream = _events(as_organiser(app).get(f"/api/v1/games/{game}/events"))
    assert next(stream)["topic"] == "start"
    with house.database.writing() as session:
        changed(session, game, START, "photos", 3)
    event = next(stream)
    assert (event["topic"], event["envelope"]) == ("photos", 3)


def test_a_player_is_told_of_nobody_else(app: Flask, house: House) -> None:
    """Not of another envelope, and never a number of an envelope."""
    game = new_game(house)
    stream = _events(as_player(app, house, game, 1).get("/api/v1/me/events"))
    next(stream)
    with house.database.writing() as session:
        for envelope in (2, 1, 3):
            changed(session, game, START, "envelopes", envelope)
    told = list(stream)
    assert [set(event) for event in told] == [{"id", "topic"}]


def test_the_projector_is_told_the_number_of_hand_ins_once(app: Flask, house: House) -> None:
    """A change of an envelope that is no hand-in is not told."""
    game = new_game(house)
    stream = _events(as_projector(app, house, game).get("/api/v1/projector/events"))
    assert next(stream)["hand_ins"] == 0
    with house.database.writing() as session:
        changed(session, game, START, "envelopes", 2)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 2)).claimed = START
        changed(session, game, START, "envelopes", 2)
    assert [{key: event[key] for key in ("topic", "hand_ins")} for event in stream] == [
        {"topic": "hand-ins", "hand_ins": 1}
    ]


def test_a_stream_resumes_after_the_last_event(app: Flask, house: House) -> None:
    """The header that browsers send by themselves says where; what was told just before may be told once more."""
    game = new_game(house)
    client = as_organiser(app)
    stream = client.get(f"/api/v1/games/{game}/events")
    last = next(_events(stream))["id"]
    stream.close()
    with house.database.writing() as session:
        changed(session, game, START, "queue")
    again = client.get(f"/api/v1/games/{game}/events", headers={"Last-Event-ID": str(last)})
    assert "queue" in (event["topic"] for event in _events(again))


@pytest.mark.parametrize("last", ["-1", "x", "1" * 30, "٣"])
def test_a_strange_last_event_starts_anew(last: str, app: Flask, house: House) -> None:
    """What is no number of ours is taken for none."""
    game = new_game(house)
    response = as_organiser(app).get(f"/api/v1/games/{game}/events", headers={"Last-Event-ID": last})
    assert next(_events(response))["topic"] == "start"


def test_a_stream_ends_by_itself_and_gives_its_place_back(app: Flask, house: House) -> None:
    """Whoever has vanished holds a thread for a bounded time; signs of life come meanwhile."""
    game = new_game(house)
    response = as_organiser(app).get(f"/api/v1/games/{game}/events")
    chunks = [chunk.decode() for chunk in response.iter_encoded()]
    response.close()
    assert chunks[0].startswith("retry: ")
    assert chunks.count(": alive\n\n") >= 5
    assert not app.extensions["haggle-events"]._watches


def test_a_stream_that_nobody_reads_gives_its_place_back(app: Flask, house: House) -> None:
    """The connection broke before the first byte."""
    game = new_game(house)
    as_organiser(app).get(f"/api/v1/games/{game}/events").close()
    assert not app.extensions["haggle-events"]._watches


@pytest.mark.parametrize("path", ["/api/v1/games/{}/events", "/api/v1/me/events", "/api/v1/projector/events"])
def test_nobody_watches_without_a_right_to(path: str, app: Flask, house: House) -> None:
    """Each stream wants its own credentials."""
    assert app.test_client().get(path.format(new_game(house))).status_code == 401


def test_a_game_that_is_not_there_has_no_events(app: Flask) -> None:
    """As everywhere: not found."""
    assert as_organiser(app).get("/api/v1/games/0000/events").status_code == 404


def test_the_big_screens_stream_ends_while_the_database_is_away(
    app: Flask, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends without a mistake of ours; the screen comes back by itself, and is told where it is."""
    game = new_game(house)
    screen = as_projector(app, house, game)

    def away(*_: object) -> int:
        raise OperationalError("", {}, AdminShutdown())

    with monkeypatch.context() as patch:
        patch.setattr(events, "hand_ins", away)
        assert list(_events(screen.get("/api/v1/projector/events"))) == []
    assert next(_events(screen.get("/api/v1/projector/events")))["hand_ins"] == 0
