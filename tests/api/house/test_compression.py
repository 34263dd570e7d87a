"""Pages and answers are compressed for who takes that; nothing else is, and no compressed length tells a secret."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import brotli
import pytest
from sqlalchemy import select

from server.app.assets import Assets
from server.app.compression import TYPES
from server.play.house import game_row
from server.play.states import State
from server.play.tokens import join_token, projector_token
from server.store.tables import Envelope
from tests.api.house.endpoints import endpoints
from tests.house import as_organiser, new_game
from tests.players import Player

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House

SPEC = "/api/v1/openapi.json"


@pytest.mark.parametrize("path", ["/", "/desk", SPEC])
def test_what_is_compressed_is_the_same(app: Flask, path: str) -> None:
    """With brotli, gzip and neither, a page and an answer of some length say the same."""
    client = app.test_client()
    best, packed, plain = (
        client.get(path, headers={"Accept-Encoding": how}) for how in ("gzip, br", "gzip", "identity")
    )
    assert [reply.headers.get("Content-Encoding") for reply in (best, packed, plain)] == ["br", "gzip", None]
    assert brotli.decompress(best.data) == gzip.decompress(packed.data) == plain.data
    assert len(best.data) < len(plain.data) / 2
    assert all("Accept-Encoding" in reply.headers["Vary"] for reply in (best, packed, plain))


@pytest.mark.parametrize("coding", ["br", "gzip", "identity"])
def test_a_page_that_the_browser_has_is_not_sent_again(app: Flask, coding: str) -> None:
    """The page's tag works for each way to send it, and the answer without a body keeps the security headers."""
    client = app.test_client()
    first = client.get("/", headers={"Accept-Encoding": coding})
    again = client.get("/", headers={"Accept-Encoding": coding, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["X-Content-Type-Options"] == "nosniff"
    other = client.get("/", headers={"Accept-Encoding": coding, "If-None-Match": '"another"'})
    assert other.status_code == 200


def test_pictures_events_and_small_answers_go_out_as_they_are(app: Flask, house: House) -> None:
    """A PNG would not shrink, live events must not wait for more of them, and a short answer is one packet anyway."""
    game = new_game(house)
    organiser = as_organiser(app)
    icon = Assets.load().url("icons/haggle-512.png")
    for path in ("/healthz", icon, f"/api/v1/games/{game}/events"):
        reply = organiser.get(path, headers={"Accept-Encoding": "br, gzip"})
        assert reply.status_code == 200, path
        assert "Content-Encoding" not in reply.headers, path
        reply.close()


def test_no_answer_holds_a_link_or_key_beside_what_players_write(app: Flask, house: House) -> None:
    """Who changes the own name and watches how long answers become learns no link: they never lie side by side."""
    game = new_game(house, State.OPEN)
    name = "Zaphod Beeblebrox"
    Player(app, house, game, 1).client.patch("/api/v1/me", json={"name": name})
    with house.database.reading() as session:
        row = game_row(session, game)
        secrets = [projector_token(row.id, row.key), row.key.hex(), row.seed]
        seats = session.scalars(select(Envelope).where(Envelope.game == game))
        secrets += [join_token(row.id, row.key, seat.number, seat.token) for seat in seats]
    organiser = as_organiser(app)
    named = told = 0
    for endpoint in endpoints(app):
        if endpoint.method != "GET" or endpoint.rule.endswith(("/events", ".pdf", ".png", "/export")):
            continue
        with organiser.get(endpoint.url(game=game)) as reply:
            text = reply.get_data(as_text=True) if reply.mimetype in TYPES else ""
        holds = any(secret in text for secret in secrets)
        named += name in text
        told += holds
        assert not (holds and name in text), endpoint.rule
    assert named
    assert told
