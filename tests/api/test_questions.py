"""Questions of editions after the close: facts, cancelled rules and parts of decks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from server.db.models import Card, Envelope
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.lifecycle.states import State
from server.games.results.inputs import game_inputs, open_points
from server.scoring.request_schema import parse_request
from tests.context import as_organiser, new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from server.games.context import AppContext

EXAMPLES = Path(__file__).parents[2] / "examples" / "editions"


@pytest.fixture(autouse=True)
def _examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAGGLE_EDITIONS", str(EXAMPLES))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return as_organiser(app)


def _lighthouse(context: AppContext, state: State = State.CLOSED) -> str:
    """Return a game of an edition with facts; envelope 1 has a photo."""
    game = new_game(context, state, edition="lighthouse", players=4)
    add_photo(context, game, reading(["ship-001"], [1]))
    return game


def _tarot(context: AppContext, **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
    """Return a closed game: envelope 1 has a card that cancels rules, envelope 2 the cards of two general rules."""
    game = new_game(context, State.CLOSED, edition="tarot-fr", players=4, **draft)
    with context.database.writing() as session:
        for kind, envelope in (("rule-11", 1), ("rule-1", 2), ("rule-10", 2)):
            session.add(Card(game=game, kind=kind, copy=900, envelope=envelope, run=1, lost=None))
    add_photo(context, game, reading(["rule-11-900"], [1]))
    add_photo(context, game, reading(["rule-1-900", "rule-10-900"], [2]))
    return game


def _asked(client: FlaskClient, game: str) -> list[dict[str, Any]]:
    reply = client.get(f"/api/v1/games/{game}/questions")
    assert reply.status_code == 200, reply.text
    return list((reply.json or {})["questions"])


def _answer(client: FlaskClient, game: str, asked: dict[str, Any], **body: object) -> Any:  # noqa: ANN401 - werkzeug's response
    path = f"/api/v1/games/{game}/questions/{asked['envelope']}"
    return client.put(path, json=body, headers={"If-Match": asked["revision"]})


def _refused(client: FlaskClient, game: str, asked: dict[str, Any], message: str, **body: object) -> None:
    reply = _answer(client, game, asked, **body)
    assert (reply.status_code, reply.json["type"]) == (422, "/problems/wrong-answer"), body
    assert message in reply.json["detail"], body


def _remove(client: FlaskClient, game: str, code: str, envelope: int) -> None:
    body = {"code": code, "envelope": envelope, "do": "remove", "reason": "It lay on the floor."}
    assert client.post(f"/api/v1/games/{game}/cards", json=body, headers={"Idempotency-Key": "k"}).status_code == 201


def _slugs(context: AppContext, game: str) -> list[str]:
    with context.database.reading() as session:
        return [point.slug for point in open_points(session, load_game(session, game), {})]


def _inputs(context: AppContext, game: str) -> dict[str, Any]:
    with context.database.reading() as session:
        row = load_game(session, game)
        found = game_inputs(session, row).game
        parse_request(edition_of_game(row), found)
    return found


def test_facts_are_asked_for_every_hand(context: AppContext, client: FlaskClient) -> None:
    """A fact is open until it is entered, has bounds, is used in the count, and can be changed."""
    assert _asked(client, new_game(context, State.CLOSED)) == [], "EuroCG's rules need nothing but the cards"
    game = _lighthouse(context)
    (asked,) = _asked(client, game)
    assert (asked["envelope"], asked["open"]) == (1, True)
    assert [fact["name"] for fact in asked["facts"]] == ["partners", "greeted"]
    assert "question" in _slugs(context, game)
    for wrong in (-1, 41, True):
        _refused(client, game, asked, "from 0 to 40", facts={"partners": wrong})
    _refused(client, game, asked, "true or false", facts={"greeted": 1})
    _refused(client, game, asked, "no fact", facts={"weather": 1})
    half = asked
    for edge in (0, 40):
        half = _answer(client, game, half, facts={"partners": edge}).json
        assert half["facts"][0]["value"] == edge
    assert half["open"]
    whole = _answer(client, game, half, facts={"greeted": True}).json
    assert not whole["open"]
    assert _inputs(context, game)["hands"][0]["facts"] == {"partners": 40, "greeted": True}
    assert "question" not in _slugs(context, game)
    assert _answer(client, game, half, facts={"partners": 2}).status_code == 412, "another organiser was quicker"
    assert client.put(f"/api/v1/games/{game}/questions/1", json={"facts": {}}).status_code == 428
    assert _answer(client, game, {**whole, "envelope": 2}, facts={}).status_code == 404
    assert _answer(client, game, whole, facts={"partners": None}).json["open"]


def test_the_cancelled_rule_is_asked_for(context: AppContext, client: FlaskClient) -> None:
    """The choice is among general rules in play, or none. A choice that is no longer valid is asked again."""
    game = _tarot(context)
    (asked,) = _asked(client, game)
    assert [rule["rule"] for rule in asked["cards"]] == ["11"]
    assert {rule["rule"] for rule in asked["may_cancel"]} == {"1", "10"}
    assert (asked["most"], asked["cancelled"], asked["open"]) == (1, None, True)
    for wrong, message in [
        (["1", "10"], "at most 1"),
        (["15"], "not in play"),
        (["11"], "cannot be cancelled"),
        (["x"], "no rule"),
    ]:
        _refused(client, game, asked, message, cancels=wrong)
    none = _answer(client, game, asked, cancels=[]).json
    assert (none["cancelled"], none["open"]) == ([], False)
    assert _answer(client, game, none, cancels=["10"]).json["cancelled"] == ["10"]
    assert list(_inputs(context, game)["cancels"].values()) == [[10]]
    _remove(client, game, "rule-10-900", 2)
    (again,) = _asked(client, game)
    assert again["open"]
    assert "not in play" in again["mistakes"][0]
    assert _inputs(context, game)["cancels"] == {}
    assert "question" in _slugs(context, game)
    assert _asked(client, _tarot(context, active_rules=["1", "10"])) == [], "a rule that does not count cancels nothing"


def test_questions_need_a_closed_game(context: AppContext, client: FlaskClient) -> None:
    """After the count, an answer is a correction."""
    for state, reason, status in [
        (State.OPEN, "", 409),
        (State.CLOSED, "", 200),
        (State.FROZEN, "", 422),
        (State.FROZEN, "Forgotten.", 200),
        (State.PUBLISHED, "Forgotten.", 200),
    ]:
        game = _lighthouse(context, state)
        (asked,) = _asked(client, game)
        reply = _answer(client, game, asked, facts={"partners": 3}, reason=reason)
        assert reply.status_code == status, reply.text
        with context.database.reading() as session:
            stored = session.get_one(Envelope, (game, 1)).facts
        assert stored == ({"partners": 3} if status == 200 else {})


def test_parts_of_a_deck_are_asked_for(context: AppContext, client: FlaskClient) -> None:
    """Each part is checked against the hand, used in the count, and asked again when the hand changes."""
    game = new_game(context, State.CLOSED, edition="caravan", players=4)
    add_photo(context, game, reading(["salt-001", "salt-002", "silk-001"], [1]))
    (asked,) = _asked(client, game)
    assert ([part["part"] for part in asked["parts"]], asked["open"]) == (["market", "store", "palace"], True)
    assert asked["kinds"] == {"salt": 2, "silk": 1}
    for wrong in ({"cellar": {}}, {"market": {"salt": 3}}, {"market": {"salt": 1}, "store": {"salt": 2}}):
        _refused(client, game, asked, "", parts=wrong)
    laid = {"market": {"salt": 1}, "store": {"salt": 1, "silk": 1}}
    assert not _answer(client, game, asked, parts=laid).json["open"]
    assert _inputs(context, game)["hands"][0]["parts"] == laid
    _remove(client, game, "silk-001", 1)
    (again,) = _asked(client, game)
    assert (again["open"], len(again["mistakes"])) == (True, 1)
    assert "parts" not in _inputs(context, game)["hands"][0]
    with context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).parts = {"market": "all"}
    (imported,) = _asked(client, game)
    assert (imported["laid"], imported["open"]) == (None, True)
    assert "parts" not in _inputs(context, game)["hands"][0]


def test_a_player_is_asked_for(
    context: AppContext, client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count gets the name of the envelope, and none for 0 or for a hand that does not count."""
    (tmp_path / "lantern").mkdir()
    (tmp_path / "lantern" / "edition.toml").write_text(
        'slug = "lantern"\nextends = "eurocg-2026"\ntitle.en = "Lantern"\n'
        '[[facts]]\nname = "friend"\nlabel.en = "Friend?"\ntype = "player"\n'
    )
    monkeypatch.setenv("HAGGLE_EDITIONS", str(tmp_path))
    game = new_game(context, State.CLOSED, edition="lantern", players=4)
    add_photo(context, game, reading(["red-001"], [1]))
    add_photo(context, game, reading(["red-002"], [2]))
    first, second = _asked(client, game)
    assert [(fact["name"], fact["player"], fact["value"]) for fact in first["facts"]] == [("friend", True, None)]
    for wrong in (1, 9, -1, True):
        _refused(client, game, first, "another envelope", facts={"friend": wrong})
    assert not _answer(client, game, first, facts={"friend": 2}).json["open"]
    assert not _answer(client, game, second, facts={"friend": 0}).json["open"]
    hands = _inputs(context, game)["hands"]
    assert [hand.get("facts") for hand in hands] == [{"friend": hands[1]["player"]}, None]
    assert not _answer(client, game, _asked(client, game)[1], facts={"friend": 3}).json["open"]
    assert "facts" not in _inputs(context, game)["hands"][1], "envelope 3 was never seen"
