"""GET /api/v1/game, the API's description, and the answers to requests that no endpoint takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from server.editions import load_edition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apiflask import APIFlask
    from flask.testing import FlaskClient

    from tests.conftest import PrintedFolder


def test_the_game_is_described(client: FlaskClient, printed: PrintedFolder) -> None:
    """A client learns the edition, the game's id, its players and its cards."""
    game = client.get("/api/v1/game").get_json()
    edition = load_edition("eurocg-2026")
    assert (game["game"], game["players"]) == (printed.game.game, 24)
    assert game["edition"]["title"] == edition.title
    assert [kind["slug"] for kind in game["kinds"]] == [kind.slug for kind in edition.kinds]
    assert game["settings"] == [
        {"name": "blue_base", "label": edition.settings[0].label, "value": 1, "organiser": True}
    ]


def test_the_game_tells_no_rule(client: FlaskClient) -> None:
    """No wording of a rule, no fact of a special and nothing of the key is in the game's description."""
    text = client.get("/api/v1/game").get_data(as_text=True)
    edition = load_edition("eurocg-2026")
    assert all(kind.text not in text for kind in edition.kinds if kind.text)
    assert "key" not in text


def test_a_real_game_offers_no_files(client: FlaskClient) -> None:
    """Outside the demo there are no samples and nothing to download."""
    game = client.get("/api/v1/game").get_json()
    assert (game["demo"], game["samples"], game["downloads"]) == (False, [], [])


def test_health(client: FlaskClient) -> None:
    """The server says that it runs."""
    assert client.get("/healthz").get_json() == {"status": "ok"}


def _references(node: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def test_the_description_is_openapi(client: FlaskClient) -> None:
    """The description is OpenAPI 3.1, its references lead somewhere, and every operation says who may call it."""
    spec = client.get("/api/v1/openapi.json").get_json()
    assert spec["openapi"].startswith("3.1")
    schemas = spec["components"]["schemas"]
    assert {reference.removeprefix("#/components/schemas/") for reference in _references(spec)} <= set(schemas)
    operations = [operation for path in spec["paths"].values() for operation in path.values()]
    assert all("Who may call it" in operation["description"] for operation in operations)
    assert len({operation["operationId"] for operation in operations}) == len(operations)


def test_every_endpoint_of_the_api_is_described(app: APIFlask, client: FlaskClient) -> None:
    """No endpoint under /api is left out of the description."""
    spec = client.get("/api/v1/openapi.json").get_json()
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    assert rules - {"/api/v1/openapi.json"} == {path for path in spec["paths"] if path.startswith("/api/")}


def test_bodies_and_problems_are_described(client: FlaskClient) -> None:
    """The description names the form of uploads, of hands, and of problems."""
    paths = client.get("/api/v1/openapi.json").get_json()["paths"]
    scans, scores = paths["/api/v1/scans"]["post"], paths["/api/v1/scores"]["post"]
    photo = scans["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]["photo"]
    assert photo["format"] == "binary"
    assert "application/json" in scores["requestBody"]["content"]
    assert set(scans["responses"]) == {"200", "413", "415", "422", "503"}
    assert "application/problem+json" in scans["responses"]["422"]["content"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/v1/scans", 405),
        ("DELETE", "/api/v1/game", 405),
        ("POST", "/healthz", 405),
    ],
)
def test_what_no_endpoint_takes_is_a_problem(client: FlaskClient, method: str, path: str, status: int) -> None:
    """An unknown address or method is answered as a problem; a wrong method with those that are taken."""
    answer = client.open(path, method=method)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert answer.get_json()["status"] == status
    assert ("Allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/v1/game"])
def test_head_and_options_are_fine(client: FlaskClient, path: str) -> None:
    """HEAD answers as GET without a body, OPTIONS names the methods."""
    assert client.head(path).status_code == 200
    assert "GET" in client.options(path).headers["Allow"]


def test_our_own_mistakes_tell_nothing(app: APIFlask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unexpected error is a problem with nothing of its inside, and is written to the log."""
    logged: list[object] = []

    def fail(*_: object) -> None:
        raise RuntimeError("the secret inside")

    monkeypatch.setattr("server.api.game_of", fail)
    monkeypatch.setattr(app.logger, "error", lambda *_, exc_info, **_more: logged.append(exc_info))
    answer = client.get("/api/v1/game")
    assert (answer.status_code, answer.mimetype) == (500, "application/problem+json")
    assert "secret" not in answer.get_data(as_text=True)
    assert isinstance(logged[0], RuntimeError)
