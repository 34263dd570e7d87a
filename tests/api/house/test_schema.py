"""A fuzzer drives the API by its own description: nothing breaks, and every answer is as described."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

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

from server.api.house.once import HEADER
from server.play.house import game_row
from server.play.states import State
from server.play.tokens import join_token, projector_token
from tests.house import ORIGIN, as_organiser, new_game

if TYPE_CHECKING:
    from flask import Flask
    from schemathesis import Case

    from server.play.house import House

EXAMPLES = int(os.environ.get("HAGGLE_SCHEMA_EXAMPLES", "12"))
"""Requests an operation; more on demand."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
ENDLESS = ("/events",)
"""Streams, which have tests of their own."""


@schemathesis.serializer("application/zip")
def _bytes(_context: object, value: object) -> bytes:
    """Send any value as bytes: a whole game that is none."""
    return value if isinstance(value, bytes) else str(value).encode()


def _credentials(app: Flask, house: House, game: str) -> dict[str, dict[str, str]]:
    """Return the headers of everybody who may call."""
    with house.database.reading() as session:
        row = game_row(session, game)
        player, projector = join_token(row.id, row.key, 1), projector_token(row.id, row.key)
    cookie = as_organiser(app).get_cookie("haggle_organiser")
    assert cookie is not None
    return {
        "organiser": {"Cookie": f"haggle_organiser={cookie.value}"},
        "player": {"Authorization": f"Bearer {player}"},
        "projector": {"Authorization": f"Bearer {projector}"},
        "nobody": {},
    }


def _drive(operation: Any, games: list[str], everybody: list[dict[str, dict[str, str]]]) -> int:  # noqa: ANN401 - the library's own type
    """Send requests of one operation, and check each answer; return how many were sent."""
    (who,) = next(iter(operation.definition.raw.get("security", [{"nobody": []}])))
    sent = 0

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        nonlocal sent
        case: Case = data.draw(operation.as_strategy(generation_mode=data.draw(st.sampled_from(GenerationMode))))
        place = data.draw(st.integers(0, len(games) - 1))
        if "game" in case.path_parameters and data.draw(st.integers(0, 4)):
            case.path_parameters["game"] = games[place]
        headers = everybody[place][data.draw(st.sampled_from([who, who, who, "nobody"]))]
        key = {HEADER: f"key {sent}"} if HEADER in (case.headers or {}) and data.draw(st.booleans()) else {}
        case.validate_response(case.call(headers={"Origin": ORIGIN, **headers, **key}), checks=CHECKS)
        sent += 1

    send()
    return sent


def test_the_api_is_as_it_describes_itself(app: Flask, house: House) -> None:
    """Requests of every operation, well formed and not, by whoever may call and by nobody: each answer is described.

    The games are as real as it gets: one in each state, and fuzzed requests change them as they go.
    """
    games = [new_game(house, state, name=state.value) for state in State]
    everybody = [_credentials(app, house, game) for game in games]
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    operations = [found.ok() for found in schema.get_all_operations()]
    sent = {op.label: _drive(op, games, everybody) for op in operations if not op.path.endswith(ENDLESS)}
    assert min(sent.values()) >= 1
