"""What the database is asked for one upload: each question costs the server's processor, which readers lack then."""

from __future__ import annotations

import io
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event

from tests.house import as_organiser, new_game
from tests.jobs.scan_jobs import png
from tests.players import Player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.play.house import House

MOST_OF_ORGANISER = 14
"""Whose session it is (2), the game and the key (3), and then the key, the game, the file, how many, four rows (9)."""


@contextmanager
def _asked(house: House) -> Iterator[list[str]]:
    """Give a list that fills with what the database is asked."""
    said: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        said.append(statement)

    event.listen(house.database.engine, "before_cursor_execute", note)
    try:
        yield said
    finally:
        event.remove(house.database.engine, "before_cursor_execute", note)


def _send(client: FlaskClient, game: str, number: int, **headers: str) -> TestResponse:
    return client.post(
        f"/api/v1/games/{game}/photos?batch=b&place={number}",
        data={"photo": (io.BytesIO(png(number)), "a.png")},
        headers={"Idempotency-Key": f"k{number}", **headers},
    )


def test_an_organisers_picture_takes_few_questions(app: Flask, house: House) -> None:
    """As many for the third picture as for any, and none twice but for what may have changed while it came in."""
    game, client = new_game(house), as_organiser(app)
    for number in (1, 2):
        assert _send(client, game, number).status_code == 201
    with _asked(house) as said:
        assert _send(client, game, 3).status_code == 201
    assert len(said) <= MOST_OF_ORGANISER, said


def test_whose_session_it_is_is_looked_up_once(app: Flask, house: House) -> None:
    """Who limits calls and who lets in ask the same in one request; the next request asks anew."""
    game, client = new_game(house), as_organiser(app)
    for _ in range(2):
        with _asked(house) as said:
            assert client.get(f"/api/v1/games/{game}").status_code == 200
        assert sum("FROM installation" in question for question in said) == 1


def test_watchers_hear_of_a_picture(app: Flask, house: House) -> None:
    """Once it is taken in, and not of one that is refused."""
    game, client = new_game(house), as_organiser(app)
    before = house.news.count
    assert _send(client, game, 1).status_code == 201
    assert house.news.count == before + 1
    assert _send(client, game, 2, **{"Idempotency-Key": ""}).status_code == 422
    assert house.news.count == before + 1


@pytest.mark.parametrize("whose", ["organiser", "player"])
def test_a_picture_without_a_key_is_refused_before_it_is_read(app: Flask, house: House, whose: str) -> None:
    """It takes no place and no memory of an upload."""
    game = new_game(house)
    if whose == "organiser":
        client, path = as_organiser(app), f"/api/v1/games/{game}/photos"
    else:
        player = Player(app, house, game, 1)
        client, path = player.client, f"/api/v1/me/decks/{player.begin()}/photos"
    kind = "multipart/form-data; boundary=edge"
    # No form at all: whoever reads it refuses it for that.
    reply = client.post(path, data=b"no form", content_type=kind)
    assert (reply.status_code, (reply.json or {})["type"]) == (422, "/problems/no-key")
