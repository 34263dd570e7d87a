"""Facts and rules to cancel are asked after closing, checked by the engine's own checks, and join the count."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from server.play.house import edition_of, game_row
from server.play.inputs import game_inputs, open_points
from server.play.questions import active_rules, kinds_of
from server.play.states import State
from server.scoring.cancels import cancelling
from server.scoring.wire import request_of
from server.store.tables import Card, Envelope
from tests.house import as_organiser, as_player, new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House

EXAMPLES = Path(__file__).parents[3] / "examples" / "editions"


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client that is signed in as an organiser."""
    return as_organiser(app)


@pytest.fixture
def lighthouse(house: House, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a closed game of an edition that asks for facts; envelope 1 has been photographed."""
    monkeypatch.setenv("HAGGLE_EDITIONS", str(EXAMPLES))
    game = new_game(house, State.CLOSED, edition="lighthouse", players=4)
    add_photo(house, game, reading(["ship-001"], [1]))
    return game


@pytest.fixture
def tarot(house: House) -> str:
    """Return a closed tarot game: envelope 1 has a card that cancels, envelope 2 the cards of two general rules."""
    game = new_game(house, State.CLOSED, edition="tarot-fr", players=4)
    with house.database.writing() as session:
        for kind, envelope in (("rule-11", 1), ("rule-1", 2), ("rule-10", 2)):
            session.add(Card(game=game, kind=kind, copy=900, envelope=envelope, run=1, lost=None))
    add_photo(house, game, reading(["rule-11-900"], [1]))
    add_photo(house, game, reading(["rule-1-900", "rule-10-900"], [2]))
    return game


def _asked(client: FlaskClient, game: str) -> list[dict[str, Any]]:
    told = client.get(f"/api/v1/games/{game}/questions")
    assert told.status_code == 200, told.text
    return list(told.json["questions"])


def _answer(client: FlaskClient, game: str, asked: dict[str, Any], **body: object) -> Any:  # noqa: ANN401 - werkzeug's response
    return client.put(
        f"/api/v1/games/{game}/questions/{asked['envelope']}", json=body, headers={"If-Match": asked["revision"]}
    )


def _slugs(house: House, game: str) -> list[str]:
    with house.database.reading() as session:
        return [point.slug for point in open_points(session, game_row(session, game), {})]


def _inputs(house: House, game: str) -> dict[str, Any]:
    with house.database.reading() as session:
        row = game_row(session, game)
        found = game_inputs(session, row).game
        request_of(edition_of(row), found)
    return found


def test_an_edition_without_questions_asks_none(house: House, client: FlaskClient) -> None:
    """EuroCG's rules need nothing but the cards."""
    assert _asked(client, new_game(house, State.CLOSED)) == []


def test_facts_are_asked_of_every_hand_that_counts(house: House, client: FlaskClient, lighthouse: str) -> None:
    """Each is open until it is entered, then it joins the count; entering it again changes it."""
    (asked,) = _asked(client, lighthouse)
    assert (asked["envelope"], asked["open"]) == (1, True)
    assert [fact["name"] for fact in asked["facts"]] == ["partners", "greeted"]
    assert "question" in _slugs(house, lighthouse)
    half = _answer(client, lighthouse, asked, facts={"partners": 7}).json
    assert half["open"]
    whole = _answer(client, lighthouse, half, facts={"greeted": True}).json
    assert not whole["open"]
    assert _inputs(house, lighthouse)["hands"][0]["facts"] == {"partners": 7, "greeted": True}
    assert "question" not in _slugs(house, lighthouse)
    back = _answer(client, lighthouse, whole, facts={"partners": None}).json
    assert back["open"]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"partners": -1}, "from 0 to 40"),
        ({"partners": 41}, "from 0 to 40"),
        ({"partners": True}, "from 0 to 40"),
        ({"greeted": 1}, "true or false"),
        ({"weather": 1}, "no fact"),
    ],
)
def test_facts_that_cannot_be_are_refused(
    client: FlaskClient, lighthouse: str, facts: dict[str, Any], said: str
) -> None:
    """The refusal says what can be entered; 0 and 40 can."""
    (asked,) = _asked(client, lighthouse)
    told = _answer(client, lighthouse, asked, facts=facts)
    assert told.status_code == 422
    assert said in told.json["detail"]
    for edge in (0, 40):
        asked = _answer(client, lighthouse, asked, facts={"partners": edge}).json
        assert asked["facts"][0]["value"] == edge


def test_two_organisers_do_not_answer_differently_unawares(client: FlaskClient, lighthouse: str) -> None:
    """The second one is told to look again; without a revision nothing is taken."""
    (asked,) = _asked(client, lighthouse)
    assert _answer(client, lighthouse, asked, facts={"partners": 1}).status_code == 200
    assert _answer(client, lighthouse, asked, facts={"partners": 2}).status_code == 412
    assert client.put(f"/api/v1/games/{lighthouse}/questions/1", json={"facts": {}}).status_code == 428
    assert _answer(client, lighthouse, {**asked, "envelope": 2}, facts={}).status_code == 404


def test_who_may_cancel_is_asked_what(house: House, client: FlaskClient, tarot: str) -> None:
    """The holder of a cancel card chooses among the general rules in play; to cancel none is an answer too."""
    (asked,) = _asked(client, tarot)
    assert [rule["rule"] for rule in asked["cards"]] == ["11"]
    assert {rule["rule"] for rule in asked["may_cancel"]} == {"1", "10"}
    assert (asked["most"], asked["cancelled"], asked["open"]) == (1, None, True)
    none = _answer(client, tarot, asked, cancels=[]).json
    assert (none["cancelled"], none["open"]) == ([], False)
    one = _answer(client, tarot, none, cancels=["10"]).json
    assert one["cancelled"] == ["10"]
    assert list(_inputs(house, tarot)["cancels"].values()) == [[10]]


@pytest.mark.parametrize(
    ("cancels", "said"),
    [(["1", "10"], "at most 1"), (["15"], "not in play"), (["11"], "cannot be cancelled"), (["x"], "no rule")],
)
def test_choices_that_cannot_be_are_refused(client: FlaskClient, tarot: str, cancels: list[str], said: str) -> None:
    """By the engine's own checks, in its own words."""
    (asked,) = _asked(client, tarot)
    told = _answer(client, tarot, asked, cancels=cancels)
    assert told.status_code == 422
    assert said in told.json["detail"]


def test_a_choice_that_no_longer_fits_is_asked_again(house: House, client: FlaskClient, tarot: str) -> None:
    """The card of the cancelled rule turns out to be nobody's: the choice counts as none, and is an open point."""
    (asked,) = _asked(client, tarot)
    _answer(client, tarot, asked, cancels=["10"])
    body = {"code": "rule-10-900", "envelope": 2, "do": "remove", "reason": "It lay on the floor."}
    assert client.post(f"/api/v1/games/{tarot}/cards", json=body, headers={"Idempotency-Key": "k"}).status_code == 201
    (again,) = _asked(client, tarot)
    assert again["open"]
    assert "not in play" in again["mistakes"][0]
    assert _inputs(house, tarot)["cancels"] == {}
    assert "question" in _slugs(house, tarot)


def test_a_rule_that_does_not_count_cancels_nothing(house: House, client: FlaskClient) -> None:
    """Only active rules ask, and only active rules can be cancelled."""
    game = new_game(house, State.CLOSED, edition="tarot-fr", players=4, active_rules=["1", "10"])
    with house.database.writing() as session:
        session.add(Card(game=game, kind="rule-11", copy=900, envelope=1, run=1, lost=None))
        row = game_row(session, game)
        assert not cancelling(edition_of(row), active_rules(row))
    add_photo(house, game, reading(["rule-11-900"], [1]))
    assert _asked(client, game) == []


def test_answers_wait_for_the_close_and_need_a_reason_after_the_count(
    house: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the game is open nothing is asked; after the count an answer is a correction."""
    monkeypatch.setenv("HAGGLE_EDITIONS", str(EXAMPLES))
    for state, reason, status in [
        (State.OPEN, "", 409),
        (State.CLOSED, "", 200),
        (State.FROZEN, "", 422),
        (State.FROZEN, "Forgotten.", 200),
        (State.PUBLISHED, "Forgotten.", 200),
    ]:
        game = new_game(house, state, edition="lighthouse", players=4)
        add_photo(house, game, reading(["ship-001"], [1]))
        (asked,) = _asked(client, game)
        told = _answer(client, game, asked, facts={"partners": 3}, reason=reason)
        assert told.status_code == status, told.text
        with house.database.reading() as session:
            kept = session.get_one(Envelope, (game, 1)).facts
        assert kept == ({"partners": 3} if status == 200 else {})


def test_parts_of_a_deck_are_asked_for(house: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in each part is checked against the hand, joins the count, and is asked again when the hand changes."""
    monkeypatch.setenv("HAGGLE_EDITIONS", str(EXAMPLES))
    game = new_game(house, State.CLOSED, edition="caravan", players=4)
    add_photo(house, game, reading(["salt-001", "salt-002", "silk-001"], [1]))
    (asked,) = _asked(client, game)
    assert ([part["part"] for part in asked["parts"]], asked["open"]) == (["market", "store", "palace"], True)
    assert asked["kinds"] == {"salt": 2, "silk": 1}
    for wrong in ({"cellar": {}}, {"market": {"salt": 3}}, {"market": {"salt": 1}, "store": {"salt": 2}}):
        told = _answer(client, game, asked, parts=wrong)
        assert (told.status_code, told.json["type"]) == (422, "/problems/wrong-answer")
    laid = {"market": {"salt": 1}, "store": {"salt": 1, "silk": 1}}
    assert not _answer(client, game, asked, parts=laid).json["open"]
    assert _inputs(house, game)["hands"][0]["parts"] == laid
    body = {"code": "silk-001", "envelope": 1, "do": "remove", "reason": "It is a copy."}
    assert client.post(f"/api/v1/games/{game}/cards", json=body, headers={"Idempotency-Key": "k"}).status_code == 201
    (again,) = _asked(client, game)
    assert (again["open"], len(again["mistakes"])) == (True, 1)
    assert "parts" not in _inputs(house, game)["hands"][0]
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 1)).parts = {"market": "all"}
    (imported,) = _asked(client, game)
    assert (imported["laid"], imported["open"]) == (None, True)
    assert "parts" not in _inputs(house, game)["hands"][0]


def test_players_see_no_question(app: Flask, house: House, tarot: str) -> None:
    """Which rules are in play is a secret of the others' envelopes."""
    told = as_player(app, house, tarot, 1).get(f"/api/v1/games/{tarot}/questions")
    assert told.status_code == 401


def test_cards_are_counted_by_kind() -> None:
    """The name of a kind may hold dashes and numbers."""
    assert kinds_of(["rule-7-002", "red-001", "rule-7-001"]) == {"red": 1, "rule-7": 2}
