"""Games: creating, configuring, changing state, deleting, exporting and importing."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from cardgen.cards import SIZES
from server.api.idempotency import HEADER
from server.api.organiser import archives
from server.db.models import AuditEntry, Game
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.lifecycle.states import State
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from tests.context import START, Clock, as_organiser, as_player, new_context, new_game
from tests.played_game import counted_game

if TYPE_CHECKING:
    import pytest
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.games.context import AppContext

GAMES = "/api/v1/games"
DRAFT = {"name": "At the conference", "edition": "eurocg-2026", "players": 24}
KEY = {HEADER: "one"}


def test_a_new_game_is_created_once_with_default_settings(app: Flask, context: AppContext) -> None:
    """Mode `known`, three attempts, twenty minutes. Settings to confirm are listed, and the key is never sent."""
    client = as_organiser(app)
    answer = client.post(GAMES, json=DRAFT, headers=KEY)
    assert answer.status_code == 201
    game = answer.get_json()
    assert (game["state"], game["mode"], game["tries"], game["pause"]) == ("draft", "known", 3, 1200)
    assert game["settings"] == {"blue_base": 1}
    assert any("Not confirmed" in note for note in game["notes"])
    assert "open" not in game["allowed"]
    assert "print" in game["allowed"]
    with context.database.reading() as session:
        row = session.get_one(Game, game["id"])
    assert row.key.hex() not in answer.text
    assert row.seed not in answer.text
    assert client.post(GAMES, json=DRAFT, headers=KEY).get_json() == game
    assert client.post(GAMES, json=DRAFT | {"name": "Other"}, headers=KEY).status_code == 422
    assert client.post(GAMES, json=DRAFT).get_json()["type"] == "/problems/no-key"
    assert len(client.get(GAMES).get_json()["games"]) == 1


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"players": 0}, "players"),
    ({"deadline": "2026-03-27T12:00:00"}, "deadline"),
    ({"deadline": 1_800_000_000}, "deadline"),
    ({"deadline": "2020-01-01T00:00:00Z"}, "set a later one"),
    ({"settings": {"blue_base": True}}, "blue_base"),
    ({"settings": {"green": 1}}, "no such setting"),
    ({"mode": "all"}, "mode"),
    ({"surprise": 1}, "surprise"),
    ({"edition": "chess"}, "unknown edition"),
]


def test_invalid_settings_are_named(app: Flask) -> None:
    """The response names the field, and no game is created; unknown games are not found."""
    client = as_organiser(app)
    for wrong, words in MISTAKES:
        answer = client.post(GAMES, json=DRAFT | wrong, headers=KEY)
        assert answer.status_code == 422, wrong
        assert words in answer.get_json()["detail"], wrong
    assert client.get(GAMES).get_json() == {"games": []}
    for game in ("0000", "x", "%00%00%00%00", "ABCDE", "éééé", "A" * 5000):
        assert client.get(f"{GAMES}/{game}").status_code == 404, game


def test_settings_change_unless_others_have_changed_them(app: Flask, context: AppContext) -> None:
    """Null removes the deadline, missing fields are unchanged. The audit log has old values. 409 lists valid states."""
    game = new_game(context, State.PRINTED)
    client, address = as_organiser(app), f"{GAMES}/{game}"
    seen = {"If-Match": client.get(address).get_json()["revision"]}
    client.post(f"{address}/acts", json={"act": "open"})
    assert client.get(address).get_json()["revision"] == seen["If-Match"], "what is no setting changes nothing"
    deadline = (START + timedelta(hours=3)).isoformat()
    first = client.patch(address, json={"deadline": deadline, "tries": 1, "name": None}, headers=seen)
    body = first.get_json()
    assert (first.status_code, body["deadline"], body["name"]) == (200, "2026-03-25T12:00:00Z", "A game")
    late = client.patch(address, json={"tries": 7}, headers=seen)
    assert (late.status_code, late.get_json()["type"]) == (412, "/problems/changed")
    assert client.get(address).get_json()["tries"] == 1
    again = client.patch(address, json={"deadline": None}, headers={"If-Match": body["revision"]})
    assert again.get_json()["deadline"] is None
    with context.database.reading() as session:
        audit = select(AuditEntry).where(AuditEntry.game == game, AuditEntry.action == "change")
        entries = session.scalars(audit.order_by(AuditEntry.id)).all()
    assert [(entry.who, entry.before) for entry in entries] == [
        ("Olga", {"deadline": None, "tries": 3}),
        ("Olga", {"deadline": "2026-03-25T12:00:00+00:00"}),
    ]
    answer = client.patch(address, json={"players": 7, "tries": 2})
    assert (answer.status_code, answer.get_json()["allowed_in"]) == (409, ["draft"])
    assert client.get(address).get_json()["tries"] == 1


def test_a_game_changes_its_state(app: Flask, context: AppContext, clock: Clock) -> None:
    """Repeating a change is refused with the current state; at its deadline a game closes automatically."""
    game, drafted = new_game(context, State.PRINTED, players=4), new_game(context, State.DRAFT)
    client = as_organiser(app)
    for act, state in (("open", "open"), ("close", "closed"), ("reopen", "open")):
        clock.forward(minutes=1)
        answer = client.post(f"{GAMES}/{game}/acts", json={"act": act, "reason": "because"})
        assert (answer.status_code, answer.get_json()["state"]) == (200, state)
        again = client.post(f"{GAMES}/{game}/acts", json={"act": act})
        assert (again.status_code, again.get_json()["state"]) == (409, state)
    assert client.delete(f"{GAMES}/{game}").status_code == 409
    counts = {one["id"]: one["counts"] for one in client.get(GAMES).get_json()["games"]}
    nothing = {"joined": 0, "claimed": 0, "received": 0}
    assert counts == {drafted: {"envelopes": 0, "open": 0, **nothing}, game: {"envelopes": 4, "open": 4, **nothing}}
    ends = START + timedelta(hours=1)
    assert client.patch(f"{GAMES}/{game}", json={"deadline": ends.isoformat()}).status_code == 200
    clock.time = ends
    seen = client.get(f"{GAMES}/{game}").get_json()
    assert (seen["state"], seen["closed"]) == ("closed", "2026-03-25T10:00:00Z")
    assert {one["state"] for one in client.get(GAMES).get_json()["games"]} == {"draft", "closed"}
    assert as_player(app, context, game, 1).get("/api/v1/me").get_json()["game"]["state"] == "closed"


def test_a_deleted_game_is_not_found(app: Flask, context: AppContext) -> None:
    game = new_game(context, State.PRINTED)
    client = as_organiser(app)
    assert client.delete(f"{GAMES}/{game}").status_code == 204
    assert client.get(f"{GAMES}/{game}").status_code == 404
    with context.database.reading() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "delete"))
    assert (entry.who, entry.subject) == ("Olga", f"game {game}")


def _send(client: FlaskClient, data: bytes, content_type: str = "application/zip") -> TestResponse:
    return client.post(f"{GAMES}/import", data=data, headers=KEY, content_type=content_type)


def test_a_game_moves_to_another_server(app: Flask, context: AppContext, tmp_path: Path) -> None:
    """Its results are identical. Requests with one key import it once, and an existing game is refused."""
    game = counted_game(context, published=True)
    client = as_organiser(app)
    with client.get(f"{GAMES}/{game}/export") as answer:
        assert answer.headers["Content-Disposition"] == f"attachment; filename=haggle-{game}.zip"
        assert answer.headers["Cache-Control"] == "no-store"
        file = answer.data
    reply = _send(client, file)
    assert (reply.status_code, reply.get_json()["type"]) == (409, "/problems/game-exists")
    other = new_context(tmp_path / "elsewhere", Clock())
    elsewhere = as_organiser(create_app(AppConfig(tmp_path / "elsewhere"), other))
    for _ in range(2):
        reply = _send(elsewhere, file)
        assert (reply.status_code, reply.json) == (201, {"game": game})
    path = f"{GAMES}/{game}/results/1"
    assert elsewhere.get(path).json == client.get(path).json
    other.database.close()


def test_a_full_disk_refuses_an_export(app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other exports are possible once there is room."""
    game, client, full = new_game(context), as_organiser(app), Path("/dev/full")
    for _ in range(3):
        with monkeypatch.context() as patch:
            patch.setattr(archives.tempfile, "TemporaryFile", lambda: full.open("r+b"))
            answer = client.get(f"{GAMES}/{game}/export")
            assert (answer.status_code, answer.get_json()["type"]) == (507, "/problems/disk-full")
            assert "room" in answer.get_json()["detail"]
    with client.get(f"{GAMES}/{game}/export") as answer:
        assert answer.status_code == 200


def test_invalid_archives_are_refused(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """By type, content or size, which is checked during the upload; one import runs at a time."""
    client = as_organiser(app)
    assert _send(client, b"").status_code == 422
    assert _send(client, b"x", "text/plain").status_code == 415
    monkeypatch.setattr(archives, "MAX_BYTES", 100)
    for size, status in ((99, 422), (100, 422), (101, 413)):
        reply = _send(client, b"x" * size)
        assert reply.status_code == status, size
    assert "haggle games import" in reply.get_json()["detail"]
    with archives._imports:
        reply = _send(client, b"x")
    assert reply.status_code == 503
    assert int(reply.headers["Retry-After"]) > 0


def test_a_card_size_is_chosen_by_name(app: Flask, context: AppContext) -> None:
    """A game printed elsewhere with another size has no name for it and keeps it."""
    game = new_game(context, size="mini")
    address, client = f"/api/v1/games/{game}", as_organiser(app)
    assert client.get(address).json["size"] == "mini"
    with context.database.writing() as session:
        row = load_game(session, game)
        assert printed_game_of(row).geometry == SIZES["mini"]
        row.geometry = row.geometry | {"width": 60.0}
    assert client.get(address).json["size"] == ""
    assert client.patch(address, json={"tries": 1}).status_code == 200
    with context.database.reading() as session:
        assert load_game(session, game).geometry["width"] == 60.0
