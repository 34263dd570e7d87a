"""Logs, metrics and spans of a whole game contain no personal data."""

from __future__ import annotations

import base64
import io
import json
import logging
import re
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, select, text

from cardgen.cards import CardId
from cardgen.payload import card_text, join_token
from server.api.auth import projector_token
from server.db.models import Card, Envelope, Photo
from server.games.audit import SERVER
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.server_config import reset_password
from server.observability.logs import JsonLines
from server.observability.metrics import new_registry
from tests.api.endpoints import endpoints
from tests.context import ORIGIN, as_player, as_projector, new_game
from tests.readings import add_photo, reading
from tests.scan_jobs import png

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from server.games.context import AppContext

NAME, ORGANISER, FILE, ADDRESS = "Zebedee Quux", "Ottoline Prag", "our beach.jpg", "203.0.113.77"
PASSWORD = "seven plain words"  # noqa: S105 - of this test's server
REASON = "because Quux said so"


class Telemetry:
    """Log entries and spans recorded during a test."""

    def __init__(self, spans: InMemorySpanExporter) -> None:
        self.lines, self.spans = io.StringIO(), spans

    @property
    def events(self) -> list[dict[str, Any]]:
        """All log entries, parsed."""
        return [json.loads(line) for line in self.lines.getvalue().splitlines()]

    @property
    def everything(self) -> str:
        """All log entries and spans as one text."""
        return self.lines.getvalue() + "".join(one.to_json() for one in self.spans.get_finished_spans())


@pytest.fixture
def telemetry(monkeypatch: pytest.MonkeyPatch, spans: InMemorySpanExporter) -> Iterator[Telemetry]:
    """Record all loggers at the lowest level, and all spans."""
    telemetry = Telemetry(spans)
    handler = logging.StreamHandler(telemetry.lines)
    handler.setFormatter(JsonLines())
    monkeypatch.delenv("HAGGLE_DEBUG", raising=False)
    before = {name: logging.getLogger(name).level for name in ("haggle.access", "server", "flask-limiter")}
    logging.getLogger().addHandler(handler)
    for name in before:
        logging.getLogger(name).setLevel(logging.INFO)
    yield telemetry
    logging.getLogger().removeHandler(handler)
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def _organiser(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.environ_base |= {"HTTP_ORIGIN": ORIGIN, "REMOTE_ADDR": ADDRESS, "HTTP_USER_AGENT": f"Phone of {NAME}"}
    assert client.post("/api/v1/session", json={"name": ORGANISER, "password": "a wrong guess"}).status_code == 401
    assert client.post("/api/v1/session", json={"name": ORGANISER, "password": PASSWORD}).status_code == 201
    return client


def _play(app: Flask, context: AppContext) -> list[str]:
    """Play a game through every endpoint; return what the log must not contain."""
    reset_password(context, PASSWORD, SERVER)
    desk = _organiser(app)
    game = new_game(context, mode="full", name=f"The game of {NAME}")
    with context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).name = NAME
        cards = list(session.scalars(select(Card).where(Card.game == game, Card.envelope == 1)))
        own = [f"{card.kind}-{card.copy:03d}" for card in cards]
        row = load_game(session, game)
        tokens = [join_token(game, row.key, number) for number in range(1, 7)]
        screen = projector_token(game, row.key)
        payloads = [card_text(printed_game_of(row), CardId(card.kind, card.copy)) for card in cards[:5]]
        secrets = [row.seed, row.key.hex(), base64.b64encode(row.key).decode().rstrip("="), screen, *tokens, *payloads]
    player = as_player(app, context, game, 1)
    player.environ_base |= {"REMOTE_ADDR": ADDRESS, "HTTP_X_FORWARDED_FOR": ADDRESS}
    projector = as_projector(app, context, game)
    projector.environ_base |= {"REMOTE_ADDR": ADDRESS}
    deck = player.post("/api/v1/me/decks", headers={"Idempotency-Key": "deck"}).json["id"]
    sent = {"photo": (io.BytesIO(png(1)), FILE)}
    assert player.post(f"/api/v1/me/decks/{deck}/photos", data=sent, headers={"Idempotency-Key": "p"}).status_code < 300
    with context.database.writing() as session:
        session.execute(delete(Photo))
    add_photo(context, game, reading(own, [1]), deck=deck, source="player", envelope=1, name=FILE)
    digest = player.get(f"/api/v1/me/decks/{deck}").json["digest"]
    for step, body in (("confirm", {"digest": digest}), ("check", {}), ("hand-in", {})):
        done = player.post(f"/api/v1/me/decks/{deck}/{step}", json=body, headers={"Idempotency-Key": step})
        assert done.status_code < 300, done.json
    callers = {"organiser": desk, "player": player, "projector": projector, "public": player}
    for endpoint in sorted(endpoints(app), key=lambda found: found.method != "GET"):
        if endpoint.method == "DELETE" or endpoint.rule.endswith(("/events", "/session/password")):
            continue
        url = endpoint.url(game=game, deck=deck, envelope=1, number=1, name=NAME, rest=NAME)
        body = {} if endpoint.method == "GET" else {"json": {"name": NAME, "reason": REASON, "code": tokens[0]}}
        with callers[endpoint.access[0]].open(f"{url}?q={NAME}", method=endpoint.method, **body) as answer:
            answer.get_data()
    for path in (f"/{NAME}", f"/j/{tokens[0]}", f"/api/v1/games/{game}/envelopes/{NAME}"):
        player.get(path).close()
    cookies = [cookie.value for cookie in desk._cookies.values()]
    typed = [*NAME.split(), ORGANISER, FILE, "beach", PASSWORD, "a wrong guess", REASON]
    return [*secrets, *own, *cookies, *typed, ADDRESS]


@pytest.mark.usefixtures("draw_in_process")
def test_logs_of_a_game_contain_no_personal_data(app: Flask, context: AppContext, telemetry: Telemetry) -> None:
    """They contain no token, key, card code, name, password, file name, reason or address."""
    unwanted = _play(app, context)
    routes = {event["route"] for event in telemetry.events if "route" in event}
    assert len(telemetry.events) > 80
    assert len(routes) > 60
    assert routes <= {rule.rule for rule in app.url_map.iter_rules()} | {"(none)"}
    counted = "".join(
        sample.name + str(sample.labels) for metric in new_registry().collect() for sample in metric.samples
    )
    for secret in unwanted:
        assert len(secret) > 3
        assert secret not in telemetry.everything
        assert secret not in counted


def test_errors_are_logged_without_their_messages(
    app: Flask, context: AppContext, telemetry: Telemetry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exceptions are logged by type and location, since their messages may quote personal data."""
    game = new_game(context)

    def broken(*_: object, **__: object) -> None:
        raise ValueError(f"{NAME} is no number")

    def refused(*_: object, **__: object) -> None:
        with context.database.writing() as session:
            session.execute(text("insert into games (id) values (:name)"), {"name": NAME})

    player = as_player(app, context, game, 1)
    for failing in (broken, refused):
        monkeypatch.setitem(app.view_functions, "health.health", failing)
        answer = player.get("/healthz", buffered=True)
        assert answer.status_code == 500
        events = [event for event in telemetry.events if event.get("request") == answer.headers["X-Request-Id"]]
        errors = [event for event in events if event["level"] == "error"]
        assert [event["route"] for event in errors] == ["/healthz"]
    assert "test_logs.py" in telemetry.everything
    assert "ValueError" in telemetry.everything
    assert "Error (" in telemetry.everything
    for word in NAME.split():
        assert word not in telemetry.everything


def test_each_request_has_an_id_a_log_line_and_a_span(app: Flask, telemetry: Telemetry) -> None:
    """The id in the response is ours, whatever the client sends, and is the same as in the log."""
    client = app.test_client()
    ids = [
        client.get(path, headers={"X-Request-Id": "mine"}, buffered=True).headers["X-Request-Id"]
        for path in ("/healthz", "/no")
    ]
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in ids)
    assert ids[0] != ids[1]
    assert [event["request"] for event in telemetry.events if event["logger"] == "haggle.access"] == ids
    first = telemetry.events[-2]
    assert (first["route"], first["method"], first["status"]) == ("/healthz", "GET", 200)
    assert first["bytes"] > 0
    assert first["seconds"] >= 0
    found = {one.name: dict(one.attributes or {}) for one in reversed(telemetry.spans.get_finished_spans())}
    assert found["request"] == {"haggle.method": "GET", "haggle.route": "/healthz", "haggle.status": 200}
    assert found["transaction"] == {"haggle.writes": False}
