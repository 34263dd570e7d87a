"""A whole game over HTTP: out as a file, and in again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.api.house import exports
from server.app.house import HouseConfig, create_house_app
from tests.house import Clock, as_organiser, as_player, new_house
from tests.played import counted_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.play.house import House


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[FlaskClient]:
    """Give an organiser of another server."""
    house = new_house(tmp_path / "elsewhere", Clock())
    yield as_organiser(create_house_app(HouseConfig(tmp_path / "elsewhere"), house))
    house.database.close()


def _file(client: FlaskClient, game: str) -> bytes:
    with client.get(f"/api/v1/games/{game}/export") as answer:
        assert answer.headers["Content-Disposition"] == f"attachment; filename=haggle-{game}.zip"
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.data


def _send(client: FlaskClient, data: bytes, key: str = "k", content_type: str = "application/zip") -> TestResponse:
    return client.post("/api/v1/games/import", data=data, headers={"Idempotency-Key": key}, content_type=content_type)


def test_a_game_moves_to_another_server(app: Flask, house: House, elsewhere: FlaskClient) -> None:
    """Its results are there as here; sent twice with one key it comes in once."""
    game = counted_game(house, published=True)
    client = as_organiser(app)
    file = _file(client, game)
    for _ in range(2):
        told = _send(elsewhere, file)
        assert (told.status_code, told.json) == (201, {"game": game})
    path = f"/api/v1/games/{game}/results/1"
    assert elsewhere.get(path).json == client.get(path).json


def test_a_game_that_is_there_is_refused(app: Flask, house: House) -> None:
    """With a problem that says so."""
    client = as_organiser(app)
    told = _send(client, _file(client, counted_game(house)))
    assert (told.status_code, told.json["type"]) == (409, "/problems/game-exists")


@pytest.mark.parametrize(
    ("data", "content_type", "status"),
    [(b"", "application/zip", 422), (b"PK nonsense", "application/zip", 422), (b"x", "text/plain", 415)],
)
def test_other_files_are_refused(data: bytes, content_type: str, status: int, app: Flask) -> None:
    """By their type or their content."""
    assert _send(as_organiser(app), data, content_type=content_type).status_code == status


@pytest.mark.parametrize(("size", "status"), [(99, 422), (100, 422), (101, 413)])
def test_a_file_is_bounded_while_it_comes_in(
    size: int, status: int, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below and at the limit its content is looked at."""
    monkeypatch.setattr(exports, "MOST_BYTES", 100)
    assert _send(as_organiser(app), b"x" * size).status_code == status


def test_one_file_comes_in_at_a_time(app: Flask) -> None:
    """A second one is told to wait."""
    assert exports._incoming.acquire(blocking=False)
    try:
        told = _send(as_organiser(app), b"x")
        assert told.status_code == 503
        assert int(told.headers["Retry-After"]) > 0
    finally:
        exports._incoming.release()


def test_players_and_strangers_get_no_file(app: Flask, house: House) -> None:
    """It holds the key."""
    game = counted_game(house, published=True)
    for client in (app.test_client(), as_player(app, house, game, 1)):
        assert client.get(f"/api/v1/games/{game}/export").status_code == 401
        assert _send(client, b"x").status_code == 401
