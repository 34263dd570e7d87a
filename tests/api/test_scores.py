"""POST /api/v1/scores: the API of `haggle score`."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from server.editions import load_edition
from server.scoring import score
from server.scoring.request_schema import MAX_BYTES, read_request
from server.scoring.result import result_document
from tests.context import as_organiser
from tests.players import problem

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

HANDS = {
    "hands": [
        {"player": "Ada", "cards": {"red": 4, "blue": 1, "rule-7": 1}, "handed_in": "2026-03-27T11:58:00Z"},
        {"player": "Bob", "cards": {"green": 7, "rule-2": 1}},
    ],
    "settings": {"blue_base": 3, "seed": "any text"},
    "active_rules": [5, 6, 7, 21],
}
NONE = b'{"hands": []}'


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return an organiser's client."""
    return as_organiser(app)


def post(client: FlaskClient, body: object, edition: str = "eurocg-2026", **more: Any) -> TestResponse:  # noqa: ANN401 - as the client takes it
    """Send JSON, or bytes as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body)
    return client.post(f"/api/v1/scores?edition={edition}", data=data, **{"content_type": "application/json"} | more)


def test_hands_are_scored_as_by_the_command(app: Flask, client: FlaskClient) -> None:
    """The response is the output of `haggle score --json`; players have no access, since it reveals all rules."""
    edition = load_edition("eurocg-2026")
    asked = read_request(edition, json.dumps(HANDS).encode())
    answer = post(client, HANDS)
    assert answer.status_code == 200
    assert answer.json == result_document(score(edition, asked.hands, asked.settings, asked.active_rules))
    assert post(app.test_client(), HANDS).status_code == 401


def test_errors_have_their_location(client: FlaskClient) -> None:
    """Errors may be in hands, in the JSON or in the edition's name."""
    for body, where in (
        ({"hands": [{"player": "A", "cards": {"purple": 1}}]}, "hands[0].cards.purple"),
        ({"hands": [{"player": "A", "cards": {}}], "settings": {"blue_base": -1}}, "settings.blue_base"),
        ({}, "hands"),
        ([], "input"),
        (b"", "input"),
        (b"\xff", "input"),
        (b'{"hands": NaN}', "input"),
        (b"[" * 100_000, "input"),
    ):
        answer = post(client, body)
        assert (problem(answer), answer.mimetype) == ("422 invalid-hands", "application/problem+json")
        assert answer.json["detail"].startswith(f"{where}: ")
        assert answer.json["errors"][0]["place"] == where
    for edition, words in (("nothing-1999", "eurocg-2026"), ("", "edition"), ("x" * 101, "edition")):
        answer = post(client, HANDS, edition)
        assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
        assert words in answer.json["detail"]
    form = post(client, b"hands=1", content_type="application/x-www-form-urlencoded")
    assert form.status_code == 415
    assert "application/json" in form.json["detail"]


@pytest.mark.parametrize(("extra", "status"), [(0, 200), (1, 413), (1_000_000, 413)])
def test_the_size_of_the_body_is_limited(client: FlaskClient, extra: int, status: int) -> None:
    """A body of the largest size is accepted, one more byte is refused, also without a Content-Length."""
    body = NONE + b" " * (MAX_BYTES - len(NONE) + extra)
    assert post(client, body).status_code == status
    untold = {"wsgi.input": io.BytesIO(body), "wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    assert post(client, b"", environ_overrides=untold).status_code == status
