"""Properties of all responses: headers, compression, and errors for invalid requests."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import brotli
import pytest
from sqlalchemy import select

from cardgen.payload import join_token
from server.api.application import MAX_JSON_DEPTH
from server.api.auth import projector_token
from server.db.models import Envelope
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.web_app.assets import Assets
from server.web_app.factory import COMPRESSED_TYPES
from tests.api.endpoints import endpoints
from tests.context import as_organiser, as_player, as_projector, new_game
from tests.players import Player

if TYPE_CHECKING:
    from flask import Flask

    from server.games.context import AppContext

NO_ENDPOINTS = ("/nothing", "/api/v1/nothing", "/assets/x.js", "/")
SPEC = "/api/v1/openapi.json"


@pytest.mark.usefixtures("draw_in_process")
@pytest.mark.parametrize("state", [State.OPEN, pytest.param(State.PUBLISHED, marks=pytest.mark.thorough)])
def test_all_responses_have_security_headers(app: Flask, context: AppContext, state: State) -> None:
    """They prevent content sniffing and framing; private responses are not cached."""
    game = new_game(context, state)
    organiser, player, screen = as_organiser(app), as_player(app, context, game, 1), as_projector(app, context, game)
    clients = {"organiser": organiser, "player": player, "projector": screen, "public": organiser}
    asked = [(one.access, clients[one.access[0]], one.method, one.url(game=game)) for one in endpoints(app)]
    # Signing out comes last.
    asked.sort(key=lambda one: one[2] == "DELETE")
    asked += [(("public",), app.test_client(), "GET", path) for path in NO_ENDPOINTS]
    statuses = set()
    for who, client, method, url in asked:
        with client.open(url, method=method) as answer:
            statuses.add(answer.status_code)
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy, url
            assert "frame-ancestors 'none'" in policy, url
            assert "unsafe-inline" not in policy, url
            assert answer.headers["X-Content-Type-Options"] == "nosniff", url
            assert answer.headers["Referrer-Policy"] == "no-referrer", url
            assert answer.headers["X-Frame-Options"], url
            assert answer.headers["Cross-Origin-Opener-Policy"], url
            assert answer.headers["Cross-Origin-Resource-Policy"], url
            assert "camera=(self)" in answer.headers["Permissions-Policy"], url
            if who != ("public",):
                assert {"no-store", "private"} & set(answer.headers["Cache-Control"].split(", ")), url
            if url in NO_ENDPOINTS:
                assert "Set-Cookie" not in answer.headers, url
    assert {200, 404} <= statuses


@pytest.mark.parametrize("path", ["/", "/desk", SPEC])
def test_compressed_responses_have_the_same_content(app: Flask, path: str) -> None:
    """With brotli, gzip and neither; conditional requests work with all of them."""
    client = app.test_client()
    ways = {"gzip, br": "br", "gzip": "gzip", "identity": None}
    replies = [client.get(path, headers={"Accept-Encoding": how}) for how in ways]
    assert [reply.headers.get("Content-Encoding") for reply in replies] == list(ways.values())
    best, packed, plain = replies
    assert brotli.decompress(best.data) == gzip.decompress(packed.data) == plain.data
    assert len(best.data) < len(plain.data) / 2
    assert all("Accept-Encoding" in reply.headers["Vary"] for reply in replies)
    if path == "/":
        for how, first in zip(ways, replies, strict=True):
            asked = {"Accept-Encoding": how, "If-None-Match": first.headers["ETag"]}
            again = client.get(path, headers=asked)
            assert (again.status_code, again.data) == (304, b"")
            assert again.headers["X-Content-Type-Options"] == "nosniff"
            assert client.get(path, headers=asked | {"If-None-Match": '"another"'}).status_code == 200


def test_images_events_and_short_responses_are_not_compressed(app: Flask, context: AppContext) -> None:
    """PNG is compressed already, events must not be buffered, and short responses fit into one packet anyway."""
    organiser = as_organiser(app)
    icon = Assets.load().url("icons/haggle-512.png")
    for path in ("/healthz", icon, f"/api/v1/games/{new_game(context)}/events"):
        with organiser.get(path, headers={"Accept-Encoding": "br, gzip"}) as reply:
            assert reply.status_code == 200, path
            assert "Content-Encoding" not in reply.headers, path


def test_no_response_contains_both_secrets_and_players_texts(app: Flask, context: AppContext) -> None:
    """Otherwise the length of compressed responses would reveal secrets to somebody who varies the text (BREACH)."""
    game = new_game(context, State.OPEN)
    name = "Zaphod Beeblebrox"
    Player(app, context, game, 1).client.patch("/api/v1/me", json={"name": name})
    with context.database.reading() as session:
        row = load_game(session, game)
        secrets = [projector_token(row.id, row.key), row.key.hex(), row.seed]
        seats = session.scalars(select(Envelope).where(Envelope.game == game))
        secrets += [join_token(row.id, row.key, seat.number, seat.token_version) for seat in seats]
    organiser = as_organiser(app)
    named = counted = 0
    for endpoint in endpoints(app):
        if endpoint.method != "GET" or endpoint.rule.endswith(("/events", ".pdf", ".png", "/export")):
            continue
        with organiser.get(endpoint.url(game=game)) as reply:
            text = reply.get_data(as_text=True) if reply.mimetype in COMPRESSED_TYPES else ""
        holds = any(secret in text for secret in secrets)
        named += name in text
        counted += holds
        assert not (holds and name in text), endpoint.rule
    assert named
    assert counted


def test_deeply_nested_json_is_refused(app: Flask, context: AppContext) -> None:
    """By all endpoints with JSON input; JSON up to the limit is parsed and then fails validation."""
    game = new_game(context)
    clients = {"organiser": as_organiser(app), "player": as_player(app, context, game, 1), "public": as_organiser(app)}
    headers = {"Idempotency-Key": "x", "If-Match": "x"}
    deep = ["[" * 200_000, '{"name":' * 100_000, "[" * 900 + "]" * 900]
    answers = set()
    for number, endpoint in enumerate(endpoints(app)):
        client = clients.get(endpoint.access[0])
        if client is not None and endpoint.method in {"POST", "PUT", "PATCH"}:
            sent = client.open(
                endpoint.url(game=game),
                method=endpoint.method,
                data=deep[number % len(deep)],
                content_type="application/json",
                headers=headers,
            )
            answers.add(sent.status_code)
            assert sent.status_code < 500, (endpoint, sent.json)
    assert 400 in answers
    for text, status in (
        (deep[0], 400),
        (deep[1], 400),
        (_nested(MAX_JSON_DEPTH), 422),
        (_nested(MAX_JSON_DEPTH + 1), 400),
    ):
        sent = as_organiser(app).post("/api/v1/session", data=text, content_type="application/json")
        assert sent.status_code == status, text[:20]


def _nested(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


def test_huge_numbers_are_not_found(app: Flask, context: AppContext) -> None:
    """Numbers in paths and in keys of issues may have any length."""
    game = new_game(context)
    client = as_organiser(app)
    numbered = [one for one in endpoints(app) if "<int:" in one.rule and one.method == "GET"]
    for digits in ("9" * 19, "9" * 5000):
        for key in (f"hand:red-001:{digits}", f"late:{digits}", f"hand:red-{digits}:1"):
            address = f"/api/v1/games/{game}/queue/{key}"
            sent = client.put(f"{address}/ruling", json={"do": "add", "reason": "x"}, headers={"If-Match": '"x"'})
            assert sent.status_code in {404, 405}, sent.json
            assert client.get(address).status_code in {404, 405}
        for endpoint in numbered:
            parts = {piece.split(">")[0]: digits for piece in endpoint.rule.split("<int:")[1:]}
            assert client.get(endpoint.url(**{**parts, "game": game})).status_code == 404, endpoint


def test_null_characters_are_refused(app: Flask, context: AppContext) -> None:
    """PostgreSQL cannot store U+0000, so it is refused before any query."""
    client, game_url = as_organiser(app), f"/api/v1/games/{new_game(context)}"
    for body in ('{"name": "a\\u0000b"}', '{"confirmed": ["\\u0000"]}', '{"settings": {"\\u0000": 1}}'):
        answer = client.patch(game_url, data=body, content_type="application/json")
        assert answer.status_code == 422
        assert "U+0000" in answer.get_json()["detail"], body
    for address in ("A%00BC", "ABCD/photos/%00"):
        assert client.get(f"/api/v1/games/{address}").status_code == 404
    assert client.get("/api/v1/games?x=%00").status_code == 422
