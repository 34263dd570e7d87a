"""POST /api/v1/scores: hands in, scores out, as `haggle score` does it."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.scoring import score
from server.scoring.document import document_of
from server.scoring.strict_json import MAX_BYTES
from server.scoring.wire import read_request
from tests.house import as_organiser

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
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["hands", "player", "cards", "settings", "cancels", "active_rules", "handed_in", "red", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return an organiser's client."""
    return as_organiser(app)


def post(client: FlaskClient, body: bytes | str, edition: str = "eurocg-2026", **more: Any) -> TestResponse:  # noqa: ANN401 - as the client takes it
    """Send a body as JSON."""
    path = f"/api/v1/scores?edition={edition}"
    return client.post(path, data=body, content_type="application/json", **more)


def test_hands_are_scored_as_the_command_does(client: FlaskClient) -> None:
    """The answer is the document that `haggle score --json` prints for the same input."""
    edition = load_edition("eurocg-2026")
    text = json.dumps(HANDS).encode()
    asked = read_request(edition, text)
    answer = post(client, text)
    assert answer.status_code == 200
    assert answer.get_json() == document_of(score(edition, asked.hands, asked.settings, asked.active_rules))


def test_players_score_nothing(app: Flask) -> None:
    """The scores of any hands would tell all rules, which are the secret of a game."""
    assert post(app.test_client(), json.dumps(HANDS)).status_code == 401


@pytest.mark.parametrize(
    ("edition", "words"), [("nothing-1999", "eurocg-2026"), ("", "edition"), ("x" * 101, "edition")]
)
def test_an_unknown_edition_is_refused(client: FlaskClient, edition: str, words: str) -> None:
    """The answer names the editions that there are."""
    answer = post(client, json.dumps(HANDS), edition)
    assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
    assert words in answer.get_json()["detail"]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"hands": [{"player": "A", "cards": {"purple": 1}}]}, "hands[0].cards.purple"),
        ({"hands": [{"player": "A", "cards": {"red": -1}}]}, "hands[0].cards.red"),
        ({"hands": [{"player": "A", "cards": {}}], "settings": {"blue_base": -1}}, "settings.blue_base"),
        ({}, "hands"),
        ([], "input"),
    ],
)
def test_mistakes_name_their_place(client: FlaskClient, body: object, where: str) -> None:
    """A mistake in the hands is a problem whose detail names the place."""
    answer = post(client, json.dumps(body))
    problem: dict[str, Any] = answer.get_json()
    assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
    assert problem["type"] == "/problems/invalid-hands"
    assert problem["detail"].startswith(f"{where}: ")
    assert problem["errors"][0]["place"] == where


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"hands": NaN}', b"[" * 100_000, b'{"hands":[],"hands":[]}'])
def test_what_is_no_json_is_refused(client: FlaskClient, body: bytes) -> None:
    """Text that is not strict JSON is a problem in words."""
    answer = post(client, body)
    assert answer.status_code == 422
    assert answer.get_json()["detail"].startswith("input: ")


def test_bytes_are_bounded(client: FlaskClient) -> None:
    """A body of the largest size is read, one of a byte more is not."""
    hands = b'{"hands": []}'
    assert post(client, hands + b" " * (MAX_BYTES - len(hands))).status_code == 200
    assert post(client, hands + b" " * (MAX_BYTES - len(hands) + 1)).status_code == 413


@pytest.mark.parametrize(("extra", "status"), [(0, 200), (1, 413), (1_000_000, 413)])
def test_hands_of_untold_length_are_bounded(client: FlaskClient, extra: int, status: int) -> None:
    """A body that comes in pieces without its length is refused once it is too long, and not cut."""
    hands = b'{"hands": []}'
    body = hands + b" " * (MAX_BYTES - len(hands) + extra)
    untold = {"wsgi.input": io.BytesIO(body), "wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    assert post(client, b"", environ_overrides=untold).status_code == status


def test_another_content_type_is_refused(client: FlaskClient) -> None:
    """Hands that are not sent as JSON say how to send them."""
    answer = client.post(
        "/api/v1/scores?edition=eurocg-2026", data="hands=1", content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code == 415
    assert "application/json" in answer.get_json()["detail"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=JSON.map(json.dumps) | st.binary(max_size=100))
def test_no_body_breaks_the_server(client: FlaskClient, body: str | bytes) -> None:
    """Whatever is sent, the answer is a score or a problem in words."""
    answer = post(client, body)
    assert answer.status_code in {200, 422}
    if answer.status_code == 422:
        assert answer.get_json()["detail"]
