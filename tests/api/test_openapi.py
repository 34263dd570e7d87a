"""The API conforms to its OpenAPI description: tests with generated requests."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cardgen.payload import join_token
from server.api.auth import COOKIE, projector_token
from server.api.idempotency import HEADER
from server.api.rate_limit import limiter
from server.db.models import Deck, Envelope
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from tests.context import ORIGIN, as_organiser, new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask
    from schemathesis import Case

    from server.games.context import AppContext

EXAMPLES, MANY = 1, 24
"""Requests for each operation, by default and with `--all`."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
Caller = tuple[dict[str, str], dict[str, str]]
OFTEN_FIRST = (State.OPEN, State.PUBLISHED, State.CLOSED, State.FROZEN, State.PRINTED, State.DRAFT)
"""The first states are the most productive ones if there are few examples."""
ENDLESS = ("/events",)
"""Event streams, which have other tests."""


@schemathesis.serializer("application/zip")
def _bytes(_context: object, value: object) -> bytes:
    """Serialize any value as bytes, for the import of games."""
    return value if isinstance(value, bytes) else str(value).encode()


def _credentials(app: Flask, context: AppContext, game: str) -> dict[str, Caller]:
    """Return headers and cookies of all kinds of callers."""
    with context.database.reading() as session:
        row = load_game(session, game)
        player, projector = join_token(row.id, row.key, 1), projector_token(row.id, row.key)
    cookie = as_organiser(app).get_cookie(COOKIE)
    assert cookie is not None
    return {
        "organiser": ({}, {COOKIE: cookie.value}),
        "player": ({"Authorization": f"Bearer {player}"}, {}),
        "projector": ({"Authorization": f"Bearer {projector}"}, {}),
        "nobody": ({}, {}),
    }


def _parts(context: AppContext, game: str) -> dict[str, list[object]]:
    """Return existing values of path parameters, after adding a deck with a photo to the first envelope."""
    deck = secrets.token_hex(16)
    ids: dict[str, list[object]] = {"game": [game], "number": [1, 2, 99], "envelope": [1, 2, 99], "version": [1, 2]}
    with context.database.writing() as session:
        if session.get(Envelope, (game, 1)) is None:
            return ids
        session.add(Deck(id=deck, game=game, envelope=1, state="open", created=context.clock()))
    own = add_photo(context, game, reading(["red-001"], [1], doubts=["glare"]), envelope=1, deck=deck)
    bulk = add_photo(context, game, reading(["red-001", "red-002"], doubts=["blur"]), batch="one")
    return ids | {"deck": [deck], "photo": [own, bulk], "code": ["00-01-X"]}


def _drive(
    operation: Any,  # noqa: ANN401 - the library's own type
    real: list[dict[str, list[object]]],
    everybody: list[dict[str, Caller]],
    examples: int,
) -> int:
    """Send requests of one operation and check the responses; return their number."""
    (who,) = next(iter(operation.definition.raw.get("security", [{"nobody": []}])))
    sent = 0

    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        nonlocal sent
        case: Case = data.draw(operation.as_strategy(generation_mode=data.draw(st.sampled_from(GenerationMode))))
        index = data.draw(st.integers(0, len(real) - 1))
        for name in case.path_parameters.keys() & real[index].keys():
            if data.draw(st.integers(0, 4)) < 4:
                case.path_parameters[name] = data.draw(st.sampled_from(real[index][name]))
        headers, cookies = everybody[index]["nobody" if data.draw(st.integers(0, 5)) == 5 else who]
        key = {HEADER: f"key {sent}"} if HEADER in (case.headers or {}) and data.draw(st.booleans()) else {}
        more = {"Origin": ORIGIN, "Accept-Encoding": "identity", **headers, **key}
        case.validate_response(case.call(headers=more, cookies=cookies), checks=CHECKS)
        sent += 1

    send()
    return sent


def test_common_error_responses_are_described(app: Flask, context: AppContext) -> None:
    """Double slashes and wrong methods are possible everywhere, and outdated revisions wherever one is sent."""
    client, game = as_organiser(app), new_game(context)
    paths = client.get("/api/v1/openapi.json").get_json()["paths"]
    operations = [one for path in paths.values() for one in path.values()]
    assert client.get(f"/api/v1/games//{game}").status_code == 308
    assert client.put(f"/api/v1/games/{game}").status_code == 405
    assert all(one["responses"].keys() >= {"308", "405"} for one in operations)
    revised = [one for one in operations if any(of["name"] == "If-Match" for of in one.get("parameters", []))]
    assert revised
    assert all("412" in one["responses"] for one in revised)


@pytest.mark.usefixtures("draw_in_process")
# Schemathesis leaves uploaded files open until they are garbage collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_generated_requests_get_described_responses(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Requests of every operation are valid and invalid, with and without credentials.

    There is a game in each state, and requests may change them.
    """
    monkeypatch.setattr(limiter, "enabled", False)
    games = [new_game(context, state, name=state.value) for state in OFTEN_FIRST]
    everybody = [_credentials(app, context, game) for game in games]
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    operations = [found.ok() for found in schema.get_all_operations()]
    # Operations that end a game run last.
    operations.sort(key=lambda op: (op.method.upper() == "DELETE", op.path.endswith(("/acts", "/token", "{game}"))))
    real = [_parts(context, game) for game in games]
    examples = MANY if request.config.getoption("all") else EXAMPLES
    sent = {op.label: _drive(op, real, everybody, examples) for op in operations if not op.path.endswith(ENDLESS)}
    assert min(sent.values()) >= 1
