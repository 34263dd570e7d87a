"""What every answer carries, whoever asks and whatever for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.play.house import game_row
from server.play.states import State
from server.play.tokens import join_token, projector_token
from tests.api.house.endpoints import endpoints
from tests.house import as_organiser, new_game

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House


@pytest.mark.parametrize("state", [State.OPEN, State.PUBLISHED])
def test_every_answer_is_inert_and_what_is_private_stays_so(app: Flask, house: House, state: State) -> None:
    """No answer is run as something else or shown in another site; none that needs a right is kept on the way."""
    game = new_game(house, state)
    with house.database.reading() as session:
        row = game_row(session, game)
        tokens = {"player": join_token(row.id, row.key, 1), "projector": projector_token(row.id, row.key)}
    answered = set()
    for endpoint in endpoints(app):
        client = as_organiser(app)
        token = tokens.get(endpoint.who[0])
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = client.open(endpoint.url(game=game), method=endpoint.method, headers=headers)
        answered.add(answer.status_code)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, endpoint
        assert "frame-ancestors 'none'" in policy, endpoint
        assert "unsafe-inline" not in policy, endpoint
        assert answer.headers["X-Content-Type-Options"] == "nosniff", endpoint
        assert answer.headers["Referrer-Policy"] == "no-referrer", endpoint
        if endpoint.who != ("anybody",):
            assert {"no-store", "private"} & set(answer.headers["Cache-Control"].split(", ")), endpoint
        answer.close()
    assert {200, 404} <= answered
