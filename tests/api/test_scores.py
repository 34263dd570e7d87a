"""POST /api/v1/scores: hands in, scores out, as `haggle score` does it."""

from __future__ import annotations

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
from tests.api.conftest import send_untold

if TYPE_CHECKING:
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


def post(client: FlaskClient, body: bytes | str) -> TestResponse:
    """Send a body as JSON."""
    return client.post("/api/v1/scores", data=body, content_type="application/json")


def test_hands_are_scored_as_the_command_does(client: FlaskClient) -> None:
    """The answer is the document that `haggle score --json` prints for the same input."""
    edition = load_edition("eurocg-2026")
    text = json.dumps(HANDS).encode()
    asked = read_request(edition, text)
    answer = post(client, text)
    assert answer.status_code == 200
    assert answer.get_json() == document_of(score(edition, asked.hands, asked.settings, asked.active_rules))


def test_the_games_settings_are_the_default(client: FlaskClient) -> None:
    """A setting that the request does not name has the game's value."""
    hands = {"hands": [{"player": "Ada", "cards": {"blue": 2}}]}
    plain = post(client, json.dumps(hands)).get_json()
    named = post(client, json.dumps(hands | {"settings": {"blue_base": 1}})).get_json()
    assert plain == named


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"hands": [{"player": "A", "cards": {"purple": 1}}]}, "hands[0].cards.purple"),
        ({"hands": [{"player": "A", "cards": {"red": -1}}]}, "hands[0].cards.red"),
        ({"hands": [{"player": "A", "cards": {}}], "settings": {"blue_base": -1}}, "settings.blue_base"),
        ({}, "hands"),
        ([], "input"),
    ],
)
def test_mistakes_name_their_place(client: FlaskClient, body: object, place: str) -> None:
    """A mistake in the hands is a problem whose detail names the place."""
    answer = post(client, json.dumps(body))
    problem: dict[str, Any] = answer.get_json()
    assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
    assert problem["type"] == "/problems/invalid-hands"
    assert problem["detail"].startswith(f"{place}: ")
    assert problem["errors"][0]["place"] == place


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
    answer = send_untold(client, "/api/v1/scores", body, "application/json")
    assert answer.status_code == status


def test_another_content_type_is_refused(client: FlaskClient) -> None:
    """Hands that are not sent as JSON say how to send them."""
    answer = client.post("/api/v1/scores", data="hands=1", content_type="application/x-www-form-urlencoded")
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
